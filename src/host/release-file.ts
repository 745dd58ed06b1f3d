import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifyReleaseFile, type ReleaseFileResult } from '../core/core.ts'
import { releaseIdentityOf, type ReleaseIdentity } from '../shared/release-identity.ts'
import type { JsonValue } from '../shared/strict-json.ts'
import { applicationRoot, builtInTrust } from './resources.ts'

/** Whose releases this installation accepts; undefined where it was not told. It is part of what was installed, and never asked for. */
export function releaseIdentity(): ReleaseIdentity | undefined {
  return releaseIdentityOf(JSON.parse(readFileSync(join(applicationRoot, 'package.json'), 'utf8')))
}

/**
 * Judges a downloaded file by its digest and an attestation of it, under the built-in roots and by this machine's clock. What is wrong with
 * either is a step that failed.
 *
 * @param digest hex SHA-256 of the file
 */
export async function judgeReleaseFile(
  digest: string,
  bundle: JsonValue,
  policy: ReleaseIdentity,
): Promise<ReleaseFileResult> {
  const { sigstoreTrustedRoot: trustedRoot } = await builtInTrust()
  return verifyReleaseFile({ bundle, digest, trustedRoot, policy, now: Date.now() })
}

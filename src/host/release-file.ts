import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifyReleaseFile, type ReleaseFileResult } from '../core/core.ts'
import { releaseIdentityOf, type ReleaseIdentity } from '../shared/release-identity.ts'
import type { JsonValue } from '../shared/strict-json.ts'
import { applicationRoot } from './application-root.ts'
import { builtInTrust } from './resources.ts'

export type { ReleaseFileResult } from '../core/core.ts'

/**
 * The identity that signs this installation's releases; undefined if it has none. It's part of the
 * installation, and never asked for.
 */
export function releaseIdentity(): ReleaseIdentity | undefined {
  return releaseIdentityOf(JSON.parse(readFileSync(join(applicationRoot, 'package.json'), 'utf8')))
}

/**
 * Verifies a downloaded file by its digest and its attestation, under the built-in roots and by this
 * computer's clock. Any problem is a failed step.
 *
 * @param digest hex SHA-256 of the file
 */
export async function checkReleaseFile(
  digest: string,
  bundle: JsonValue,
  policy: ReleaseIdentity,
): Promise<ReleaseFileResult> {
  const { sigstoreTrustedRoot: trustedRoot } = await builtInTrust()
  return verifyReleaseFile({ bundle, digest, trustedRoot, policy, now: Date.now() })
}

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifyReleaseFile, type ReleaseFileResult } from '../../src/core/core.ts'
import type { ReleaseIdentity } from '../../src/shared/release-identity.ts'
import type { JsonObject } from '../../src/verifier/strict-json.ts'
import { mintSigstore, payloadOf } from '../verifier/sigstore/minted-release.ts'

interface AttestedRelease {
  /** Path of the folder with the files, and their names. */
  readonly folder: string
  readonly names: readonly string[]
  readonly identity: ReleaseIdentity
  readonly tag: string
}

/** The provenance of a rehearsal: its roots are its own, and no installed Sotto trusts them. */
export interface RehearsalProvenance {
  /** Verifies a file as `sotto verify-release` does, under the roots of the rehearsal. */
  verify(content: Uint8Array): ReleaseFileResult
}

/** Signs the files of a release as GitHub's attestation does, and writes the bundle next to each of them. */
export async function attestRelease({
  folder,
  names,
  identity,
  tag,
}: AttestedRelease): Promise<RehearsalProvenance> {
  const sigstore = await mintSigstore()
  const { repository, workflow } = identity
  const subject = `https://github.com/${repository}/${workflow}@refs/tags/${tag}`
  const bundle: JsonObject = await sigstore.release({
    subject,
    extensions: {
      5: repository,
      6: `refs/tags/${tag}`,
      9: subject,
      12: `https://github.com/${repository}`,
      14: `refs/tags/${tag}`,
    },
    payload: payloadOf({
      _type: 'https://in-toto.io/Statement/v1',
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate: {},
      subject: names.map((name) => ({ name, digest: { sha256: sha256(readFileSync(join(folder, name))) } })),
    }),
  })
  for (const name of names) writeFileSync(join(folder, `${name}.sigstore.json`), JSON.stringify(bundle))
  return {
    verify: (content) =>
      verifyReleaseFile({
        bundle,
        digest: sha256(content),
        trustedRoot: JSON.stringify(sigstore.trustedRoot),
        policy: identity,
        now: Date.now(),
      }),
  }
}

function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

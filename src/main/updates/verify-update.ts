import { attestationsIn, fileDigest, verifyBest } from '../../host/release-verification.ts'
import type { ReleaseFileResult } from '../../host/release-file.ts'
import { asSottoError, SottoError } from '../../shared/errors.ts'
import type { JsonValue } from '../../shared/strict-json.ts'

/** The host's verification of a release by its digest, under the installed roots and identity. */
export type VerifyRelease = (digest: string, bundle: JsonValue) => Promise<ReleaseFileResult>

/**
 * Verifies like `sotto verify-release FILE --tag vVERSION`: the one workflow built the file from that
 * version's tag. The tag refuses a genuine older release under a newer name. Throws update/refused, with
 * the failed step.
 */
export async function requireRelease(
  file: string,
  version: string,
  attestation: string,
  verify: VerifyRelease,
): Promise<void> {
  let result: ReleaseFileResult
  try {
    const digest = await fileDigest(file)
    result = await verifyBest(attestationsIn(attestation), (bundle) => verify(digest, bundle))
  } catch (thrown) {
    const { code } = asSottoError(thrown)
    throw new SottoError('update/refused', { stepCode: code, cause: thrown })
  }
  if (!result.good)
    throw new SottoError('update/refused', { step: result.failure.step, stepCode: result.failure.code })
  if (result.provenance.tag !== `v${version}`)
    throw new SottoError('update/refused', { stepCode: 'release/other-tag' })
}

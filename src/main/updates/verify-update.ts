import { attestationsIn, fileDigest, verifyBest, type ReleaseFileResult } from '../../host/index.ts'
import { asSottoError, SottoError } from '../../shared/errors.ts'
import type { JsonValue } from '../../shared/strict-json.ts'

/** As the host judges a release by its digest, under the roots and the identity that are installed. */
export type VerifyRelease = (digest: string, bundle: JsonValue) => Promise<ReleaseFileResult>

/**
 * What `sotto verify-release FILE --tag vVERSION` asks: the file is what the one workflow built from that version's tag. A
 * genuine older release under a newer name is refused by its tag. Throws update/refused, with the step that failed.
 */
export async function requireRelease(
  file: string,
  version: string,
  attestation: string,
  judge: VerifyRelease,
): Promise<void> {
  let result: ReleaseFileResult
  try {
    const digest = await fileDigest(file)
    result = await verifyBest(attestationsIn(attestation), (bundle) => judge(digest, bundle))
  } catch (thrown) {
    const { code } = asSottoError(thrown)
    throw new SottoError('update/refused', { stepCode: code, cause: thrown })
  }
  if (!result.good)
    throw new SottoError('update/refused', { step: result.failure.step, stepCode: result.failure.code })
  if (result.provenance.tag !== `v${version}`)
    throw new SottoError('update/refused', { stepCode: 'release/other-tag' })
}

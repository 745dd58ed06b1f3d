import { SottoError } from '../../../shared/errors.ts'
import type { Fetch } from '../../../shared/fetch.ts'
import { readBytes } from '../../../shared/limited-body.ts'
import { msg } from '../../../shared/localized-text.ts'

const EVIDENCE_TIMEOUT_MS = 20_000

/**
 * Fetches evidence without a credential, because the answer is public.
 * @param limit the longest accepted answer in bytes
 * @param timeoutMs for the whole answer
 * @throws {SottoError} attestation/evidence-too-large; attestation/unreachable – any other failure, including
 * a status other than 200
 */
export async function fetchEvidence(
  fetch: Fetch,
  url: string,
  limit: number,
  timeoutMs = EVIDENCE_TIMEOUT_MS,
): Promise<Uint8Array> {
  try {
    const response = await fetch(url, {
      method: 'GET',
      headers: { accept: 'application/json', 'accept-encoding': 'identity' },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.status !== 200) {
      for await (const _ of response.body ?? []) break
      throw new SottoError('attestation/unreachable', {
        detail: msg('The service returned status {status}.', { status: response.status }),
      })
    }
    return await readBytes(response.body, limit, () => new SottoError('attestation/evidence-too-large'))
  } catch (cause) {
    throw cause instanceof SottoError ? cause : new SottoError('attestation/unreachable', { cause })
  }
}

import { asSottoError, explained } from '../../shared/errors.ts'
import type { OpenedReach } from '../../shared/reach.ts'
import { say } from '../../shared/say.ts'
import type { Notice } from '../../shared/status.ts'

/** Said for as long as the address is open. */
export function openNotice({ baseUrl, fingerprint }: OpenedReach): Notice {
  return fingerprint === null
    ? { id: 'reach-plaintext', says: say('Sotto answers at {address} without TLS: whoever is on the way can read keys, questions and answers. Let nothing but this machine or a proxy that ends TLS reach it.', { address: baseUrl }), lasting: true }
    : { id: 'reach-open', says: say('Programs beyond this machine reach Sotto at {address}, with the certificate {fingerprint} (SHA-256).', { address: baseUrl, fingerprint }), lasting: true }
}

/** Why the address is not open. What was thrown without a code is told as proxy/internal. */
export function failedNotice(thrown: unknown): Notice {
  return { id: 'reach-failed', says: [...say('Sotto is not reachable from beyond this machine.'), ...explained(asSottoError(thrown))], lasting: false }
}

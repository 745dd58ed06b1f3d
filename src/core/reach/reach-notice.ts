import { asSottoError } from '../../shared/errors.ts'
import type { OpenedReach } from '../../shared/reach.ts'
import type { Notice } from '../../shared/status.ts'

/** Said for as long as the address is open. */
export function openNotice({ baseUrl, fingerprint }: OpenedReach): Notice {
  return fingerprint === null
    ? { id: 'reach-plaintext', says: `Sotto answers at ${baseUrl} without TLS: whoever is on the way can read keys, questions and answers. Let nothing but this machine or a proxy that ends TLS reach it.`, lasting: true }
    : { id: 'reach-open', says: `Programs beyond this machine reach Sotto at ${baseUrl}, with the certificate ${fingerprint} (SHA-256).`, lasting: true }
}

export function failedNotice(thrown: unknown): Notice {
  return { id: 'reach-failed', says: `Sotto is not reachable from beyond this machine. ${asSottoError(thrown).message}`, lasting: false }
}

import { asSottoError, explained } from '../../../shared/errors.ts'
import type { RemoteAccess } from '../../../shared/remote-access.ts'
import { msg } from '../../../shared/localized-text.ts'
import type { Notice } from '../../../shared/status.ts'

/** The notice while the address is open. */
export function remoteAccessOpenNotice({ baseUrl, fingerprint }: RemoteAccess): Notice {
  return fingerprint === null
    ? {
        id: 'reach-plaintext',
        says: msg(
          'Sotto is available at {address} without TLS. Anyone on the network path can read keys, prompts, and replies. Allow access only from this computer or a proxy that terminates TLS.',
          { address: baseUrl },
        ),
        lasting: true,
      }
    : {
        id: 'reach-open',
        says: msg(
          'Programs on other computers can reach Sotto at {address} with the certificate {fingerprint} (SHA-256).',
          { address: baseUrl, fingerprint },
        ),
        lasting: true,
      }
}

/**
 * The notice with the reason why the address isn't open. An error without a code is shown as proxy/internal.
 */
export function failedNotice(thrown: unknown): Notice {
  return {
    id: 'reach-failed',
    says: [...msg('Sotto can’t be reached from other computers.'), ...explained(asSottoError(thrown))],
    lasting: false,
  }
}

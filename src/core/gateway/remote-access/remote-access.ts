import { CORE, type Confirm } from '../../../shared/confirm.ts'
import { SottoError } from '../../../shared/errors.ts'
import type { RemoteAccess, RemoteAddress } from '../../../shared/remote-access.ts'
import { renderEnglish, msg } from '../../../shared/localized-text.ts'
import { fingerprintOf, ownCertificate, type SecretPlace, type TlsCertificate } from './own-certificate.ts'

/** What was confirmed, word for word, in English. */
const CONFIRMED = 'reach-confirmed'

export interface RemoteAccessParts {
  readonly reach: RemoteAddress
  /** Names by which it may be called; the own certificate is for these. */
  readonly hosts: readonly string[]
  readonly place: SecretPlace
  /** Sealed: whoever writes files of the data folder cannot confirm for the user. */
  readonly settings: { get(name: string): string | null; set(name: string, value: string): void }
  readonly confirm: Confirm
  readonly now: () => number
  readonly open: (at: {
    host: string
    port: number
    tls: TlsCertificate | null
  }) => Promise<{ readonly baseUrl: string }>
}

/**
 * Opens an address beyond loopback, once the user has confirmed it outside the window; the answer is kept for this very
 * address and certificate. In the container image nobody could be asked: there the flag that names the danger is the answer.
 * Throws remote-access/not-confirmed, remote-access/address-in-use, remote-access/certificate, confirm/….
 */
export async function startRemoteAccess(
  { reach, hosts, place, settings, confirm, now, open }: RemoteAccessParts,
  signal?: AbortSignal,
): Promise<RemoteAccess> {
  const { host, port } = reach
  if (reach.tls === 'none-in-container')
    return { ...(await open({ host, port, tls: null })), fingerprint: null }
  const tls = reach.tls === 'own' ? await ownCertificate(place, namesOf(host, hosts), now()) : reach.tls
  const fingerprint = readFingerprint(tls)
  const says =
    reach.tls === 'own'
      ? msg(
          'Allow programs on other computers to reach Sotto at {host}, port {port}, with Sotto’s own certificate? Each still needs a local key.',
          { host, port },
        )
      : msg(
          'Allow programs on other computers to reach Sotto at {host}, port {port}, with the certificate {fingerprint}? Each still needs a local key.',
          { host, port, fingerprint },
        )
  const words = renderEnglish(says)
  if (settings.get(CONFIRMED) !== words) {
    if (!(await confirm.ask({ says, from: CORE }, signal)))
      throw new SottoError('remote-access/not-confirmed')
    settings.set(CONFIRMED, words)
  }
  return { ...(await open({ host, port, tls })), fingerprint }
}

function namesOf(host: string, hosts: readonly string[]): string[] {
  const plain = hosts.map((name) => name.replace(/:\d{1,5}$/, '').replace(/^\[(.*)\]$/, '$1'))
  const all = host === '0.0.0.0' || host === '::' ? plain : [host, ...plain]
  return [...new Set(all)]
}

function readFingerprint(tls: TlsCertificate): string {
  try {
    return fingerprintOf(tls)
  } catch (cause) {
    throw new SottoError('remote-access/certificate', { cause })
  }
}

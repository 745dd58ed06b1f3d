import { CORE, type Confirm } from '../../../shared/confirm.ts'
import { SottoError } from '../../../shared/errors.ts'
import type { RemoteAccess, RemoteAddress } from '../../../shared/remote-access.ts'
import { renderEnglish, msg } from '../../../shared/localized-text.ts'
import type { Store } from '../../storage/index.ts'
import { fingerprintOf, ownCertificate, type SecretPlace, type TlsCertificate } from './own-certificate.ts'

/** The text of the confirmed question, verbatim, in English. */
const CONFIRMED = 'reach-confirmed'

export interface RemoteAccessParts {
  readonly remoteAddress: RemoteAddress
  /** Names by which clients may call it. Sotto's certificate is for these names. */
  readonly hosts: readonly string[]
  readonly place: SecretPlace
  /** Sealed, so that an attacker who can write to the data folder can't confirm for the user. */
  readonly settings: Store['settings']
  readonly confirm: Pick<Confirm, 'ask'>
  readonly now: () => number
  readonly open: (at: {
    host: string
    port: number
    tls: TlsCertificate | null
  }) => Promise<{ readonly baseUrl: string }>
}

/**
 * Opens an address beyond loopback after the user confirmed it outside the window. The confirmation is stored
 * for exactly this address and certificate. The container image has no way to ask, so there the flag that
 * names the danger counts as the confirmation.
 * @throws {SottoError} remote-access/not-confirmed, remote-access/address-in-use, remote-access/certificate,
 * confirm/…
 */
export async function startRemoteAccess(
  { remoteAddress, hosts, place, settings, confirm, now, open }: RemoteAccessParts,
  signal?: AbortSignal,
): Promise<RemoteAccess> {
  const { host, port } = remoteAddress
  if (remoteAddress.tls === 'none-in-container')
    return { ...(await open({ host, port, tls: null })), fingerprint: null }
  const tls =
    remoteAddress.tls === 'own' ? await ownCertificate(place, namesOf(host, hosts), now()) : remoteAddress.tls
  const fingerprint = readFingerprint(tls)
  const question =
    remoteAddress.tls === 'own'
      ? msg(
          'Allow programs on other computers to reach Sotto at {host}, port {port}, with Sotto’s own certificate? Each still needs a local key.',
          { host, port },
        )
      : msg(
          'Allow programs on other computers to reach Sotto at {host}, port {port}, with the certificate {fingerprint}? Each still needs a local key.',
          { host, port, fingerprint },
        )
  const questionText = renderEnglish(question)
  if (settings.get(CONFIRMED) !== questionText) {
    if (!(await confirm.ask({ says: question, from: CORE }, signal)))
      throw new SottoError('remote-access/not-confirmed')
    settings.set(CONFIRMED, questionText)
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

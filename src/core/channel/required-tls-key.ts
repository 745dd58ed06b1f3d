import { SottoError } from '../../shared/errors.ts'
import type { Verdict } from '../../shared/verdict.ts'

/**
 * The key that a TLS connection to an enclave must have, if the enclave ends the connection itself. Behind a service there is none: the
 * connection ends at the service.
 *
 * @param address of the enclave. Only on loopback it has no TLS (`profileSchema`), and so no key to compare.
 * @throws {SottoError} attestation/failed – a verdict without a TLS key
 */
export function requiredTlsKey(
  address: string,
  { tlsKeyFingerprint }: Pick<Verdict, 'tlsKeyFingerprint'>,
): { readonly tlsKey?: string } {
  if (new URL(address).protocol !== 'https:') return {}
  if (tlsKeyFingerprint === undefined) throw new SottoError('attestation/failed')
  return { tlsKey: tlsKeyFingerprint }
}

import { hash } from 'node:crypto'
import { msg } from '../message.ts'
import type { Checklist } from '../checklist.ts'
import type { AttestedKeys } from '../report-data.ts'
import { toHex } from '../text.ts'
import type { Answer } from './answer.ts'
import type { ServiceEnclaveStep } from './plan.ts'

/**
 * Compares the keys that the answer states with the attested ones. The stated values prove nothing; a difference means that someone edited
 * the answer. Fails with `service-enclave/key-differs`, `…/tls-key-differs` or `…/tls-fingerprint-differs`.
 *
 * @returns DER of the TLS key, if the answer has it: its hash is signed, so the key is authenticated
 */
export function checkStatedKeys(
  checks: Checklist<ServiceEnclaveStep>,
  answer: Answer,
  keys: AttestedKeys,
): Uint8Array | undefined {
  const sealing = toHex(keys.hpkePublicKey)
  checks.record(
    'service-enclave/encryption-key',
    answer.hpkePublicKey === sealing ? undefined : 'service-enclave/key-differs',
    sealing,
    answer.hpkePublicKey,
  )
  const { tlsKey, tlsKeyFingerprint: stated } = answer
  const attested = toHex(keys.tlsKeyFingerprint)
  const step = 'service-enclave/tls-key'
  if (stated !== undefined && stated !== attested)
    return checks.fail(step, 'service-enclave/tls-fingerprint-differs', attested, stated)
  if (!tlsKey) {
    checks.notChecked(step, attested, msg('the answer contains no TLS key'))
    return undefined
  }
  const fingerprint = hash('sha256', tlsKey, 'hex')
  checks.record(
    step,
    fingerprint === attested ? undefined : 'service-enclave/tls-key-differs',
    attested,
    fingerprint,
  )
  return tlsKey
}

/** A TLS proxy can end the connection, and reads only sealed requests and metadata. */
export function noteConnection(checks: Checklist<ServiceEnclaveStep>, keys: AttestedKeys): void {
  checks.notChecked(
    'service-enclave/connection',
    toHex(keys.tlsKeyFingerprint),
    msg('requests are sealed to the attested encryption key instead'),
  )
}

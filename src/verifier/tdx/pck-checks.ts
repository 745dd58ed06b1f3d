import type { AttestationCode } from '../codes.ts'
import type { CollateralName } from '../contract.ts'
import { msg } from '../message.ts'
import type { Checklist } from '../checklist.ts'
import { listOf, newestFirst, readKnownList, recordOf } from '../newest-list.ts'
import type { SeenCollateral } from '../seen-collateral.ts'
import { isoTime, type Text } from '../text.ts'
import {
  CertificateError,
  certificatesFromPem,
  commonName,
  verifyCrl,
  listsSerial,
  parseCrl,
  validityAt,
  type Certificate,
  type Crl,
  type CrlFault,
  type CertifiedKey,
} from '../x509/index.ts'
import {
  INTERMEDIATE_NAMES,
  verifyIntermediate,
  verifyPck,
  verifyRoot,
  PCK_NAME,
  ROOT_NAME,
} from './chain.ts'
import type { IntelCollateral } from './collateral.ts'
import type { TdxStep } from './plan.ts'
import { readSgxExtensions, type SgxExtensions } from './sgx-extensions.ts'

/** The chain of a machine: Intel's root, the issuer of machines, and the machine's own certificate with what it says. */
export interface PckChain {
  readonly root: CertifiedKey
  readonly intermediate: CertifiedKey
  readonly pck: CertifiedKey
  readonly machine: SgxExtensions
}

const CHAIN_LENGTH = 3

/** @param pem as the quote carries it, with the NUL that ends it in memory. @param root DER of the pinned root. @param now Unix ms */
export function checkPckChain(
  checks: Checklist<TdxStep>,
  pem: Uint8Array,
  root: Uint8Array,
  now: number,
): PckChain {
  const [pckDer, intermediateDer, rootDer] = takeCertificates(checks, pem)
  const pinned = verifyRoot(root, now)
  if ('fault' in pinned) return checks.fail('intel/root', 'intel/root-invalid', ROOT_NAME, pinned.fault)
  const same = Buffer.compare(rootDer, root) === 0
  checks.record(
    'intel/root',
    same ? undefined : 'pck/root-untrusted',
    ROOT_NAME,
    same ? ROOT_NAME : msg('another certificate'),
  )

  const issuers = INTERMEDIATE_NAMES.join(', ')
  const intermediate = verifyIntermediate(intermediateDer, pinned, now)
  if ('fault' in intermediate)
    return checks.fail('intel/intermediate', 'intel/intermediate-invalid', issuers, intermediate.fault)
  checks.pass('intel/intermediate', issuers, msg('certified by Intel’s root'))
  const pck = verifyPck(pckDer, intermediate)
  if ('fault' in pck) return checks.fail('pck/chain', 'pck/chain-invalid', PCK_NAME, pck.fault)
  checks.pass('pck/chain', PCK_NAME, PCK_NAME)
  checkValidity(checks, pck.certificate, now)
  return { root: pinned, intermediate, pck, machine: takeMachine(checks, pck.certificate) }
}

function takeCertificates(
  checks: Checklist<TdxStep>,
  pem: Uint8Array,
): [pck: Uint8Array, intermediate: Uint8Array, root: Uint8Array] {
  const expected = msg('PEM of three certificates')
  const text = Buffer.from(pem.buffer, pem.byteOffset, pem.byteLength).toString('latin1').replace(/\0$/, '')
  try {
    // Without any certificate a chain is as short as one can be, and no worse in form.
    const [pck, intermediate, root, ...more] = text.trim() === '' ? [] : certificatesFromPem(text)
    if (pck && intermediate && root && more.length === 0) {
      checks.pass('pck/certificates', expected, expected)
      return [pck, intermediate, root]
    }
    return checks.fail(
      'pck/certificates',
      'pck/chain-length',
      expected,
      more.length > 0 ? msg('{count} certificates', { count: CHAIN_LENGTH + more.length }) : msg('fewer'),
    )
  } catch (error) {
    if (error instanceof CertificateError)
      checks.fail('pck/certificates', 'pck/chain-malformed', expected, error.observed)
    throw error
  }
}

function checkValidity(checks: Checklist<TdxStep>, pck: Certificate, now: number): void {
  const validity = validityAt(pck, now)
  const code = validity === 'expired' ? 'pck/expired' : 'pck/not-yet-valid'
  checks.record(
    'pck/validity',
    validity === 'valid' ? undefined : code,
    msg('valid at {time}', { time: isoTime(now) }),
    msg('from {from} to {to}', { from: isoTime(pck.notBefore), to: isoTime(pck.notAfter) }),
  )
}

function takeMachine(checks: Checklist<TdxStep>, pck: Certificate): SgxExtensions {
  const expected = msg('a machine’s PPID, PCEID, FMSPC and TCB')
  try {
    const machine = readSgxExtensions(pck)
    checks.pass('pck/form', expected, `FMSPC ${machine.fmspc}, PCEID ${machine.pceId}`)
    return machine
  } catch (error) {
    if (error instanceof CertificateError) checks.fail('pck/form', 'pck/malformed', expected, error.observed)
    throw error
  }
}

export interface RevocationLists {
  /** The newest known list of Intel's root, which also names signers of collateral. */
  readonly rootCrl: Crl
  /** Unix ms: the earliest end of the lists in the evidence. */
  readonly notAfter: number
}

/**
 * Both lists have to be in the evidence, in force, and without the certificates of the chain. If a newer list was seen before, it says what is
 * revoked: otherwise the service could hide a revocation until its older list ends.
 */
export function checkRevocation(
  checks: Checklist<TdxStep>,
  { rootCrl, pckCrl }: Pick<IntelCollateral, 'rootCrl' | 'pckCrl'>,
  chain: PckChain,
  { seen, now }: { readonly seen: SeenCollateral; readonly now: number },
): RevocationLists {
  const { root, intermediate, pck } = chain
  const pckListName: CollateralName = `intel-pck-crl/${commonName(intermediate.certificate.subject) ?? ''}`
  const ofRoot = checkList(checks, 'intel/root-crl', {
    der: rootCrl,
    name: 'intel-root-crl',
    issuer: root,
    certificate: intermediate.certificate,
    revoked: 'intel/intermediate-revoked',
    seen,
    now,
  })
  const ofPck = checkList(checks, 'intel/pck-crl', {
    der: pckCrl,
    name: pckListName,
    issuer: intermediate,
    certificate: pck.certificate,
    revoked: 'pck/revoked',
    seen,
    now,
  })
  return { rootCrl: ofRoot.newest, notAfter: Math.min(ofRoot.notAfter, ofPck.notAfter) }
}

interface ListCheck {
  readonly der: Uint8Array
  readonly name: CollateralName
  readonly issuer: CertifiedKey
  readonly certificate: Certificate
  readonly revoked: AttestationCode
  readonly seen: SeenCollateral
  readonly now: number
}

function checkList(
  checks: Checklist<TdxStep>,
  step: 'intel/root-crl' | 'intel/pck-crl',
  { der, name, issuer, certificate, revoked, seen, now }: ListCheck,
): { readonly newest: Crl; readonly notAfter: number } {
  const expected = msg('a list of this issuer, valid at {now}, without this certificate', {
    now: isoTime(now),
  })
  try {
    const crl = parseCrl(der)
    const fault = verifyCrl(crl, issuer, now)
    if (fault)
      checks.fail(
        step,
        fault === 'expired' ? `${step}-expired` : `${step}-invalid`,
        expected,
        listFaults[fault],
      )
    const brought = { der, crl }
    const known = listOf(seen.find(name))
    const [newest = brought] = newestFirst([brought, known && readKnownList(known, issuer, now)])
    seen.note(recordOf(name, newest))
    if (listsSerial(newest.crl, certificate.serialNumber))
      checks.fail(step, revoked, expected, msg('this certificate is listed'))
    checks.pass(step, expected, msg('valid until {time}', { time: isoTime(crl.nextUpdate) }))
    return { newest: newest.crl, notAfter: crl.nextUpdate }
  } catch (error) {
    if (error instanceof CertificateError) checks.fail(step, `${step}-invalid`, expected, error.observed)
    throw error
  }
}

const listFaults: Record<CrlFault, Text> = {
  'other-issuer': msg('a list of another issuer'),
  'other-key': msg('a list of another key of the issuer'),
  'signer-unfit': msg('an issuer whose key may not sign lists'),
  signature: msg('an invalid signature'),
  'not-yet-valid': msg('a list that isn’t valid yet'),
  expired: msg('a list that has expired'),
}

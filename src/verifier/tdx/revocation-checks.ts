import type { AttestationCode } from '../codes.ts'
import type { CollateralName } from '../contract.ts'
import { msg } from '../message.ts'
import { listOf, newestFirst, readKnownList, recordOf } from '../newest-list.ts'
import type { SeenCollateral } from '../seen-collateral.ts'
import { fail, passed, Steps, type Finding } from '../steps.ts'
import { isoTime, type Text } from '../text.ts'
import {
  CertificateError,
  commonName,
  verifyCrl,
  listsSerial,
  parseCrl,
  type Certificate,
  type CertifiedKey,
  type Crl,
  type CrlFault,
} from '../x509/index.ts'
import type { IntelCollateral } from './collateral.ts'

interface RevocationInput {
  readonly intel: Pick<IntelCollateral, 'rootCrl' | 'pckCrl'>
  readonly pinned: CertifiedKey
  readonly intermediate: CertifiedKey
  readonly pck: CertifiedKey
  readonly seen?: SeenCollateral | undefined
  /** Unix ms. */
  readonly now: number
}

/**
 * Both lists must be in the evidence, in force, and without the certificates of the chain. If a newer list was seen before, it decides what
 * is revoked: otherwise the service could hide a revocation until its older list ends.
 */
export const revocationSteps = Steps.of<RevocationInput>()
  .add({
    id: 'intel/root-crl',
    title: 'Issuer of server certificates hasn’t been revoked by the Intel root',
    run({ intel, pinned, intermediate, seen, now }) {
      const { finding, ...rootList } = checkList('intel/root-crl', {
        der: intel.rootCrl,
        name: 'intel-root-crl',
        issuer: pinned,
        certificate: intermediate.certificate,
        revoked: 'intel/intermediate-revoked',
        seen,
        now,
      })
      // The newest known list of Intel's root also names signers of collateral.
      return { ...finding, added: { rootList } }
    },
  })
  .add({
    id: 'intel/pck-crl',
    title: 'Server’s certificate hasn’t been revoked by Intel',
    run({ intel, intermediate, pck, seen, now }) {
      const { finding, ...pckList } = checkList('intel/pck-crl', {
        der: intel.pckCrl,
        name: `intel-pck-crl/${commonName(intermediate.certificate.subject) ?? ''}`,
        issuer: intermediate,
        certificate: pck.certificate,
        revoked: 'pck/revoked',
        seen,
        now,
      })
      return { ...finding, added: { pckList } }
    },
  })

interface ListCheck {
  readonly der: Uint8Array
  readonly name: CollateralName
  readonly issuer: CertifiedKey
  readonly certificate: Certificate
  readonly revoked: AttestationCode
  readonly seen: SeenCollateral | undefined
  readonly now: number
}

interface CheckedList {
  readonly finding: Finding
  readonly newest: Crl
  /** Unix ms: when the list in the evidence ends. */
  readonly notAfter: number
}

function checkList(
  codes: 'intel/root-crl' | 'intel/pck-crl',
  { der, name, issuer, certificate, revoked, seen, now }: ListCheck,
): CheckedList {
  const expected = msg('a list of this issuer, valid at {now}, without this certificate', {
    now: isoTime(now),
  })
  try {
    const crl = parseCrl(der)
    const fault = verifyCrl(crl, issuer, now)
    if (fault)
      return fail(fault === 'expired' ? `${codes}-expired` : `${codes}-invalid`, expected, listFaults[fault])
    const brought = { der, crl }
    const known = listOf(seen?.find(name))
    const [newest = brought] = newestFirst([brought, known && readKnownList(known, issuer, now)])
    seen?.note(recordOf(name, newest))
    if (listsSerial(newest.crl, certificate.serialNumber))
      return fail(revoked, expected, msg('this certificate is listed'))
    const finding = passed(expected, msg('valid until {time}', { time: isoTime(crl.nextUpdate) }))
    return { finding, newest: newest.crl, notAfter: crl.nextUpdate }
  } catch (error) {
    if (error instanceof CertificateError) return fail(`${codes}-invalid`, expected, error.observed)
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

import type { AttestationCode } from '../codes.ts'
import { msg } from '../message.ts'
import { parseOnce } from '../parse-once.ts'
import { fail, passUnless, Steps, type Finding } from '../steps.ts'
import type { Text } from '../text.ts'
import { validityFinding } from '../validity.ts'
import {
  CertificateError,
  certificatesFromPem,
  listsSerial,
  type Crl,
  type CertifiedKey,
} from '../x509/index.ts'
import { verifyTcbSigner, TCB_SIGNER_NAME } from './chain.ts'
import type { IntelCollateral } from './collateral.ts'
import { isStatementSignedBy, readStatement, splitSignedJson } from './signed-json.ts'
import {
  QE_IDENTITY_ID,
  QE_IDENTITY_VERSION,
  qeIdentityOf,
  TCB_INFO_ID,
  TCB_INFO_VERSION,
  tcbInfoOf,
  type QeIdentity,
  type TcbInfo,
} from './statements.ts'

/**
 * Intel's statements about machines of a kind and about its quoting enclave: signed by Intel, and in force.
 */
export interface IntelStatements {
  readonly tcbInfo: TcbInfo
  readonly qeIdentity: QeIdentity
  /** Unix ms: the earliest expiry of the statements and their signers. */
  readonly notAfter: number
}

const readTcbInfo = parseOnce((statement) => readStatement({ statement }, tcbInfoOf))
const readQeIdentity = parseOnce((statement) => readStatement({ statement }, qeIdentityOf))

interface StatementInput {
  readonly intel: Pick<IntelCollateral, 'tcbInfo' | 'qeIdentity'>
  readonly pinned: CertifiedKey
  readonly rootList: { readonly newest: Crl }
  readonly now: number
}

/** Authenticates both statements, each with the signer in its response. */
export const statementSteps = Steps.of<StatementInput>()
  .add({
    id: 'intel/tcb-info',
    title: 'List of security levels is signed by Intel',
    run({ intel: { tcbInfo: answer }, ...signers }) {
      const tcbSigner = signerOf(answer.issuerChain, signers)
      const tcbInfo = statementOf('intel/tcb-info', 'tcbInfo', answer.body, readTcbInfo, tcbSigner)
      const known = tcbInfo.id === TCB_INFO_ID && tcbInfo.version === TCB_INFO_VERSION
      return passUnless(
        known ? undefined : 'intel/tcb-info-unsupported',
        msg('{id}, version {version}', { id: TCB_INFO_ID, version: TCB_INFO_VERSION }),
        msg('{id}, version {version}', { id: tcbInfo.id, version: tcbInfo.version }),
        { tcbInfo, tcbSigner },
      )
    },
  })
  .add({
    id: 'intel/tcb-info-validity',
    title: 'List of security levels is valid now',
    run: ({ tcbInfo, now }) => checkDates('intel/tcb-info', tcbInfo, now),
  })
  .add({
    id: 'intel/qe-identity',
    title: 'Quoting enclave identity is signed by Intel',
    run({ intel: { qeIdentity: answer, tcbInfo: tcbAnswer }, tcbSigner, ...signers }) {
      const qeSigner =
        answer.issuerChain === tcbAnswer.issuerChain ? tcbSigner : signerOf(answer.issuerChain, signers)
      const qeIdentity = statementOf(
        'intel/qe-identity',
        'enclaveIdentity',
        answer.body,
        readQeIdentity,
        qeSigner,
      )
      return passUnless(
        qeIdentityFault(qeIdentity),
        msg('{id}, version {version}', { id: QE_IDENTITY_ID, version: QE_IDENTITY_VERSION }),
        msg('{id}, version {version}', { id: qeIdentity.id, version: qeIdentity.version }),
        { qeIdentity, qeSigner },
      )
    },
  })
  .add({
    id: 'intel/qe-identity-validity',
    title: 'Quoting enclave identity is valid now',
    run({ tcbInfo, tcbSigner, qeIdentity, qeSigner, now }) {
      const statements: IntelStatements = {
        tcbInfo,
        qeIdentity,
        notAfter: Math.min(
          tcbInfo.nextUpdate,
          qeIdentity.nextUpdate,
          tcbSigner.certificate.notAfter,
          qeSigner.certificate.notAfter,
        ),
      }
      return { ...checkDates('intel/qe-identity', qeIdentity, now), added: { statements } }
    },
  })

function qeIdentityFault({ id, version }: QeIdentity): AttestationCode | undefined {
  if (id !== QE_IDENTITY_ID) return 'intel/qe-identity-other-enclave'
  return version === QE_IDENTITY_VERSION ? undefined : 'intel/qe-identity-version-unsupported'
}

/** The common prefix of a statement's codes. */
type StatementCodes = 'intel/tcb-info' | 'intel/qe-identity'

/** Verifies the signature before it parses the statement. */
function statementOf<T>(
  codes: StatementCodes,
  member: 'tcbInfo' | 'enclaveIdentity',
  body: Uint8Array,
  read: (statement: Uint8Array) => T | undefined,
  signer: CertifiedKey,
): T {
  const expected = msg('a statement signed by {name}', { name: TCB_SIGNER_NAME })
  const signed = splitSignedJson(body, member)
  if (!signed) return fail(`${codes}-malformed`, expected, msg('an answer without a signed statement'))
  if (!isStatementSignedBy(signed, signer.key))
    return fail(`${codes}-signature-invalid`, expected, msg('an invalid signature'))
  return (
    read(signed.statement) ?? fail(`${codes}-malformed`, expected, msg('a statement in an unexpected format'))
  )
}

/** The chain must be exactly the signer and the pinned root. */
function signerOf(chain: string, { pinned, rootList, now }: Omit<StatementInput, 'intel'>): CertifiedKey {
  const refuse = (observed: Text): never =>
    fail(
      'intel/signer-invalid',
      msg('{name}, certified by Intel’s root', { name: TCB_SIGNER_NAME }),
      observed,
    )
  const [der, rootDer, ...more] = certificatesOf(chain)
  if (!der || !rootDer || more.length > 0) return refuse(msg('not a chain of two certificates'))
  if (Buffer.compare(rootDer, pinned.certificate.der) !== 0) return refuse(msg('a chain to another root'))
  const signer = verifyTcbSigner(der, pinned, now)
  if ('fault' in signer) return refuse(signer.fault)
  if (listsSerial(rootList.newest, signer.certificate.serialNumber))
    return fail('intel/signer-revoked', msg('a signer that isn’t revoked'), msg('this signer is listed'))
  return signer
}

function certificatesOf(pem: string): readonly Uint8Array[] {
  try {
    return certificatesFromPem(pem)
  } catch (error) {
    if (error instanceof CertificateError) return []
    throw error
  }
}

function checkDates(
  codes: StatementCodes,
  { issueDate, nextUpdate }: { readonly issueDate: number; readonly nextUpdate: number },
  now: number,
): Finding {
  return validityFinding({ notBefore: issueDate, notAfter: nextUpdate }, now, {
    'not-yet-valid': `${codes}-not-yet-valid`,
    expired: `${codes}-expired`,
  })
}

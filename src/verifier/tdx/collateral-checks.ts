import type { AttestationCode } from '../codes.ts'
import { msg } from '../message.ts'
import type { Checklist } from '../checklist.ts'
import { parseOnce } from '../parse-once.ts'
import { isoTime, type Text } from '../text.ts'
import {
  CertificateError,
  certificatesFromPem,
  listsSerial,
  type Crl,
  type CertifiedKey,
} from '../x509/index.ts'
import { verifyTcbSigner, TCB_SIGNER_NAME } from './chain.ts'
import type { IntelCollateral } from './collateral.ts'
import type { TdxStep } from './plan.ts'
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

/** What Intel says about machines of a kind and about its quoting enclave: signed by Intel, and in force. */
export interface IntelStatements {
  readonly tcbInfo: TcbInfo
  readonly qeIdentity: QeIdentity
  /** Unix ms: the earliest end of statements and signers. */
  readonly notAfter: number
}

const readTcbInfo = parseOnce((statement) => readStatement({ statement }, tcbInfoOf))
const readQeIdentity = parseOnce((statement) => readStatement({ statement }, qeIdentityOf))

interface Signers {
  readonly root: CertifiedKey
  readonly rootCrl: Crl
  readonly now: number
}

/** Authenticates both statements, each by the signer that came with it. */
export function checkStatements(
  checks: Checklist<TdxStep>,
  { tcbInfo: tcbAnswer, qeIdentity: qeAnswer }: Pick<IntelCollateral, 'tcbInfo' | 'qeIdentity'>,
  signers: Signers,
): IntelStatements {
  const tcbSigner = takeSigner(checks, 'intel/tcb-info', tcbAnswer.issuerChain, signers)
  const tcbInfo = takeStatement(checks, 'intel/tcb-info', 'tcbInfo', tcbAnswer.body, readTcbInfo, tcbSigner)
  const tcbKnown = tcbInfo.id === TCB_INFO_ID && tcbInfo.version === TCB_INFO_VERSION
  checks.record(
    'intel/tcb-info',
    tcbKnown ? undefined : 'intel/tcb-info-unsupported',
    msg('{id}, version {version}', { id: TCB_INFO_ID, version: TCB_INFO_VERSION }),
    msg('{id}, version {version}', { id: tcbInfo.id, version: tcbInfo.version }),
  )
  checkDates(checks, 'intel/tcb-info', tcbInfo, signers.now)

  const qeSigner =
    qeAnswer.issuerChain === tcbAnswer.issuerChain
      ? tcbSigner
      : takeSigner(checks, 'intel/qe-identity', qeAnswer.issuerChain, signers)
  const qeIdentity = takeStatement(
    checks,
    'intel/qe-identity',
    'enclaveIdentity',
    qeAnswer.body,
    readQeIdentity,
    qeSigner,
  )
  checks.record(
    'intel/qe-identity',
    qeIdentityFault(qeIdentity),
    msg('{id}, version {version}', { id: QE_IDENTITY_ID, version: QE_IDENTITY_VERSION }),
    msg('{id}, version {version}', { id: qeIdentity.id, version: qeIdentity.version }),
  )
  checkDates(checks, 'intel/qe-identity', qeIdentity, signers.now)

  return {
    tcbInfo,
    qeIdentity,
    notAfter: Math.min(
      tcbInfo.nextUpdate,
      qeIdentity.nextUpdate,
      tcbSigner.certificate.notAfter,
      qeSigner.certificate.notAfter,
    ),
  }
}

function qeIdentityFault({ id, version }: QeIdentity): AttestationCode | undefined {
  if (id !== QE_IDENTITY_ID) return 'intel/qe-identity-other-enclave'
  return version === QE_IDENTITY_VERSION ? undefined : 'intel/qe-identity-version-unsupported'
}

type StatementStep = 'intel/tcb-info' | 'intel/qe-identity'

/** Fails the step, or leaves it open with the statement: nothing is parsed before its signature held. */
function takeStatement<T>(
  checks: Checklist<TdxStep>,
  step: StatementStep,
  member: 'tcbInfo' | 'enclaveIdentity',
  body: Uint8Array,
  read: (statement: Uint8Array) => T | undefined,
  signer: CertifiedKey,
): T {
  const expected = msg('a statement signed by {name}', { name: TCB_SIGNER_NAME })
  const signed = splitSignedJson(body, member)
  if (!signed)
    return checks.fail(step, `${step}-malformed`, expected, msg('an answer without a signed statement'))
  if (!isStatementSignedBy(signed, signer.key))
    checks.fail(step, `${step}-signature-invalid`, expected, msg('an invalid signature'))
  return (
    read(signed.statement) ??
    checks.fail(step, `${step}-malformed`, expected, msg('a statement in an unexpected format'))
  )
}

/** Exactly the signer and the pinned root. */
function takeSigner(
  checks: Checklist<TdxStep>,
  step: StatementStep,
  chain: string,
  { root, rootCrl, now }: Signers,
): CertifiedKey {
  const fail = (observed: Text): never =>
    checks.fail(
      step,
      'intel/signer-invalid',
      msg('{name}, certified by Intel’s root', { name: TCB_SIGNER_NAME }),
      observed,
    )
  const [der, rootDer, ...more] = certificatesOf(chain)
  if (!der || !rootDer || more.length > 0) return fail(msg('not a chain of two certificates'))
  if (Buffer.compare(rootDer, root.certificate.der) !== 0) return fail(msg('a chain to another root'))
  const signer = verifyTcbSigner(der, root, now)
  if ('fault' in signer) return fail(signer.fault)
  if (listsSerial(rootCrl, signer.certificate.serialNumber))
    checks.fail(
      step,
      'intel/signer-revoked',
      msg('a signer that isn’t revoked'),
      msg('this signer is listed'),
    )
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
  checks: Checklist<TdxStep>,
  statement: StatementStep,
  { issueDate, nextUpdate }: { readonly issueDate: number; readonly nextUpdate: number },
  now: number,
): void {
  const code =
    now < issueDate
      ? (`${statement}-not-yet-valid` as const)
      : now <= nextUpdate
        ? undefined
        : (`${statement}-expired` as const)
  checks.record(
    `${statement}-validity`,
    code,
    msg('valid at {time}', { time: isoTime(now) }),
    msg('from {from} to {to}', { from: isoTime(issueDate), to: isoTime(nextUpdate) }),
  )
}

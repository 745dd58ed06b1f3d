import { authenticateBundle } from './authenticate.ts'
import { readBundle } from './bundle-form.ts'
import { readFulcioCertificate, type FulcioCertificate } from './fulcio-certificate.ts'
import {
  readStatement,
  requireAnySubject,
  requirePredicateType,
  requireStatementType,
  requireSubject,
  STATEMENT_V1,
  type Statement,
} from './statement.ts'
import type { SigstoreStep } from './steps.ts'
import { readTrustedRoot } from './trusted-root.ts'
import type { SigstoreInput } from './types.ts'
import {
  requireCommit,
  requireIssuer,
  requireRef,
  requireRepository,
  requireRunner,
  requireSourceRef,
  requireSourceRepository,
} from './workflow-identity.ts'

export interface AuthenticatedStatement {
  readonly statement: Statement
  readonly ref: string
  readonly commit: string
  readonly logTime: number
  /** The times at which a log recorded the bundle, without those of timestamp authorities. */
  readonly logTimes: readonly number[]
  /** The signed bytes. */
  readonly payload: Uint8Array
  readonly certificate: FulcioCertificate
}

/**
 * Takes all steps of a bundle except those about the predicate's content: trusted root, form, times, chain,
 * logs, signature, workflow identity, statement, predicate type and subject. Times are Unix ms.
 *
 * @param passed receives the observation of each passed step
 * @param about the position that the subject with the digest may have
 * @throws {SigstoreRefusal} at the first step that fails
 */
export function authenticateStatement(
  input: SigstoreInput,
  passed: (step: SigstoreStep, found: string) => void,
  about: 'first-subject' | 'any-subject' = 'first-subject',
): AuthenticatedStatement {
  const { policy, digest, now } = input
  const root = readTrustedRoot(input.trustedRoot)
  const bundle = readBundle(input.bundle)
  const certificate = readFulcioCertificate(bundle.certificate)

  const { times, logTimes } = authenticateBundle(bundle, certificate, root, now)
  const logTime = Math.min(...times)
  passed('sigstore/timestamp', new Date(logTime).toISOString())
  passed(
    'sigstore/certificate-log',
    certificate.certificateTimestamps.map(({ logId }) => logId.toString('hex')).join(', '),
  )

  passed('sigstore/issuer', requireIssuer(certificate, policy))
  passed('sigstore/repository', requireRepository(certificate, policy))
  requireSourceRepository(certificate, policy)
  const ref = requireRef(certificate, policy)
  requireSourceRef(certificate)
  passed('sigstore/ref', ref)
  passed('sigstore/runner', requireRunner(certificate, policy.runnerEnvironment))
  const commit = requireCommit(certificate)
  passed('sigstore/commit', commit)

  const statement = readStatement(bundle.envelope.payload, bundle.envelope.payloadType)
  requireStatementType(statement, [STATEMENT_V1])
  requirePredicateType(statement, policy.predicateTypes)
  if (about === 'any-subject') requireAnySubject(statement, digest)
  else requireSubject(statement, digest)
  passed('sigstore/predicate', statement.predicateType)
  return { statement, ref, commit, logTime, logTimes, payload: bundle.envelope.payload, certificate }
}

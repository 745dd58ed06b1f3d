import { authenticateBundle } from './authenticate.ts'
import { readBundle } from './bundle-form.ts'
import { readFulcioCertificate } from './fulcio-certificate.ts'
import { SigstoreRefusal } from './refusal.ts'
import { readRegisters, readStatement, requirePredicateType, requireStatementType, requireSubject, STATEMENT_V1 } from './statement.ts'
import { listSteps, type SigstoreStep } from './steps.ts'
import { trustMaterialOf } from './trust-material.ts'
import type { Provenance, SigstoreInput, SigstoreResult } from './types.ts'
import {
  requireCommit, requireIssuer, requireRef, requireRepository, requireRunner, requireSourceRef, requireSourceRepository,
} from './workflow-identity.ts'

export { sigstorePlan } from './steps.ts'
export type { CodeRegisters, Provenance, SigstoreInput, SigstoreResult } from './types.ts'

/**
 * Judges the Sigstore bundle of a release: who built it, from what, when that was logged, and which measurements it must have.
 * It never throws: whatever is wrong with the input is a step that failed, by a `sigstore/…` code.
 */
export function verifySigstoreBundle(input: SigstoreInput): SigstoreResult {
  const observed = new Map<SigstoreStep, string>()
  try {
    const provenance = establish(input, (step, found) => observed.set(step, found))
    return { good: true, steps: listSteps(input, observed), provenance }
  } catch (error) {
    // Bytes that neither the library nor the schemas foresaw are no bundle.
    const refusal = error instanceof SigstoreRefusal ? error : new SigstoreRefusal('sigstore/bundle-malformed', 'a part that cannot be read')
    const steps = listSteps(input, observed, refusal)
    return { good: false, steps, failure: { step: steps.find(({ outcome }) => outcome === 'failed')?.id ?? 'sigstore/bundle', code: refusal.code } }
  }
}

function establish(input: SigstoreInput, passed: (step: SigstoreStep, found: string) => void): Provenance {
  const { policy, digest, now } = input
  const material = trustMaterialOf(input.trustedRoot)
  const bundle = readBundle(input.bundle)
  const certificate = readFulcioCertificate(bundle.certificate)

  const { times } = authenticateBundle(bundle, certificate, material, now)
  const logTime = Math.min(...times)
  passed('sigstore/timestamp', new Date(logTime).toISOString())
  passed('sigstore/certificate-log', certificate.sctLogs.join(', '))

  passed('sigstore/issuer', requireIssuer(certificate, policy))
  passed('sigstore/repository', requireRepository(certificate, policy))
  requireSourceRepository(certificate, policy)
  const ref = requireRef(certificate, policy)
  requireSourceRef(certificate)
  passed('sigstore/ref', ref)
  passed('sigstore/runner', requireRunner(certificate, policy.runnerEnvironment))
  const commit = requireCommit(certificate)
  passed('sigstore/commit', commit)

  const statement = readStatement(bundle.payload, bundle.payloadType)
  requireStatementType(statement, [STATEMENT_V1])
  requirePredicateType(statement, policy.predicateTypes)
  requireSubject(statement, digest)
  const registers = readRegisters(statement)
  passed('sigstore/predicate', statement.predicateType)
  passed('sigstore/measurements', Object.values(registers).join(', '))
  return {
    repository: policy.repository,
    tag: ref.slice(policy.refPrefix.length),
    commit,
    digest: digest.toLowerCase(),
    predicateType: statement.predicateType,
    registers,
    logTime,
    certificateNotBefore: certificate.notBefore,
    certificateNotAfter: certificate.notAfter,
  }
}

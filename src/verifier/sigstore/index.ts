import { msg } from '../message.ts'
import { legible, type Text } from '../text.ts'
import { authenticateStatement } from './authenticate-statement.ts'
import { SigstoreRefusal } from './refusal.ts'
import { readHardware, type HardwareEntry } from './hardware-statement.ts'
import { readRegisters } from './statement.ts'
import { listSteps, type SigstoreStep } from './steps.ts'
import type { Provenance, SigstoreInput, SigstoreResult } from './types.ts'

export { authenticateStatement, type AuthenticatedStatement } from './authenticate-statement.ts'
export { HARDWARE_PREDICATE, type HardwareEntry } from './hardware-statement.ts'
export { SigstoreRefusal } from './refusal.ts'
export { MULTI_PLATFORM_PREDICATE, readRegisters } from './statement.ts'
export {
  verifyReleaseFile,
  type FileProvenance,
  type ReleaseFileInput,
  type ReleaseFileResult,
} from './release-file.ts'
export { sigstorePlan } from './steps.ts'
export { readTrustedRoot } from './trusted-root.ts'
export { requireWorkflow } from './workflow-identity.ts'
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
    // Bytes that no reader foresaw are no bundle.
    const refusal =
      error instanceof SigstoreRefusal
        ? error
        : new SigstoreRefusal('sigstore/bundle-malformed', msg('a part that can’t be read'))
    const steps = listSteps(input, observed, refusal)
    return {
      good: false,
      steps,
      failure: {
        step: steps.find(({ outcome }) => outcome === 'failed')?.id ?? 'sigstore/bundle',
        code: refusal.code,
      },
    }
  }
}

/** What the signed list of virtual hardware says, once it was authenticated, or why it was not. */
export type HardwareResult =
  | { readonly good: true; readonly tag: string; readonly entries: readonly HardwareEntry[] }
  | { readonly good: false; readonly observed: Text }

/**
 * Judges the statement of the virtual hardware that a trust domain may start on, as strictly as that of a release.
 * @param tag the tag that the bundle claims for it: the certificate must name it
 */
export function verifyHardwareStatement(input: SigstoreInput, tag: string): HardwareResult {
  try {
    const { statement, ref } = authenticateStatement(input, () => undefined)
    const signed = ref.slice(input.policy.refPrefix.length)
    if (signed !== tag)
      return { good: false, observed: msg('a statement of {signed}, not of {tag}', { signed, tag }) }
    return { good: true, tag, entries: readHardware(statement, input.digest) }
  } catch (error) {
    return {
      good: false,
      observed:
        error instanceof SigstoreRefusal
          ? msg('{code}: {observed}', { code: error.code, observed: legible(error.observed) })
          : msg('a part that can’t be read'),
    }
  }
}

function establish(input: SigstoreInput, passed: (step: SigstoreStep, found: string) => void): Provenance {
  const { policy, digest } = input
  const { statement, ref, commit, logTime, certificate } = authenticateStatement(input, passed)
  const registers = readRegisters(statement)
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

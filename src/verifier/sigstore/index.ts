import { msg } from '../message.ts'
import { Steps } from '../steps.ts'
import { legible, type Text } from '../text.ts'
import { authenticateStatement } from './authenticate-statement.ts'
import { readHardware, type HardwareEntry } from './hardware-statement.ts'
import { readRegisters } from './statement.ts'
import { attempt, SigstoreRefusal } from './refusal.ts'
import { bundleSteps, type SigstoreStep } from './steps.ts'
import type { Provenance, SigstoreInput } from './types.ts'

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
export { readTrustedRoot } from './trusted-root.ts'
export { requireWorkflow } from './workflow-identity.ts'
export type { CodeRegisters, Provenance, SigstoreInput } from './types.ts'

/**
 * Verifies the Sigstore bundle of a release: its builder, its source, the time of its log entry, and the
 * measurements that it states. Each failure has its own code `sigstore/…`.
 */
export const sigstoreSteps = Steps.of<SigstoreInput>().include(
  bundleSteps,
  (input) => {
    const observed = new Map<SigstoreStep, string>()
    return { input, observed, ...attempt(() => ({ provenance: establish(input, observed) })) }
  },
  ({ release }) => ({ release }),
)

/** The content of the signed list of virtual hardware once it is authenticated, or why it wasn't. */
export type HardwareResult =
  | { readonly good: true; readonly tag: string; readonly entries: readonly HardwareEntry[] }
  | { readonly good: false; readonly observed: Text }

/**
 * Verifies the statement about the virtual hardware that a trust domain may start on, as strictly as the
 * statement about a release.
 *
 * @param tag the tag that the bundle claims for it; the certificate must name the same tag
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

function establish(input: SigstoreInput, observed: Map<SigstoreStep, string>): Provenance {
  const { policy, digest } = input
  const { statement, ref, commit, logTime, certificate } = authenticateStatement(input, (step, found) =>
    observed.set(step, found),
  )
  const registers = readRegisters(statement)
  observed.set('sigstore/measurements', Object.values(registers).join(', '))
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

import { attestationCodes } from '../../../verifier/types.ts'
import type { Proof } from '../../../shared/proof.ts'
import { releaseKey } from '../../../shared/release-key.ts'
import type { Verdict, VerdictStep } from '../../../shared/verdict.ts'
import { legible, msg } from '../../../verifier/index.ts'
import type { CollateralRecord } from '../../../shared/collateral-record.ts'
import type { CollateralMemory } from './amd-list-lookup.ts'
import type { Attempt } from './verdict-keeper.ts'

/** The enclave's releases that were seen, and the user's decisions on them. The store implements it. */
export interface ReleaseMemory {
  /** The newest release accepted for this enclave host; times in Unix ms. */
  newest(
    enclaveHost: string,
  ): { readonly tag: string; readonly digest: string; readonly logTime: number } | null
  /** Whether the user consented to this older release. */
  olderAccepted(enclaveHost: string, digest: string): boolean
  /** Whether a release that was never accepted here waits for the user's consent. */
  asksBeforeNew(): boolean
  /** Whether this release (as `releaseKey` names it) was accepted here before, or consented to. */
  trusted(enclaveHost: string, release: string): boolean
  /**
   * Stores a good verdict, before it takes effect. A memory that several processes share compares the release again
   * in the same transaction.
   * @throws {SottoError} store/…, database/…; attestation/older-release – another process accepted a newer one
   */
  record(verdict: Verdict, proof: Proof): void | Promise<void>
}

interface Remembered {
  readonly verdict: Verdict
  readonly proof: Proof
  /** The vendors' statements that the verdict used. */
  readonly used: readonly CollateralRecord[]
  readonly collateral: CollateralMemory
  readonly releases: ReleaseMemory
}

/** Creates an attempt that stores its statements, and its release if the verdict is good. */
export function attemptOf({ verdict, proof, used, collateral, releases }: Remembered): Attempt {
  return {
    verdict,
    proof,
    remember: () => {
      // Also stores those of a refused verdict. Otherwise older statements could later make the same evidence
      // good.
      const saving = collateral.record(used)
      const record = (): void | Promise<void> => (verdict.good ? releases.record(verdict, proof) : undefined)
      return saving ? saving.then(record) : record()
    },
  }
}

type CheckedStep = Pick<VerdictStep, 'required' | 'outcome' | 'expected' | 'observed' | 'code'>

const notOlder = { id: 'release/not-older', title: 'Release isn’t older than one accepted before' }
const trusted = { id: 'release/trusted', title: 'You trust this release' }

/**
 * Adds the last steps of a verdict, the only ones that depend on stored data. The untrusted service chooses
 * which release it shows. Genuine evidence of an old release is a rollback, and that of a new release is a
 * change that nobody here has reviewed. Adds `release/not-older` and `release/trusted`, which fail with
 * `release/older` and `release/not-yet-trusted`. If the verdict is already refused, it remains refused and
 * these steps aren't reached.
 */
export function compareRelease(verdict: Verdict, releases: ReleaseMemory): Verdict {
  const age = verdict.good ? checkReleaseAge(verdict, releases) : notReached(true)
  const trust =
    verdict.good && age.code === undefined
      ? checkTrust(verdict, releases)
      : notReached(releases.asksBeforeNew())
  const steps: VerdictStep[] = [
    { ...notOlder, ...age },
    { ...trusted, ...trust },
  ]
  const failed = steps.find(({ outcome }) => outcome === 'failed')
  return {
    ...verdict,
    steps: [...verdict.steps, ...steps],
    ...(failed?.code && {
      good: false,
      failure: { step: failed.id, code: failed.code, says: attestationCodes[failed.code] },
    }),
  }
}

function checkReleaseAge({ release, enclaveHost }: Verdict, releases: ReleaseMemory): CheckedStep {
  if (!release)
    return {
      required: false,
      outcome: 'not-checked',
      expected: msg('a release with the time at which it was logged'),
      observed: msg('evidence that names no release: the policy’s list of images decides'),
    }
  const newest = releases.newest(enclaveHost)
  const older =
    newest !== null && newest.digest !== release.digest && (release.loggedAt ?? 0) < newest.logTime
  const consented = older && releases.olderAccepted(enclaveHost, release.digest)
  return {
    required: true,
    outcome: older && !consented ? 'failed' : 'passed',
    expected: newest
      ? msg('{tag}, or newer', { tag: newest.tag })
      : msg('any, because no earlier release was accepted on this computer'),
    observed: consented ? msg('{tag}, older, with your consent', { tag: release.tag }) : legible(release.tag),
    ...(older && !consented && { code: 'release/older' }),
  }
}

function checkTrust(verdict: Verdict, releases: ReleaseMemory): CheckedStep {
  if (!releases.asksBeforeNew()) {
    return {
      required: false,
      outcome: 'not-checked',
      expected: msg('any release'),
      observed: msg('approval of new releases is off'),
    }
  }
  const release = releaseKey(verdict)
  const known = release !== undefined && releases.trusted(verdict.enclaveHost, release)
  return {
    required: true,
    outcome: known ? 'passed' : 'failed',
    expected: msg('a release that was accepted here before, or that you consented to'),
    observed: legible(
      verdict.release
        ? `${verdict.release.tag}, ${verdict.release.digest}`
        : (verdict.measurement ?? msg('nothing that could be trusted')),
    ),
    ...(!known && { code: 'release/not-yet-trusted' }),
  }
}

function notReached(required: boolean): CheckedStep {
  return { required, outcome: 'not-reached', expected: [], observed: [] }
}

import type { AttestationCode } from '../codes.ts'
import type { CodePolicy, NonceBoundPolicy } from '../policy.ts'
import { msg } from '../message.ts'
import type { JsonObject } from '../strict-json.ts'
import type { Checklist } from '../checklist.ts'
import { readRegisters, SigstoreRefusal, type CodeRegisters } from '../sigstore/index.ts'
import { isoTime, type Text } from '../text.ts'
import { authenticateArtifact, authenticateWitness, type Artifact } from './artifact.ts'
import type { SignedArtifact, V3Collateral } from './collateral.ts'
import { WITNESS_MS, witnessFault } from './freshness.ts'
import type { V3Step } from './plan.ts'
import {
  readEndorsements,
  readVmShape,
  type PlatformEndorsements,
  type VmShape,
} from './platform-endorsements.ts'

/** How far ahead of ours the log's clock may run. */
const CLOCK_SKEW_MS = 5 * 60_000

export interface Signers extends Pick<NonceBoundPolicy, 'platformEndorsements' | 'freshnessWitness'> {
  readonly code: CodePolicy
  readonly trustedRoot: string
  /** Unix ms. */
  readonly now: number
}

/** What the publisher signed: the release, the machines that it may run on, and until when both count as in use. */
export interface Statements {
  readonly release: Artifact
  readonly registers: CodeRegisters
  readonly shape: VmShape
  readonly endorsements: PlatformEndorsements
  /** Unix ms: seven days after the earlier witness. */
  readonly expiresAt: number
}

/** Authenticates all four statements. Ends at the first failure. */
export function checkStatements(
  checks: Checklist<V3Step>,
  collateral: V3Collateral,
  signers: Signers,
): Statements {
  const { release, registers, shape } = checkCode(checks, collateral.code, signers)
  const codeWitness = checkWitness(checks, 'v3/code-freshness', collateral.codeFreshness, release, signers)
  const { list, endorsements } = checkPlatform(checks, collateral.platform, signers)
  const platformWitness = checkWitness(
    checks,
    'v3/platform-freshness',
    collateral.platformFreshness,
    list,
    signers,
  )
  return {
    release,
    registers,
    shape,
    endorsements,
    expiresAt: Math.min(codeWitness, platformWitness) + WITNESS_MS,
  }
}

function checkCode(
  checks: Checklist<V3Step>,
  entry: SignedArtifact | undefined,
  signers: Signers,
): Pick<Statements, 'release' | 'registers' | 'shape'> {
  const expected = msg('a signed release of {repository}', { repository: signers.code.repository })
  if (!entry) return checks.fail('v3/code', 'collateral/missing', expected, msg('none'))
  const { release, registers } = orRefuse(checks, 'v3/code', expected, () => {
    const artifact = authenticateArtifact(entry, signers.code, signers)
    return { release: artifact, registers: readRegisters(artifact.signed.statement) }
  })
  const shape = readVmShape(release.statement.predicate)
  if ('fault' in shape) return checks.fail('v3/code', 'code/predicate', expected, shape.fault)
  checks.pass('v3/code', expected, `${release.tag}, ${release.digest}`)
  return { release, registers, shape: shape.value }
}

function checkPlatform(
  checks: Checklist<V3Step>,
  entry: SignedArtifact | undefined,
  signers: Signers,
): { list: Artifact; endorsements: PlatformEndorsements } {
  const { platformEndorsements: policy } = signers
  const expected = msg('a signed list of {repository}', { repository: policy.repository })
  if (!entry) return checks.fail('v3/platform', 'collateral/missing', expected, msg('none'))
  const list = orRefuse(checks, 'v3/platform', expected, () => authenticateArtifact(entry, policy, signers))
  const read = readEndorsements(list.statement.predicate)
  if ('fault' in read)
    return checks.fail(
      'v3/platform',
      read.unknownRule ? 'platform/policy-unsupported' : 'platform/policy-malformed',
      expected,
      read.fault,
    )
  checks.pass('v3/platform', expected, `${list.tag}, ${list.digest}`)
  return { list, endorsements: read.value }
}

/** @returns when the log recorded the witness (Unix ms) */
function checkWitness(
  checks: Checklist<V3Step>,
  step: 'v3/code-freshness' | 'v3/platform-freshness',
  bundle: JsonObject | undefined,
  artifact: Artifact,
  signers: Signers,
): number {
  const { freshnessWitness: policy, now } = signers
  const expected = msg('a confirmation of {tag} after {time}', {
    tag: artifact.tag,
    time: isoTime(now - WITNESS_MS),
  })
  if (!bundle) return checks.fail(step, 'collateral/missing', expected, msg('none'))
  const { statement, loggedAt } = orRefuse(checks, step, expected, () =>
    authenticateWitness(bundle, artifact, policy, signers),
  )
  const other = witnessFault(statement, artifact)
  if (other) return checks.fail(step, 'freshness/artifact-mismatch', expected, other)
  if (loggedAt === undefined) return checks.fail(step, 'freshness/no-log-time', expected, msg('no time'))
  checks.record(step, ageFault(loggedAt, now), expected, isoTime(loggedAt))
  return loggedAt
}

/** A witness counts for exactly seven days. */
function ageFault(loggedAt: number, now: number): AttestationCode | undefined {
  if (loggedAt > now + CLOCK_SKEW_MS) return 'freshness/future'
  return now - loggedAt > WITNESS_MS ? 'freshness/stale' : undefined
}

function orRefuse<T>(checks: Checklist<V3Step>, step: V3Step, expected: Text, authenticate: () => T): T {
  try {
    return authenticate()
  } catch (error) {
    if (error instanceof SigstoreRefusal) return checks.fail(step, error.code, expected, error.observed)
    throw error
  }
}

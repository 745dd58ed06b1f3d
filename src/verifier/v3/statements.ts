import type { AttestationCode } from '../codes.ts'
import type { CodePolicy, NonceBoundPolicy } from '../policy.ts'
import { msg } from '../message.ts'
import type { JsonObject } from '../strict-json.ts'
import { readRegisters, SigstoreRefusal, type CodeRegisters } from '../sigstore/index.ts'
import { fail, passed, passUnless, Steps, type Finding } from '../steps.ts'
import { isoTime, type Text } from '../text.ts'
import { authenticateArtifact, authenticateWitness, type Artifact } from './artifact.ts'
import type { SignedArtifact, V3Collateral } from './collateral.ts'
import { WITNESS_MS, witnessFault } from './freshness.ts'
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

/**
 * The publisher's signed statements: the release, the machines that it may run on, and until when both count
 * as in use.
 */
export interface Statements {
  readonly release: Artifact
  readonly registers: CodeRegisters
  readonly shape: VmShape
  readonly endorsements: PlatformEndorsements
  /** Unix ms: seven days after the earlier witness. */
  readonly expiresAt: number
}

interface StatementInput {
  readonly collateral: V3Collateral
  readonly signers: Signers
}

/** Authenticates the release, the list of servers, and the witness of each. */
export const statementSteps = Steps.of<StatementInput>()
  .add({
    id: 'v3/code',
    title: 'Release in the fresh evidence is signed by its publisher',
    run: ({ collateral, signers }) => readCode(collateral.code, signers),
  })
  .add({
    id: 'v3/code-freshness',
    title: 'Publisher confirmed this release within seven days',
    run({ collateral, release, signers }) {
      const { loggedAt, ...finding } = checkWitness(collateral.codeFreshness, release, signers)
      return { ...finding, added: { codeWitness: loggedAt } }
    },
  })
  .add({
    id: 'v3/platform',
    title: 'List of servers is signed by the publisher',
    run: ({ collateral, signers }) => readPlatform(collateral.platform, signers),
  })
  .add({
    id: 'v3/platform-freshness',
    title: 'Publisher confirmed the list of servers within seven days',
    run({ collateral, list, release, registers, shape, endorsements, codeWitness, signers }) {
      const { loggedAt, ...finding } = checkWitness(collateral.platformFreshness, list, signers)
      const expiresAt = Math.min(codeWitness, loggedAt) + WITNESS_MS
      const statements: Statements = { release, registers, shape, endorsements, expiresAt }
      return { ...finding, added: { statements } }
    },
  })

function readCode(
  entry: SignedArtifact | undefined,
  signers: Signers,
): Finding<Pick<Statements, 'release' | 'registers' | 'shape'>> {
  const expected = msg('a signed release of {repository}', { repository: signers.code.repository })
  if (!entry) return fail('collateral/missing', expected, msg('none'))
  const { release, registers } = orRefuse(expected, () => {
    const artifact = authenticateArtifact(entry, signers.code, signers)
    return { release: artifact, registers: readRegisters(artifact.signed.statement) }
  })
  const shape = readVmShape(release.statement.predicate)
  if ('fault' in shape) return fail('code/predicate', expected, shape.fault)
  return passed(expected, `${release.tag}, ${release.digest}`, { release, registers, shape: shape.value })
}

function readPlatform(
  entry: SignedArtifact | undefined,
  signers: Signers,
): Finding<{ readonly list: Artifact; readonly endorsements: PlatformEndorsements }> {
  const { platformEndorsements: policy } = signers
  const expected = msg('a signed list of {repository}', { repository: policy.repository })
  if (!entry) return fail('collateral/missing', expected, msg('none'))
  const list = orRefuse(expected, () => authenticateArtifact(entry, policy, signers))
  const read = readEndorsements(list.statement.predicate)
  if ('fault' in read)
    return fail(
      read.unknownRule ? 'platform/policy-unsupported' : 'platform/policy-malformed',
      expected,
      read.fault,
    )
  return passed(expected, `${list.tag}, ${list.digest}`, { list, endorsements: read.value })
}

/** @returns also when the log recorded the witness (Unix ms) */
function checkWitness(
  bundle: JsonObject | undefined,
  artifact: Artifact,
  signers: Signers,
): Finding & { readonly loggedAt: number } {
  const { freshnessWitness: policy, now } = signers
  const expected = msg('a confirmation of {tag} after {time}', {
    tag: artifact.tag,
    time: isoTime(now - WITNESS_MS),
  })
  if (!bundle) return fail('collateral/missing', expected, msg('none'))
  const { statement, loggedAt } = orRefuse(expected, () =>
    authenticateWitness(bundle, artifact, policy, signers),
  )
  const other = witnessFault(statement, artifact)
  if (other) return fail('freshness/artifact-mismatch', expected, other)
  if (loggedAt === undefined) return fail('freshness/no-log-time', expected, msg('no time'))
  return { ...passUnless(ageFault(loggedAt, now), expected, isoTime(loggedAt)), loggedAt }
}

/** A witness counts for exactly seven days. */
function ageFault(loggedAt: number, now: number): AttestationCode | undefined {
  if (loggedAt > now + CLOCK_SKEW_MS) return 'freshness/future'
  return now - loggedAt > WITNESS_MS ? 'freshness/stale' : undefined
}

function orRefuse<T>(expected: Text, authenticate: () => T): T {
  try {
    return authenticate()
  } catch (error) {
    if (error instanceof SigstoreRefusal) return fail(error.code, expected, error.observed)
    throw error
  }
}

import { createHash } from 'node:crypto'
import {
  platformPredicateType,
  platformRepository,
  predicateType,
  repository,
  witnessPredicateType,
  witnessRepository,
  day,
} from '../../profile.ts'
import type { CollateralItem } from '../evidence.ts'
import type { SigstoreBundle } from '../provenance.ts'
import { codePredicate, deploymentDigest, deploymentFileName } from '../release.ts'
import type { MintingWorld } from './document-desk.ts'
import { platformEndorsements, type PlatformEndorsements } from './platform-policies.ts'
import { signStatement, type Artifact, type StatementChanges } from './signed-statement.ts'

interface EndorsementChanges extends StatementChanges {
  readonly predicate?: (predicate: PlatformEndorsements) => object
}

export interface WitnessChanges extends StatementChanges {
  /** The witness's replacement of the artifact. */
  readonly artifact?: Partial<Artifact>
}

/** A test's changes to the four signed entries. */
export interface ReferenceChanges {
  readonly code?: StatementChanges
  readonly platform?: EndorsementChanges
  readonly codeWitness?: WitnessChanges
  readonly platformWitness?: WitnessChanges
}

interface Signed {
  readonly artifact: Artifact
  readonly bundle: SigstoreBundle
}

/**
 * The four signed entries of a document: the release's measurements, the endorsed machines, and a witness of each.
 * The witnesses name the artifacts as they were signed, and are logged now unless the changes say otherwise.
 */
export function mintReferenceValues(world: MintingWorld, changes: ReferenceChanges = {}): CollateralItem[] {
  const code = signCode(world, changes.code)
  const platform = signPlatform(world, changes.platform)
  return [
    releaseEntry('code', 'sigstore-code', code),
    releaseEntry('platform-endorsements', 'sigstore-platform', platform),
    witnessEntry('code-freshness', signWitness(world, code.artifact, changes.codeWitness)),
    witnessEntry('platform-freshness', signWitness(world, platform.artifact, changes.platformWitness)),
  ]
}

function signCode(world: MintingWorld, changes: StatementChanges = {}): Signed {
  const { release, faults } = world
  const run = {
    repository: faults.has('wrong-repository') ? 'somebody-else/enclave' : repository,
    tag: release.tag,
    commit: release.commit,
    ...changes.run,
  }
  const file = { fileName: deploymentFileName, digest: deploymentDigest(release) }
  const bundle = signStatement(
    world,
    { run, ...file, predicateType, predicate: codePredicate(release), loggedAt: release.loggedAt },
    changes,
  )
  return { artifact: artifactOf(run, file), bundle }
}

const platformTag = 'v0.0.9'
const platformCommit = createHash('sha1').update('sotto-sandbox platform endorsements').digest('hex')
const platformLoggedAt = Date.UTC(2025, 0, 20)

function signPlatform(world: MintingWorld, changes: EndorsementChanges = {}): Signed {
  const current = platformEndorsements(world.roots)
  const endorsed = world.faults.has('v3-machine-unknown') ? withoutMachine(current, world) : current
  const predicate = changes.predicate?.(endorsed) ?? endorsed
  const run = { repository: platformRepository, tag: platformTag, commit: platformCommit, ...changes.run }
  const file = {
    fileName: 'platform-endorsements.json',
    digest: createHash('sha256').update(JSON.stringify(predicate)).digest('hex'),
  }
  const bundle = signStatement(
    world,
    { run, ...file, predicateType: platformPredicateType, predicate, loggedAt: platformLoggedAt },
    changes,
  )
  return { artifact: artifactOf(run, file), bundle }
}

function withoutMachine(
  endorsements: PlatformEndorsements,
  { roots: { chipId, ppid } }: MintingWorld,
): PlatformEndorsements {
  const machineIds = new Set([chipId.toString('hex'), ppid.toString('hex')])
  return {
    ...endorsements,
    machines: Object.fromEntries(
      Object.entries(endorsements.machines).filter(([machine]) => !machineIds.has(machine)),
    ),
  }
}

function artifactOf(
  { repository, tag, commit }: Pick<Artifact, 'repository' | 'tag' | 'commit'>,
  file: Pick<Artifact, 'fileName' | 'digest'>,
): Artifact {
  return { repository, tag, commit, ...file }
}

const witnessCommit = createHash('sha1').update('sotto-sandbox freshness witness').digest('hex')

function signWitness(world: MintingWorld, artifact: Artifact, changes: WitnessChanges = {}): SigstoreBundle {
  const { repository: repo, tag, commit, fileName, digest } = { ...artifact, ...changes.artifact }
  return signStatement(
    world,
    {
      run: {
        repository: witnessRepository,
        tag: 'main',
        ref: 'refs/heads/main',
        workflow: 'freshness.yml',
        commit: witnessCommit,
      },
      fileName,
      digest,
      predicateType: witnessPredicateType,
      predicate: {
        format: witnessPredicateType,
        endorses: { repo, tag, commit, subject: { name: fileName, digest: `sha256:${digest}` } },
      },
      loggedAt: world.now - (world.faults.has('v3-stale-witness') ? 8 * day : 0),
    },
    changes,
  )
}

function releaseEntry(id: string, format: string, { artifact, bundle }: Signed): CollateralItem {
  const { repository: repo, tag, digest } = artifact
  return {
    id,
    role: 'reference-values',
    format: `https://tinfoil.sh/collateral/${format}/v1`,
    data: { repo, tag, digest, sigstore_bundle: bundle },
  }
}

function witnessEntry(id: 'code-freshness' | 'platform-freshness', bundle: SigstoreBundle): CollateralItem {
  return {
    id,
    role: 'reference-values',
    format: 'https://tinfoil.sh/collateral/sigstore-freshness/v1',
    data: { sigstore_bundle: bundle },
  }
}

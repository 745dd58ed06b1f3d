import { createHash } from 'node:crypto'
import { serviceEnclaveRepository } from '../../profile.ts'
import type { NitroImage } from '../aws/document.ts'
import { fulcioKeys } from '../evidence.ts'
import type { SigstoreBundle } from '../provenance.ts'
import { rekorOf } from '../rekor.ts'
import type { Roots } from '../roots.ts'
import { signStatement, type StatementChanges } from '../v3/signed-statement.ts'
import { builtAt, publishedImage, registersOf, sourceCommit } from './image-record.ts'

const predicateType = 'https://slsa.dev/provenance/v1'
const workflow = 'enclave-build.yml'
const ref = 'refs/heads/main'

/** The provenance of an image: the build's file, and the signed and logged statement about its bytes. */
export interface ServiceEnclaveProvenance {
  /** `PCR.json`. */
  readonly file: Uint8Array
  /** Its subject is the SHA-256 of the file. */
  readonly bundle: SigstoreBundle
}

interface ProvenanceRequest {
  readonly roots: Roots
  /** Unix ms. */
  readonly now: number
  /** The published image if missing. */
  readonly image?: NitroImage
}

/**
 * Signs and logs the provenance of an image, like the publisher's workflow. @param changes a test's changes
 * to the statement
 */
export function mintServiceEnclaveProvenance(
  { roots, now, image = publishedImage }: ProvenanceRequest,
  changes: StatementChanges = {},
): ServiceEnclaveProvenance {
  const file = registersFile(image)
  const bundle = signStatement(
    { fulcio: fulcioKeys(roots), rekor: rekorOf(roots) },
    {
      run: { repository: serviceEnclaveRepository, tag: 'main', ref, workflow, commit: sourceCommit },
      fileName: 'PCR.json',
      digest: createHash('sha256').update(file).digest('hex'),
      predicateType,
      predicate: buildPredicate,
      loggedAt: builtAt(now),
    },
    changes,
  )
  return { file, bundle }
}

/** The file that the workflow writes after a build. */
function registersFile(image: NitroImage): Buffer {
  const digest = (part: string) =>
    `sha256:${createHash('sha256').update(`sotto-sandbox service enclave ${part}`).digest('hex')}`
  const { pcr0, pcr1, pcr2 } = registersOf(image)
  return Buffer.from(
    `${JSON.stringify(
      {
        node_base: digest('node'),
        go_base: digest('go'),
        al2_base: digest('al2'),
        debian_snapshot: '20260901T000000Z',
        PCR0: pcr0,
        PCR1: pcr1,
        PCR2: pcr2,
      },
      null,
      2,
    )}\n`,
  )
}

const source = `https://github.com/${serviceEnclaveRepository}`

/** SLSA provenance v1 in the form that GitHub's builder writes. */
const buildPredicate = {
  buildDefinition: {
    buildType: 'https://actions.github.io/buildtypes/workflow/v1',
    externalParameters: { workflow: { ref, repository: source, path: `.github/workflows/${workflow}` } },
    internalParameters: { github: { event_name: 'push', runner_environment: 'github-hosted' } },
    resolvedDependencies: [{ uri: `git+${source}@${ref}`, digest: { gitCommit: sourceCommit } }],
  },
  runDetails: {
    builder: { id: `${source}/.github/workflows/${workflow}@${ref}` },
    metadata: { invocationId: `${source}/actions/runs/21000000001/attempts/1` },
  },
}

import { createHash } from 'node:crypto'
import { serviceEnclaveRepository, day } from '../../profile.ts'
import { imageOf, type NitroImage } from '../aws/document.ts'

const version = 'v0.13.0'

/** PCR1 measures the kernel and boot files of one version of the build tool: it's the same in every image. */
const kernel = imageOf('the service’s enclave').pcr1

function serviceImage(build: string): NitroImage {
  return { ...imageOf(`the service’s enclave ${build}`), pcr1: kernel }
}

/** The image that the record names. */
export const publishedImage = serviceImage(version)
/** An image that no record names. */
export const unpublishedImage = serviceImage('from a build that was never published')

/** The commit that the published image is built from, 40 hex digits. */
export const sourceCommit = createHash('sha1')
  .update(`sotto-sandbox service enclave ${version}`)
  .digest('hex')

/** When the published image was built and logged: the start of the day in UTC. @param now Unix ms @returns Unix ms */
export function builtAt(now: number): number {
  return Math.floor(now / day) * day
}

/** The image's registers, in lowercase hex. */
export function registersOf({ pcr0, pcr1, pcr2 }: NitroImage): {
  readonly pcr0: string
  readonly pcr1: string
  readonly pcr2: string
} {
  return { pcr0: pcr0.toString('hex'), pcr1: pcr1.toString('hex'), pcr2: pcr2.toString('hex') }
}

/**
 * The service's record of its images: unsigned, as it's published.
 * @param now Unix ms
 * @param older dates the record 30 days back, as if an old version were served again
 * @returns JSON text
 */
export function imageRecord(now: number, older: boolean): string {
  const updated = new Date(builtAt(now) - (older ? 30 * day : 0)).toISOString().slice(0, 10)
  const registers = registersOf(publishedImage)
  return `${JSON.stringify(
    {
      _comment: ['Images of the sandbox’s service enclave. They are simulated.'],
      updated,
      current: { version, date: updated, source_commit: sourceCommit.slice(0, 7), ...registers },
      accepted_pcr0: [registers.pcr0],
      provenance: {
        repo: serviceEnclaveRepository,
        workflow: '.github/workflows/enclave-build.yml',
        verify: `gh attestation verify PCR.json --repo ${serviceEnclaveRepository}`,
      },
    },
    null,
    2,
  )}\n`
}

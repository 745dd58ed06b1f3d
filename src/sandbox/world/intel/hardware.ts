import { createHash } from 'node:crypto'
import { hardwarePredicateType } from '../../profile.ts'
import { statement, type SignedRelease } from '../provenance.ts'

/** What a TD measures of the virtual machine that it was started on, before any code of its own. */
export interface Hardware {
  /** 48 bytes: the virtual firmware. */
  readonly mrtd: Buffer
  /** 48 bytes: how the firmware was set up, with processors and memory. */
  readonly rtmr0: Buffer
}

/** Stands for what the host of one kind of virtual machine measures. */
export function hardwareOf(kind: string): Hardware {
  const measured = (register: string) =>
    createHash('sha384').update(`sotto-sandbox ${register} of ${kind}`).digest()
  return { mrtd: measured('mrtd'), rtmr0: measured('rtmr0') }
}

export const enclaveHardware = 'sotto-sandbox-large'
const listed = ['sotto-sandbox-small', enclaveHardware, 'sotto-sandbox-gpu']

const tag = 'v0.0.7'
const commit = createHash('sha1').update('sotto-sandbox hardware measurements').digest('hex')
const predicate = Object.fromEntries(
  listed.map((kind) => {
    const { mrtd, rtmr0 } = hardwareOf(kind)
    return [kind, { mrtd: mrtd.toString('hex'), rtmr0: rtmr0.toString('hex') }]
  }),
)

/** SHA-256 (hex) of the list as a file: the subject of its statement. */
export const hardwareDigest = createHash('sha256').update(JSON.stringify(predicate)).digest('hex')

/** The kinds of virtual machine that an enclave may be started on, as a workflow signed and logged them. */
export function hardwareRelease(repository: string): SignedRelease {
  return {
    repository,
    tag,
    commit,
    loggedAt: Date.UTC(2025, 0, 15),
    statement: statement({
      fileName: 'hardware-measurements.json',
      digest: hardwareDigest,
      predicateType: hardwarePredicateType,
      predicate,
    }),
  }
}

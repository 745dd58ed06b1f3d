import { createHash } from 'node:crypto'
import { boolean, enumerated, integer, octetString, oid, sequence } from '../../der/der.ts'
import { hardwarePredicateType } from '../../profile.ts'
import { statement, type SignedRelease } from '../provenance.ts'

/** Intel's identity of a machine, and its firmware versions. */
export interface Machine {
  /** 16 bytes: its provisioning id. */
  readonly ppid: Uint8Array
  /** 16 bytes. */
  readonly instanceId: Uint8Array
}

/** 6 bytes: family, model, stepping and kind of platform. Intel's information on TCBs is about one of these. */
export const fmspc = Buffer.from('b0c06f000000', 'hex')
export const pceId = Buffer.from('0000', 'hex')

/** Security version of each of the 16 components of SGX's TCB, and of the provisioning certification enclave. */
const sgxComponents: readonly number[] = [3, 3, 2, 2, 4, 1, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0]
export const pceSvn = 11
const cpuSvn = Buffer.from('03030202040100050000000000000000', 'hex')

/** TEE_TCB_SVN: the TDX module's version and major version, then the processor's microcode. */
export const currentTeeTcb = Buffer.from('06010300000000000000000000000000', 'hex')
export const oldTeeTcb = Buffer.from('02010300000000000000000000000000', 'hex')

export const sgxExtensionId = '1.2.840.113741.1.13.1'
const scalable = 1

/** Intel SGX PCK certificate specification, section 1.3.5. */
export function sgxExtension(machine: Machine): Buffer {
  const field = (arc: string, value: Buffer) => sequence(oid(`${sgxExtensionId}.${arc}`), value)
  return sequence(
    field('1', octetString(machine.ppid)),
    field(
      '2',
      sequence(
        ...sgxComponents.map((svn, index) => field(`2.${index + 1}`, integer(svn))),
        field('2.17', integer(pceSvn)),
        field('2.18', octetString(cpuSvn)),
      ),
    ),
    field('3', octetString(pceId)),
    field('4', octetString(fmspc)),
    field('5', enumerated(scalable)),
    field('6', octetString(machine.instanceId)),
    // Dynamic platform, cached keys, and SMT on.
    field('7', sequence(...[1, 2, 3].map((arc) => field(`7.${arc}`, boolean(true))))),
  )
}

/** A TD's measurement of its virtual machine before any code of the TD. */
export interface Hardware {
  /** 48 bytes: the virtual firmware. */
  readonly mrtd: Buffer
  /** 48 bytes: how the firmware was set up, with processors and memory. */
  readonly rtmr0: Buffer
}

/** The measurements of the host for one kind of virtual machine. */
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

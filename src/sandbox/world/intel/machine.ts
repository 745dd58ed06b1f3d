import { boolean, enumerated, integer, octetString, oid, sequence } from '../../der/der.ts'

/** What Intel knows a machine by, and how new its firmware is. */
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

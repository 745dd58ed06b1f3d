import { currentTcb } from '../amd.ts'
import { evaluationNumber, mrSeam, tdAttributes, xfam } from '../intel/quoting-enclave.ts'
import { enclaveHardware, hardwareOf } from '../intel/machine.ts'
import { intelVendor } from '../intel/quote.ts'
import type { Roots } from '../roots.ts'
import { vmShape } from '../release.ts'

/** The predicate of the publisher's platform endorsements: which machines it runs, and what each must prove. */
export interface PlatformEndorsements {
  readonly format: string
  readonly measurements: Readonly<Record<string, object>>
  /** By CHIP_ID or PPID in lowercase hex: the name of a policy. */
  readonly machines: Readonly<Record<string, string>>
  readonly policies: Readonly<Record<string, object>>
}

const genoaPolicyName = 'sandbox-genoa'
const tdxPolicyName = 'sandbox-tdx'

const levels = ({ bootloader, tee, snp, microcode }: typeof currentTcb) => ({
  bl_spl: bootloader,
  tee_spl: tee,
  snp_spl: snp,
  ucode_spl: microcode,
})

const commonSevRules = {
  minimum_abi_version: '0.0',
  minimum_guest_svn: 0,
  guest_policy: { debug: false, smt: true, migrate_ma: false, single_socket: false },
  permit_provisional_firmware: false,
  vmpl: 0,
  host_data: '00'.repeat(32),
  image_id: '00'.repeat(16),
  family_id: '00'.repeat(16),
  minimum_launch_mitigation_vector: 0,
  minimum_current_mitigation_vector: 0,
}

/** The exact values of the sandbox's report. */
const genoaPolicy = {
  platform: 'sev-snp',
  sev_snp: {
    ...commonSevRules,
    minimum_build: 40,
    minimum_api_version: '1.55',
    minimum_tcb: levels(currentTcb),
    minimum_launch_tcb: levels(currentTcb),
    platform_info: {
      smt_enabled: true,
      tsme_enabled: true,
      ecc_enabled: true,
      rapl_disabled: false,
      ciphertext_hiding_dram: false,
      alias_check_complete: true,
    },
  },
}

/** The levels of another machine of the publisher: a Turin, which has one more patch level. */
const turinLevels = { fmc_spl: 1, bl_spl: 1, tee_spl: 1, snp_spl: 4, ucode_spl: 82 }
const turinPolicy = {
  platform: 'sev-snp',
  sev_snp: {
    ...commonSevRules,
    minimum_build: 0,
    minimum_api_version: '1.58',
    minimum_tcb: turinLevels,
    minimum_launch_tcb: turinLevels,
    platform_info: {
      smt_enabled: false,
      tsme_enabled: false,
      ecc_enabled: true,
      rapl_disabled: false,
      ciphertext_hiding_dram: false,
      alias_check_complete: true,
      tio_enabled: false,
      iommu_write_safe: true,
    },
  },
}

const smallHardware = 'sotto-sandbox-small'
const gpuHardware = 'sotto-sandbox-gpu'

const tdxPolicy = {
  platform: 'tdx',
  tdx: {
    qe_vendor_id: intelVendor.toString('hex'),
    minimum_tee_tcb_svn: '03010200000000000000000000000000',
    mr_seam: mrSeam.toString('hex'),
    td_attributes: tdAttributes.toString('hex'),
    xfam: xfam.toString('hex'),
    minimum_tcb_evaluation_data_number: evaluationNumber,
    platform_measurements: [smallHardware, enclaveHardware],
  },
}

function measurement(kind: string, shape: object): object {
  const { mrtd, rtmr0 } = hardwareOf(kind)
  return { mrtd: mrtd.toString('hex'), rtmr0: rtmr0.toString('hex'), shape }
}

const { cpus, memory_mb, disks } = vmShape
const measurements = {
  [smallHardware]: measurement(smallHardware, { cpus: 2, memory_mb: 4096, disks: 3 }),
  [enclaveHardware]: {
    ...measurement(enclaveHardware, { cpus, memory_mb, disks }),
    stack: { qemu: '9.2.1', ovmf: '2025.02' },
  },
  [gpuHardware]: measurement(gpuHardware, { cpus: 32, memory_mb: 262144, disks: 3, gpus: 1 }),
}

/** The id of a Turin: eight bytes, then zeros. */
const turinMachine = `6ba1f00dcafe0123${'00'.repeat(56)}`

/** The endorsements of these roots' two machines and of one more. */
export function platformEndorsements({ chipId, ppid }: Pick<Roots, 'chipId' | 'ppid'>): PlatformEndorsements {
  return {
    format: 'https://tinfoil.sh/predicate/platform-endorsements/v1',
    measurements,
    machines: {
      [chipId.toString('hex')]: genoaPolicyName,
      [turinMachine]: 'sandbox-turin',
      [ppid.toString('hex')]: tdxPolicyName,
    },
    policies: { [genoaPolicyName]: genoaPolicy, 'sandbox-turin': turinPolicy, [tdxPolicyName]: tdxPolicy },
  }
}

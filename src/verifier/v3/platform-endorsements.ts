import { z } from 'zod'
import { placeOf } from './document.ts'
import { hexOf, text } from './schema.ts'

/** The machines that the publisher runs, and the values that each must report. */
const PLATFORM_ENDORSEMENTS = 'https://tinfoil.sh/predicate/platform-endorsements/v1'

const integer = (most: bigint) => z.bigint().min(0n).max(most)
const u8 = integer(0xffn)
const u32 = integer(0xffff_ffffn)
const u64 = integer(0xffff_ffff_ffff_ffffn)
const version = z
  .string()
  .regex(/^\d{1,3}\.\d{1,3}$/)
  .transform((value) => {
    const [major = 0, minor = 0] = value.split('.').map(Number)
    return { major, minor }
  })
const tcb = z.strictObject({ bl_spl: u8, tee_spl: u8, snp_spl: u8, ucode_spl: u8, fmc_spl: u8.optional() })
const flag = z.boolean()
/** A flag that the policy omits is off. */
const off = flag.default(false)

/** Marks a rule that no step here checks. Only a newer version may apply such a policy. */
const UNKNOWN_RULE = 'unknown-rule'
const notRequired = z.literal(false, { error: UNKNOWN_RULE }).optional()

const sevSchema = z.strictObject({
  minimum_build: u8,
  minimum_api_version: version,
  minimum_abi_version: version,
  minimum_guest_svn: u32,
  minimum_tcb: tcb,
  minimum_launch_tcb: tcb,
  guest_policy: z.strictObject({
    debug: flag,
    smt: flag,
    migrate_ma: flag,
    single_socket: flag,
    cxl_allowed: off,
    mem_aes256_xts: off,
    rapl_dis: off,
    ciphertext_hiding_dram: off,
    page_swap_disable: off,
  }),
  platform_info: z.strictObject({
    smt_enabled: flag,
    tsme_enabled: flag,
    ecc_enabled: flag,
    rapl_disabled: flag,
    ciphertext_hiding_dram: flag,
    alias_check_complete: off,
    tio_enabled: off,
    iommu_write_safe: off,
  }),
  permit_provisional_firmware: flag,
  vmpl: integer(3n),
  host_data: hexOf(32),
  image_id: hexOf(16),
  family_id: hexOf(16),
  minimum_launch_mitigation_vector: u64,
  minimum_current_mitigation_vector: u64,
  require_author_key: notRequired,
  require_id_block: notRequired,
})
export type EndorsedSev = z.infer<typeof sevSchema>

const tdxSchema = z.strictObject({
  qe_vendor_id: hexOf(16),
  minimum_tee_tcb_svn: hexOf(16),
  mr_seam: hexOf(48),
  td_attributes: hexOf(8),
  xfam: hexOf(8),
  minimum_tcb_evaluation_data_number: u32,
  platform_measurements: z.array(text).min(1),
})
export type EndorsedTdx = z.infer<typeof tdxSchema>

const MAX_ENTRIES = 4096
const entries = <Key extends z.ZodString, Value extends z.ZodType>(key: Key, value: Value) =>
  z.record(key, value).refine((record) => Object.keys(record).length <= MAX_ENTRIES)

const shape = { cpus: u32, memory_mb: u32, disks: u32 }
const measurementSchema = z.strictObject({
  mrtd: hexOf(48),
  rtmr0: hexOf(48),
  shape: z.strictObject({ ...shape, gpus: u32.optional() }),
  stack: z.strictObject({ qemu: z.string(), ovmf: z.string() }).optional(),
})
export type EndorsedMeasurement = z.infer<typeof measurementSchema>

/** Hex length of a machine's identity: AMD's chip ID or Intel's PPID. */
const IDENTITY_LENGTH = { 'sev-snp': 128, tdx: 32 } as const

const endorsementsSchema = z
  .strictObject({
    format: z.literal(PLATFORM_ENDORSEMENTS),
    measurements: entries(text, measurementSchema),
    machines: entries(z.string().regex(/^[0-9a-f]+$/), text),
    policies: entries(
      text,
      z.discriminatedUnion('platform', [
        z.strictObject({ platform: z.literal('sev-snp'), sev_snp: sevSchema }),
        z.strictObject({ platform: z.literal('tdx'), tdx: tdxSchema }),
      ]),
    ),
  })
  .refine(
    ({ machines, policies }) =>
      Object.entries(machines).every(([machine, name]) => {
        const policy = Object.hasOwn(policies, name) ? policies[name] : undefined
        return policy !== undefined && machine.length === IDENTITY_LENGTH[policy.platform]
      }),
    { path: ['machines'] },
  )
  .refine(
    ({ measurements, policies }) =>
      Object.values(policies).every(
        (policy) =>
          policy.platform !== 'tdx' ||
          policy.tdx.platform_measurements.every((name) => Object.hasOwn(measurements, name)),
      ),
    { path: ['policies'] },
  )
export type PlatformEndorsements = z.infer<typeof endorsementsSchema>

/** The virtual machine that a release is built for (its predicate's `vm_shape`). */
const vmShapeSchema = z.strictObject({ ...shape, gpus: u32 })
export type VmShape = z.infer<typeof vmShapeSchema>

const codeSchema = z.looseObject({ vm_shape: vmShapeSchema })

/**
 * The content of an authenticated predicate, or the location of its first fault. `unknownRule`: a newer
 * reader may know that member.
 */
export type Read<T> =
  | { readonly value: T }
  | { readonly fault: ReturnType<typeof placeOf>; readonly unknownRule: boolean }

/**
 * Reads all machines and policies. A malformed policy refuses them all, even if it is for another machine,
 * because a rule that this version doesn't know must never be ignored.
 *
 * @param predicate with its integers as bigints
 */
export function readEndorsements(predicate: unknown): Read<PlatformEndorsements> {
  return readBy(endorsementsSchema, predicate)
}

/** @param predicate of a release, with its integers as bigints */
export function readVmShape(predicate: unknown): Read<VmShape> {
  const read = readBy(codeSchema, predicate)
  return 'value' in read ? { value: read.value.vm_shape } : read
}

function readBy<T>(schema: z.ZodType<T>, predicate: unknown): Read<T> {
  const read = schema.safeParse(predicate)
  if (read.success) return { value: read.data }
  return {
    fault: placeOf(read.error),
    unknownRule: read.error.issues.some(
      ({ code, message }) => code === 'unrecognized_keys' || message === UNKNOWN_RULE,
    ),
  }
}

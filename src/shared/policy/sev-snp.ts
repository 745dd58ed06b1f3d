import { z } from 'zod'
import { sevProducts } from '../../verifier/types.ts'
import { hexOf } from './code.ts'

/** AMD's security patch levels; only Turin has `fmc`. */
export const tcbSchema = z.object({
  fmc: z.int().min(0).max(255).optional(),
  bootloader: z.int().min(0).max(255),
  tee: z.int().min(0).max(255),
  snp: z.int().min(0).max(255),
  microcode: z.int().min(0).max(255),
})
export type Tcb = z.infer<typeof tcbSchema>

export const sevProductSchema = z.enum(sevProducts)
export type SevProduct = z.infer<typeof sevProductSchema>

const firmwareBuild = z.int().min(0).max(255)
const firmwareApi = z.object({ major: z.int().min(0).max(255), minor: z.int().min(0).max(255) })

/** How the machine must be set up. */
const sevPlatformSchema = z.object({
  requireTsme: z.boolean(),
  requireEcc: z.boolean().default(false),
  requireAliasCheck: z.boolean().default(false),
  /** PLATFORM_INFO exactly, if the publisher states it. The flags above name what differs. */
  info: hexOf(8).optional(),
})

/** Fields of the report that the owner of a guest can set. They are zero unless the publisher uses them. */
const sevIdentitySchema = z.object({
  guestSvn: z.int().min(0).max(0xffff_ffff).default(0),
  hostData: hexOf(32).default('00'.repeat(32)),
  familyId: hexOf(16).default('00'.repeat(16)),
  imageId: hexOf(16).default('00'.repeat(16)),
  idKeyDigest: hexOf(48).default('00'.repeat(48)),
  authorKeyDigest: hexOf(48).default('00'.repeat(48)),
})

export const sevPolicySchema = z.object({
  /**
   * The accepted products, each with the floor of every TCB of the report. Milan is accepted only if it's
   * listed here. A product with a different firmware numbering or configuration has separate floors and
   * rules.
   */
  products: z.partialRecord(
    sevProductSchema,
    z.object({
      minimumTcb: tcbSchema,
      /** The values that genuine machines report. An accepted machine below them gets a notice. */
      expectedTcb: tcbSchema.optional(),
      /** The provider's own floor, if it is lower. It has no effect unless a person accepts it. */
      providerMinimumTcb: tcbSchema.optional(),
      /** Never in a profile: set in the policy in force if a person accepted the provider's floor, which `minimumTcb` then is. */
      providerFloorAccepted: z.literal(true).optional(),
      minimumBuild: firmwareBuild.optional(),
      minimumApi: firmwareApi.optional(),
      /** Bits of the mitigation vectors, all of which must be set in both. Reports before version 5 state none. */
      requiredMitigations: hexOf(8).optional(),
      platform: sevPlatformSchema.optional(),
    }),
  ),
  minimumBuild: firmwareBuild,
  minimumApi: firmwareApi,
  guest: z.object({
    allowSmt: z.boolean(),
    allowSingleSocketOnly: z.boolean().default(true),
    /** POLICY exactly, if the publisher states it. The flags above name what differs. */
    policy: hexOf(8).optional(),
  }),
  identity: sevIdentitySchema.prefault({}),
  platform: sevPlatformSchema,
  /** Only this VM privilege level. */
  vmpl: z.int().min(0).max(3).default(0),
})
export type SevPolicy = z.infer<typeof sevPolicySchema>

import { z } from 'zod'

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${String(bytes * 2)}}$`))

/** AMD's security patch levels; `fmc` is Turin's alone. */
export const tcbSchema = z.object({
  fmc: z.int().min(0).max(255).optional(),
  bootloader: z.int().min(0).max(255),
  tee: z.int().min(0).max(255),
  snp: z.int().min(0).max(255),
  microcode: z.int().min(0).max(255),
})
export type Tcb = z.infer<typeof tcbSchema>

export const sevProductSchema = z.enum(['Genoa', 'Turin', 'Milan'])
export type SevProduct = z.infer<typeof sevProductSchema>

const firmwareBuild = z.int().min(0).max(255)
const firmwareApi = z.object({ major: z.int().min(0).max(255), minor: z.int().min(0).max(255) })

export const sevPolicySchema = z.object({
  /**
   * The products accepted, each with the floor of every TCB of the report. Milan is accepted only where it stands here.
   * A product that numbers its firmware apart from the others states its own floors of build and API.
   */
  products: z.partialRecord(sevProductSchema, z.object({
    minimumTcb: tcbSchema,
    minimumBuild: firmwareBuild.optional(),
    minimumApi: firmwareApi.optional(),
  })),
  minimumBuild: firmwareBuild,
  minimumApi: firmwareApi,
  guest: z.object({ allowSmt: z.boolean(), allowSingleSocketOnly: z.boolean().default(true) }),
  platform: z.object({ requireTsme: z.boolean(), requireEcc: z.boolean().default(false), requireAliasCheck: z.boolean().default(false) }),
  /** Only this VM privilege level. */
  vmpl: z.int().min(0).max(3).default(0),
})
export type SevPolicy = z.infer<typeof sevPolicySchema>

export const codePolicySchema = z.object({
  /** Whose workflow must have signed, on GitHub: `owner/name`. */
  repository: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  oidcIssuer: z.url(),
  /** The ref that the workflow ran on must begin so. */
  refPrefix: z.string().min(1),
  runnerEnvironment: z.string().default('github-hosted'),
  predicateTypes: z.array(z.string()).min(1),
})
export type CodePolicy = z.infer<typeof codePolicySchema>

/** What the enclave must prove. Data, and part of the profile. */
export const attestationPolicySchema = z.object({
  enclaveHost: z.hostname(),
  /** Suffix of the certificate's key and document labels: `NN<base32>.hpke.<suffix>`. */
  certificateLabelSuffix: z.hostname(),
  sevSnp: sevPolicySchema,
  code: codePolicySchema,
  /** The only accepted launch measurements, where the user pinned some. */
  pinnedMeasurements: z.array(hex(48)).optional(),
})
export type AttestationPolicy = z.infer<typeof attestationPolicySchema>

const baseAddress = z.url({ protocol: /^https?$/ }).refine((address) => {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || hostname === '127.0.0.1' || hostname === '[::1]'
}, 'https is required, except on loopback')

/** A service as data. Presets stand in resources/profiles. */
export const profileSchema = z.object({
  id: z.string().regex(/^[a-z0-9-]{1,40}$/),
  name: z.string().min(1).max(60),
  kind: z.enum(['sandbox', 'service']),
  baseUrl: baseAddress,
  alternativeBaseUrl: baseAddress.optional(),
  revision: z.enum(['A', 'B']),
  lightningNetwork: z.enum(['bitcoin', 'regtest']),
  /** Below baseUrl; the evidence and the sealed paths stand under it. */
  privatePath: z.string().regex(/^\/[a-z/]*[a-z]$/).default('/private'),
  /** Without one, private models are refused: `policy/none`. */
  policy: attestationPolicySchema.optional(),
})
export type Profile = z.infer<typeof profileSchema>

/** A service as it is offered for choosing. The sandbox has no address until it runs. */
export const serviceChoiceSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['sandbox', 'service']),
  baseUrl: z.string().optional(),
})
export type ServiceChoice = z.infer<typeof serviceChoiceSchema>

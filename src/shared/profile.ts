import { z } from 'zod'
import { attestationPolicySchema } from './policy/attestation-policy.ts'
import { serviceEnclavePolicySchema } from './policy/service-enclave.ts'

const baseAddress = z.url({ protocol: /^https?$/ }).refine((address) => {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || hostname === '127.0.0.1' || hostname === '[::1]'
}, 'https is required, except on loopback')

/** The source of values in a preset's policy, and the date of a maintainer's last comparison with it. */
const policySourceSchema = z.strictObject({
  /** Paths within the policy, such as `sevSnp.products.Genoa.minimumTcb`. A path covers everything below it; the longest one counts. */
  values: z.array(z.string().min(1)).min(1),
  /** A bulletin, a published policy, or a measurement on genuine evidence. */
  source: z.string().min(1),
  /** `YYYY-MM-DD` */
  reviewed: z.iso.date(),
})

/** A service that converts documents inside its enclave. */
const documentConversionSchema = z.strictObject({
  /** Dollars for each call, as decimal text. Absent if the service doesn't publish its fee. */
  priceUsd: z
    .string()
    .regex(/^\d{1,4}(?:\.\d{1,12})?$/)
    .optional(),
})

/** An enclave of its own for some models, attested on its own under the platform rules of the profile. */
const modelEnclaveSchema = z.strictObject({
  /** The provider's names, without `private/`. */
  models: z.array(z.string().min(1).max(200)).min(1).max(100),
  origin: baseAddress,
  /** `owner/name` of its code on GitHub. */
  repository: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
})

/** A service as data. Presets are in resources/profiles. */
export const profileSchema = z
  .object({
    id: z.string().regex(/^[a-z0-9-]{1,40}$/),
    name: z.string().min(1).max(60),
    kind: z.enum(['sandbox', 'service']),
    baseUrl: baseAddress,
    alternativeBaseUrl: baseAddress.optional(),
    revision: z.enum(['A', 'B']),
    lightningNetwork: z.enum(['bitcoin', 'regtest']),
    /** Relative to baseUrl; the path of the evidence and of sealed requests. */
    privatePath: z
      .string()
      .regex(/^\/[a-z/]*[a-z]$/)
      .default('/private'),
    /** Without a policy, private models are refused: `policy/missing`. */
    policy: attestationPolicySchema.optional(),
    /** Absent if the service has no enclave of its own: chat with models that aren't private is then visible to the service. */
    serviceEnclave: serviceEnclavePolicySchema.optional(),
    /** Absent if the service doesn't convert documents. */
    documentConversion: documentConversionSchema.optional(),
    /**
     * The provider's enclaves are reached without a service in between: `baseUrl` is the router's, and takes each model without an enclave
     * of its own. The person types a key of the provider.
     */
    direct: z.strictObject({ enclaves: z.array(modelEnclaveSchema).max(100) }).optional(),
    /** The source of each value of the policy. Presets state it for their maintainers. */
    policySources: z.array(policySourceSchema).optional(),
  })
  .refine(
    ({ direct, revision, baseUrl, alternativeBaseUrl, policy, serviceEnclave, documentConversion }) =>
      !direct ||
      (revision === 'B' &&
        alternativeBaseUrl === undefined &&
        serviceEnclave === undefined &&
        documentConversion === undefined &&
        policy?.nonceBound?.origin === baseUrl &&
        new URL(baseUrl).origin === baseUrl),
    'a direct profile names the origin of its router, rules for its fresh evidence, and nothing of a service',
  )
export type Profile = z.infer<typeof profileSchema>

/** A service as it is offered for choosing. The sandbox has no address until it runs. */
export const serviceChoiceSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['sandbox', 'service']),
  baseUrl: z.string().optional(),
  /** See the status: the provider's enclaves are accessed without a service. */
  direct: z.literal(true).optional(),
})
export type ServiceChoice = z.infer<typeof serviceChoiceSchema>

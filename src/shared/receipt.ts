import { z } from 'zod'
import { msatSchema } from './lightning.ts'
import { privacyWords } from './privacy.ts'
import { routingSchema } from './routing.ts'

/** Dollars as an integer of 10^-12 USD in decimal text. */
export const picoUsdSchema = z.string().regex(/^-?\d{1,30}$/)

const tokenCount = z.int().min(0)
/** Token counts as the service reports them. */
const tokenUsageSchema = z.object({
  prompt: tokenCount,
  completion: tokenCount,
  /** Larger than the sum of both if something else was counted, such as reasoning. */
  total: tokenCount.exactOptional(),
  /** Of the prompt, from a cache. */
  cached: tokenCount.exactOptional(),
  reasoning: tokenCount.exactOptional(),
  /** Of audio and images, in the prompt and the completion. */
  media: tokenCount.exactOptional(),
})
export type TokenUsage = z.infer<typeof tokenUsageSchema>

export const callerSchema = z.object({
  kind: z.enum(['window', 'proxy', 'cli']),
  /** The local key's record, where one was used. */
  localKeyId: z.string().optional(),
})
export type Caller = z.infer<typeof callerSchema>

/** What is known of one request, without a word of what was asked or answered. */
export const receiptSchema = z.object({
  id: z.string(),
  /** Unix ms of the start. */
  at: z.number(),
  caller: callerSchema,
  service: z.enum(['sandbox', 'service']),
  model: z.string(),
  /** The name that the caller sent, if an alias of its key replaced it by `model`. */
  askedModel: z.string().optional(),
  /**
   * Which of the account's keys it was sent with: a mark that tells keys apart and holds nothing of the key. Absent where no key
   * was sent. Only for the comparison with the service's records.
   */
  serviceKey: z.string().optional(),
  path: z.string(),
  privacy: z.enum(privacyWords),
  outcome: z.enum(['complete', 'interrupted', 'cancelled', 'failed', 'refused']),
  /** The coded reason of any outcome but `complete`. */
  code: z.string().optional(),
  step: z.string().optional(),
  /** The enclave that could read it: present if it was sealed or relayed. */
  enclave: z
    .object({
      host: z.string(),
      measurement: z.string(),
      releaseTag: z.string().optional(),
      verifiedAt: z.number(),
      evidenceDigest: z.string(),
      hpkePublicKey: z.string(),
    })
    .optional(),
  /** Where the service's enclave sent it: present if it was relayed and answered. */
  routing: routingSchema.optional(),
  /** SHA-256 (hex) of the body as it left, and of the body as it came: ciphertext where sealed. */
  requestDigest: z.string().optional(),
  responseDigest: z.string().optional(),
  bytesSent: z.int(),
  bytesReceived: z.int(),
  usage: tokenUsageSchema.optional(),
  /** Absent where the price is unknown; never 0 for unknown. */
  estimate: z.object({ least: picoUsdSchema, most: picoUsdSchema }).optional(),
  /** As the service stated it with the answer, otherwise by the price list. */
  cost: picoUsdSchema.optional(),
  /** The service stated the cost. */
  costStated: z.literal(true).optional(),
  /** The cost by the price list, if the service stated one. */
  listedCost: picoUsdSchema.optional(),
  /** The cost is more than twice the highest estimate. The local key is charged only that estimate until the service's history confirms a cost. */
  costDoubted: z.literal(true).optional(),
  /** The day whose budget a doubted cost counts in, in days since 1970-01-01. */
  chargedDay: z.int().optional(),
  /** The cost by the one record of the service's history that can be of this request, and that record's time in Unix ms. `cost` was doubted. */
  confirmed: z.object({ cost: picoUsdSchema, recordAt: z.number() }).optional(),
  /** The stream ended without `[DONE]`, after the model had said why it stopped. */
  withoutEndMark: z.literal(true).optional(),
  /** The local key's charge: the confirmed cost, else the cost, or the highest estimate if the cost is unknown or doubted. */
  charged: picoUsdSchema.optional(),
  /** What was paid over Lightning for this request alone, with the fee. */
  paidMsat: msatSchema.optional(),
  /**
   * What Sotto added of delay, in ms: from the request fully read until its first byte left, and from the first byte of the
   * answer until one was passed on. What it waited for (evidence, the service) is not in it.
   */
  addedMs: z.number().optional(),
  firstByteMs: z.number().optional(),
  durationMs: z.number().optional(),
})
export type Receipt = z.infer<typeof receiptSchema>

import { z } from 'zod'
import { msatSchema } from './lightning.ts'
import { privacyWords } from './privacy.ts'
import { routingSchema } from './routing.ts'
import { destinations } from './tool-call.ts'

/** Dollars as an integer of 10^-12 USD in decimal text. */
export const picoUsdSchema = z.string().regex(/^-?\d{1,30}$/)

const tokenCount = z.int().min(0)
/** Token counts as the service reports them. */
const tokenUsageSchema = z.object({
  prompt: tokenCount,
  completion: tokenCount,
  /** Larger than the sum of both if something else was counted, such as reasoning. */
  total: tokenCount.exactOptional(),
  /** Cached tokens of the prompt. */
  cached: tokenCount.exactOptional(),
  reasoning: tokenCount.exactOptional(),
  /** Tokens of audio and images, in the prompt and the completion. */
  media: tokenCount.exactOptional(),
})
export type TokenUsage = z.infer<typeof tokenUsageSchema>

export const callerSchema = z.object({
  kind: z.enum(['window', 'proxy', 'cli']),
  /** The id of the local key, if one was used. */
  localKeyId: z.string().optional(),
})
export type Caller = z.infer<typeof callerSchema>

const digestSchema = z.string().regex(/^[0-9a-f]{64}$/)

/** A call of a tool that Sotto ran for a reply: which tool saw what, without content. */
const usedToolSchema = z.object({
  /** The name of its server; absent for a tool of Sotto. */
  server: z.string().max(100).exactOptional(),
  tool: z.string().max(64),
  sendsTo: z.enum(destinations),
  /** `unknown`: it began, and no result arrived. */
  outcome: z.enum(['result', 'error', 'unknown']),
  /** SHA-256 (hex) of the exact arguments, and of the result that the model got. Absent for a temporary chat. */
  argumentsDigest: digestSchema.exactOptional(),
  resultDigest: digestSchema.exactOptional(),
})

/** The record of one request, without any content of the request or the answer. */
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
   * Identifies the account's key that it was sent with: a fingerprint that reveals nothing about the key.
   * Absent if no key was sent. Only for the comparison with the service's records.
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
  /** The route chosen by the service's enclave: present if it was relayed and answered. */
  routing: routingSchema.optional(),
  /** The calls of tools for the same reply, until its next request. */
  tools: z.array(usedToolSchema).max(200).exactOptional(),
  /** SHA-256 (hex) of the body as sent, and of the body as received: ciphertext if sealed. */
  requestDigest: z.string().optional(),
  responseDigest: z.string().optional(),
  bytesSent: z.int(),
  bytesReceived: z.int(),
  usage: tokenUsageSchema.optional(),
  /** Absent if the price is unknown; never 0 for unknown. */
  estimate: z.object({ least: picoUsdSchema, most: picoUsdSchema }).optional(),
  /** As reported by the service with the answer, otherwise by the price list. */
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
  /** The stream ended without `[DONE]`, after the model had stated why it stopped. */
  withoutEndMark: z.literal(true).optional(),
  /** The local key's charge: the confirmed cost, else the cost, or the highest estimate if the cost is unknown or doubted. */
  charged: picoUsdSchema.optional(),
  /** The amount paid over Lightning for only this request, with the fee. */
  paidMsat: msatSchema.optional(),
  /**
   * The delay that Sotto added, in ms: from the complete request to its first sent byte, and from the first
   * byte of the answer to the first byte passed on. It excludes waiting for evidence and for the service.
   */
  addedMs: z.number().optional(),
  firstByteMs: z.number().optional(),
  durationMs: z.number().optional(),
})
export type Receipt = z.infer<typeof receiptSchema>

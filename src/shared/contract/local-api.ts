import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { keyLimitsTextSchema, limitAmountSchema } from '../key-limits.ts'
import { keyNameSchema, localKeySchema, localRequestSchema } from '../local-key.ts'
import { privacyWords } from '../privacy.ts'
import { statusSchema } from '../status.ts'
import { dialects, trialSchema } from '../trial.ts'
import { runnableToolIds } from '../tools/tool-key.ts'
import { call, idSchema } from './call.ts'

const localApiSchema = z.object({ baseUrl: z.string(), key: z.string(), exampleModel: z.string() })

/** Includes the key's secret, which is never shown again. */
const newSecretSchema = z.object({ key: localKeySchema, secret: z.string() })

const localApiEventSchema = z.object({
  /**
   * First all keys, then those that changed: created, limited, revoked, or with a new reservation or
   * spending.
   */
  keys: z.array(localKeySchema),
  /** Requests that ended since, the newest first. None in the first event. */
  requests: z.array(localRequestSchema),
  /** More requests ended than this event has, so the list must be loaded again. */
  more: z.boolean(),
})
export type LocalApiEvent = z.infer<typeof localApiEventSchema>

export const localApiContract = {
  get: call.output(localApiSchema),
  /** In the order of creation, with revoked keys, because the request list refers to them. */
  keys: call.output(z.array(localKeySchema)),
  /**
   * Creating a key with more permissions than the first key, whose secret the window shows anyway, requires
   * confirmation outside the window. Throws local-key/name-taken, local-key/alias-model, confirm/….
   */
  create: call.input(z.object({ name: keyNameSchema, limits: keyLimitsTextSchema })).output(newSecretSchema),
  /**
   * The key of a tool that `sotto run` starts, and the address for it. A second call returns the same key
   * while it's live. It has the name of the command. It allows only private models, unless `anyModel` is
   * set, which is a separate key. Only the command line may call this. Throws local-key/command-line,
   * local-key/name-taken, confirm/….
   */
  forTool: call
    .input(z.object({ tool: z.enum(runnableToolIds), anyModel: z.boolean() }))
    .output(newSecretSchema.extend({ baseUrl: z.string() })),
  /**
   * Changes the name, replaces all limits, or both, from the next request on. Raising or removing a limit
   * and adding a grant require confirmation outside the window; lowering a limit doesn't. Throws
   * local-key/unknown, local-key/revoked, local-key/name-taken, local-key/alias-model,
   * local-key/first-origins, confirm/….
   */
  update: call
    .input(
      z.object({ keyId: idSchema, name: keyNameSchema.optional(), limits: keyLimitsTextSchema.optional() }),
    )
    .output(localKeySchema),
  /**
   * Adds pico-USD to a key's budget until a time (Unix ms, at most 30 days from now), or until the end of its current period.
   * A budget that never resets gets it for 30 days. It replaces an earlier increase; "0" ends it. Adding asks for confirmation
   * outside the window. A change of the budget's amount or period ends it.
   * Throws local-key/unknown, local-key/revoked, local-key/no-budget, local-key/increase-end, confirm/….
   */
  increase: call
    .input(z.object({ keyId: idSchema, picoUsd: limitAmountSchema, until: z.int().min(0).optional() }))
    .output(localKeySchema),
  /**
   * Takes effect at once, also for requests in progress: their connections end. Throws local-key/unknown,
   * local-key/first.
   */
  revoke: call.input(z.object({ keyId: idSchema })).output(localKeySchema),
  /** Another secret for the first key; the former one ends as a revoked key does. */
  rotate: call.output(newSecretSchema),
  /**
   * The requests of local keys, the newest first. A page can have fewer lines than `limit`, even none,
   * before the last page, because a search reads a limited number of receipts at a time. `next` is null at
   * the end.
   */
  requests: call
    .input(
      z.object({
        keyId: idSchema.optional(),
        privacy: z.enum(privacyWords).optional(),
        cursor: z
          .string()
          .regex(/^\d{1,16}\.\d{1,16}$/)
          .optional(),
        limit: z.int().min(1).max(200).default(50),
      }),
    )
    .output(z.object({ requests: z.array(localRequestSchema), next: z.string().nullable() })),
  /**
   * Starts or stops the proxy for other programs, until Sotto restarts. Stopping ends requests in progress.
   * Throws proxy/port-taken.
   */
  serve: call.input(z.object({ on: z.boolean() })).output(statusSchema),
  /** Keys and requests as they change, at most five times a second, and all keys once a minute; until it is left. */
  watch: call.output(eventIterator(localApiEventSchema)),
  /**
   * Sends one small, charged request to the proxy as a tool would, with the key of this secret. The
   * response of the proxy is the result, even if it's a refusal. Throws proxy/internal if the proxy doesn't
   * respond.
   */
  try: call
    .input(
      z.object({
        secret: z.string().regex(/^[\x21-\x7e]{1,200}$/),
        dialect: z.enum(dialects),
        model: z.string().min(1).max(200),
      }),
    )
    .output(trialSchema),
}

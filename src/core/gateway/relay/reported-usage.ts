import { z } from 'zod'
import type { Model } from '../../../shared/model.ts'
import { readStatedCost, readUsage } from '../answer/index.ts'
import { embeddingsCost } from '../pricing/index.ts'
import { parseExactJson } from '../service/http/exact-json.ts'
import { lenient, price } from '../service/http/wire.ts'
import type { ReportedUsage } from './request-plan.ts'

const costSchema = z.object({ cost: lenient(price), estimated_cost: lenient(price) })

/**
 * Reads the cost that an answer states, digit for digit; for an accepted job, its expected cost. Throws if it
 * isn't JSON.
 */
export function reportedCost(answer: string): ReportedUsage {
  const parsed = costSchema.safeParse(parseExactJson(answer))
  return { cost: parsed.data?.cost ?? parsed.data?.estimated_cost }
}

const usageSchema = z.object({ usage: z.unknown().optional() })

/**
 * Reads the tokens that an answer counts, with its stated cost and the price by the price list. Throws if it
 * isn't JSON.
 */
export function reportedTokens(model: Model, answer: string): ReportedUsage {
  const usage = readUsage(usageSchema.safeParse(JSON.parse(answer)).data?.usage)
  const cost = readStatedCost(answer)
  if (!usage) return { cost }
  const tokens = usage.total ?? usage.prompt + usage.completion
  return {
    usage: { prompt: tokens, completion: 0 },
    cost,
    listed: embeddingsCost(model, tokens) ?? undefined,
  }
}

/** Validates a JSON answer that states no cost. Throws if it isn't JSON. */
export function reportsNothing(answer: string): ReportedUsage {
  JSON.parse(answer)
  return {}
}

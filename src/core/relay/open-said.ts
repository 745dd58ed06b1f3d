import { z } from 'zod'
import type { Model } from '../../shared/model.ts'
import { embeddingsCost } from '../pricing/index.ts'
import { parseExactJson } from '../service/http/exact-json.ts'
import { count, lenient, price } from '../service/http/wire.ts'
import type { Said } from './open-plan.ts'

const costSchema = z.object({ cost: lenient(price), estimated_cost: lenient(price) })

/** The cost that an answer names, digit for digit; of a job that was accepted, what it is expected to be. Throws where it is no JSON. */
export function costSaid(answer: string): Said {
  const parsed = costSchema.safeParse(parseExactJson(answer))
  return { cost: parsed.data?.cost ?? parsed.data?.estimated_cost }
}

const usageSchema = z.object({ usage: z.object({ total_tokens: count }) })

/** By the tokens that an answer counts, and the listed price. Throws where it is no JSON. */
export function tokensSaid(model: Model, answer: string): Said {
  const parsed = usageSchema.safeParse(JSON.parse(answer))
  if (!parsed.success) return {}
  const { total_tokens: tokens } = parsed.data.usage
  return { usage: { prompt: tokens, completion: 0 }, cost: embeddingsCost(model, tokens) ?? undefined }
}

/** What says nothing of its cost, and is JSON all the same. */
export function nothingSaid(answer: string): Said {
  JSON.parse(answer)
  return {}
}

import { z } from 'zod'
import type { Chance } from '../random.ts'
import { topicOf } from './prose.ts'

const schemaSchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).min(1).optional(),
  const: z.unknown().optional(),
  default: z.unknown().optional(),
  format: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  items: z.unknown().optional(),
  minItems: z.int().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  anyOf: z.array(z.unknown()).min(1).optional(),
  oneOf: z.array(z.unknown()).min(1).optional(),
})
type Schema = z.infer<typeof schemaSchema>

/** Deeper than this a schema is answered with null. */
const deepest = 8

/**
 * Creates a value that matches a JSON Schema, with words of the prompt if possible.
 * @param name of its member
 */
export function plausibleValue(
  schema: unknown,
  name: string,
  prompt: string,
  chance: Chance,
  depth = 0,
): unknown {
  const parsed = schemaSchema.safeParse(schema)
  if (!parsed.success || depth > deepest) return null
  const rule = parsed.data
  if (rule.const !== undefined) return rule.const
  if (rule.enum) return mentioned(rule.enum, prompt) ?? rule.enum[0]
  if (rule.default !== undefined) return rule.default
  const alternatives = rule.anyOf ?? rule.oneOf
  if (alternatives) return plausibleValue(alternatives[0], name, prompt, chance, depth + 1)
  switch (typeOf(rule)) {
    case 'object':
      return plausibleObject(rule, prompt, chance, depth)
    case 'array':
      return Array.from({ length: Math.min(Math.max(rule.minItems ?? 1, 1), 5) }, () =>
        plausibleValue(rule.items ?? { type: 'string' }, name, prompt, chance, depth + 1),
      )
    case 'integer':
      return Math.round(plausibleNumber(rule, prompt, chance))
    case 'number':
      return plausibleNumber(rule, prompt, chance)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return plausibleText(rule.format, name, prompt)
  }
}

function typeOf(rule: Schema): string {
  if (rule.type !== undefined)
    return typeof rule.type === 'string' ? rule.type : (rule.type.find((type) => type !== 'null') ?? 'null')
  return rule.properties ? 'object' : 'string'
}

function plausibleObject(rule: Schema, prompt: string, chance: Chance, depth: number): object {
  const properties = Object.entries(rule.properties ?? {})
  const needed = properties.filter(([name]) => rule.required?.includes(name) ?? true)
  return Object.fromEntries(
    needed.map(([name, schema]) => [name, plausibleValue(schema, name, prompt, chance, depth + 1)]),
  )
}

function plausibleNumber(rule: Schema, prompt: string, chance: Chance): number {
  const named = /-?\d+(?:\.\d+)?/.exec(prompt)?.[0]
  const value = named === undefined ? 1 + chance.below(9) : Number(named)
  return Math.min(Math.max(value, rule.minimum ?? -Infinity), rule.maximum ?? Infinity)
}

function plausibleText(format: string | undefined, name: string, prompt: string): string {
  switch (format) {
    case 'date':
      return '2026-01-15'
    case 'date-time':
      return '2026-01-15T12:00:00Z'
    case 'email':
      return 'somebody@example.com'
    case 'uri':
      return 'https://example.com/'
    default:
      break
  }
  if (/city|location|place|country|where/i.test(name))
    return /\b(?:in|at|for|near|of)\s+(\p{Lu}[\p{L}-]*(?:\s\p{Lu}[\p{L}-]*)*)/u.exec(prompt)?.[1] ?? 'Milano'
  return topicOf(prompt)
}

function mentioned(values: readonly unknown[], prompt: string): unknown {
  const lower = prompt.toLowerCase()
  return values.find((value) => typeof value === 'string' && lower.includes(value.toLowerCase()))
}

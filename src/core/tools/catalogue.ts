import { createHash } from 'node:crypto'
import { z } from 'zod'
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/strict-json.ts'
import { withoutInvisible } from './visible-text.ts'

/** Characters of a function's name in OpenAI's format. */
const MAX_FUNCTION_NAME = 64
const MAX_TOOLS = 100
const MAX_DESCRIPTION = 4000
const MAX_SCHEMA_BYTES = 32_000
const MAX_SCHEMA_DEPTH = 24

const definitionSchema = z.object({
  name: z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/),
  description: z.string().max(MAX_DESCRIPTION).optional(),
  inputSchema: z.record(z.string(), z.json()).refine(({ type }) => type === 'object'),
})
const jsonObjectSchema = z.record(z.string(), z.json())

/** A tool of a server as it's offered to a model. */
export interface ToolDefinition {
  /** The server's own name of the tool. */
  readonly name: string
  /** The name that the model sees: the server's prefix and the tool's name, unique in a chat. */
  readonly functionName: string
  readonly description: string
  readonly parameters: JsonObject
  /** SHA-256 (hex) of everything that the server stated about the tool, also of what isn't offered. */
  readonly digest: string
}

export interface Catalogue {
  readonly tools: readonly ToolDefinition[]
  /** How many definitions were left out because they are malformed, too large or ambiguous. */
  readonly skipped: number
}

/**
 * Parses the tool definitions of a server, which controls all of it. Annotations such as `readOnlyHint` are
 * claims of the server, so they aren't read; they are part of the digest.
 *
 * @param prefix of the names that the model sees: lowercase letters, digits and hyphens, at most 20
 */
export function parseCatalogue(prefix: string, listed: readonly unknown[]): Catalogue {
  const tools = new Map<string, ToolDefinition>()
  const ambiguous = new Set<string>()
  let skipped = Math.max(0, listed.length - MAX_TOOLS)
  for (const each of listed.slice(0, MAX_TOOLS)) {
    const tool = toDefinition(prefix, each)
    if (!tool || ambiguous.has(tool.functionName)) skipped += 1
    else if (tools.has(tool.functionName)) {
      // A call by this name could mean either of them.
      ambiguous.add(tool.functionName)
      tools.delete(tool.functionName)
      skipped += 2
    } else tools.set(tool.functionName, tool)
  }
  return { tools: [...tools.values()], skipped }
}

function toDefinition(prefix: string, listed: unknown): ToolDefinition | undefined {
  if (depthOf(listed) > MAX_SCHEMA_DEPTH) return undefined
  const { data } = definitionSchema.safeParse(listed)
  const whole = jsonObjectSchema.safeParse(listed).data
  if (!data || !whole) return undefined
  const parameters = cleanObject(data.inputSchema)
  if (JSON.stringify(parameters).length > MAX_SCHEMA_BYTES) return undefined
  const functionName = `${prefix}__${data.name.replaceAll('.', '_')}`
  if (functionName.length > MAX_FUNCTION_NAME) return undefined
  return {
    name: data.name,
    functionName,
    description: withoutInvisible(data.description ?? ''),
    parameters,
    digest: createHash('sha256').update(canonical(whole)).digest('hex'),
  }
}

/** Removes invisible characters from every text of the schema, because each is sent to the model. */
function cleanValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return withoutInvisible(value)
  if (Array.isArray(value)) return value.map(cleanValue)
  return isJsonObject(value) ? cleanObject(value) : value
}

function cleanObject(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [withoutInvisible(name), cleanValue(value)]),
  )
}

function depthOf(value: unknown, depth = 0): number {
  if (depth > MAX_SCHEMA_DEPTH || typeof value !== 'object' || value === null) return depth
  return Object.values(value).reduce<number>((most, each) => Math.max(most, depthOf(each, depth + 1)), depth)
}

/** JSON with the members in order, so that the digest doesn't depend on their order. */
function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`)
  return `{${members.join()}}`
}

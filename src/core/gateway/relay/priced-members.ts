import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/strict-json.ts'

/**
 * Members of a chat request with a known price: settings that don't affect the price, and text, which is
 * counted. Any other member may cost more than the price list states, so a request with it has no known
 * price. The list follows the specification and the members that published clients send.
 */
const PRICED: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'n',
  'stop',
  'seed',
  'user',
  'metadata',
  'store',
  'temperature',
  'top_p',
  'top_k',
  'top_a',
  'min_p',
  'typical_p',
  'presence_penalty',
  'frequency_penalty',
  'repetition_penalty',
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'functions',
  'function_call',
  'response_format',
  'structured_outputs',
  'verbosity',
  'guided_json',
  'guided_regex',
  'guided_choice',
  'guided_grammar',
  'chat_template_kwargs',
  'enable_thinking',
  'reasoning_effort',
  'reasoning',
  'include_reasoning',
  'thinking',
  'thinking_budget',
  'usage',
  'safety_identifier',
  'prompt_cache_key',
  'user_cache_secret',
  'plugins',
  'web_search_options',
])

/** Values of members that have a price only with another value. */
const PLAIN_VALUES: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  modalities: (value) => Array.isArray(value) && value.every((one) => one === 'text'),
  service_tier: (value) => value === 'default' || value === 'standard',
  best_of: (value) => value === 1,
}

const TEXT_TOOLS: ReadonlySet<JsonValue | undefined> = new Set<JsonValue | undefined>([
  undefined,
  'function',
  'custom',
  'web_search',
])

const CACHE = 'cache_control'

/**
 * @returns the first member whose price isn't known: an unknown member, another modality or service tier, a tool that the service runs, a plugin
 *   other than one web search, or a cache marker (its price depends on its lifetime). Undefined if the price of all members is known
 */
export function unpricedMember(body: JsonObject): string | undefined {
  for (const [name, value] of Object.entries(body)) {
    if (value === null) continue
    const plain = PLAIN_VALUES[name]
    if (plain ? !plain(value) : !PRICED.has(name)) return name
  }
  const { tools, plugins } = body
  if (Array.isArray(tools) && !tools.every((tool) => isJsonObject(tool) && TEXT_TOOLS.has(tool['type'])))
    return 'tools'
  if (
    Array.isArray(plugins) &&
    (plugins.length > 1 || !plugins.every((plugin) => isJsonObject(plugin) && plugin['id'] === 'web'))
  )
    return 'plugins'
  return ['messages', 'tools'].find((name) => marksCache(body[name]))
}

/**
 * Returns the tokens that a request adds to its answer for reasoning, if it sets a budget for them. Undefined
 * if the budget can't be read.
 */
export function reasoningBudget(body: JsonObject): number | undefined {
  const { reasoning, thinking, thinking_budget: budget } = body
  const budgets = [
    isJsonObject(reasoning) ? reasoning['max_tokens'] : undefined,
    isJsonObject(thinking) ? thinking['budget_tokens'] : undefined,
    budget,
  ].filter((value) => value !== undefined && value !== null)
  let most = 0
  for (const value of budgets) {
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) return undefined
    most = Math.max(most, value)
  }
  return most
}

function marksCache(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.some(marksCache)
  if (!isJsonObject(value)) return false
  return (value[CACHE] !== undefined && value[CACHE] !== null) || Object.values(value).some(marksCache)
}

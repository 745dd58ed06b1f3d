const ANTHROPIC = ['api.anthropic.com']
const OPENAI = ['us-east-1', 'us-east-2', 'us-west-2'].map((region) => `bedrock-mantle.${region}.api.aws`)
const GOOGLE = ['aiplatform.googleapis.com']
const OPENROUTER = 'openrouter.ai'

/** The allowed hosts by the first segment of a model's name. The service's documents name these hosts. */
const hostsOf: ReadonlyMap<string, readonly string[]> = new Map([
  ['anthropic', [...ANTHROPIC, OPENROUTER]],
  ['openai', [...OPENAI, OPENROUTER]],
  ['google', [...GOOGLE, OPENROUTER]],
  ['venice', ['api.venice.ai']],
  ['private', ['inference.tinfoil.sh']],
])

/** Names without a vendor, by how they begin. */
const families: readonly (readonly [RegExp, string])[] = [
  [/^claude\b/, 'anthropic'],
  [/^(?:gpt|chatgpt|o[1-9])\b/, 'openai'],
  [/^gemini\b/, 'google'],
]

/**
 * Whether a request for the model is expected to go to the host. A model of an unknown vendor is expected at
 * OpenRouter only.
 */
export function isExpectedUpstream(model: string, host: string): boolean {
  const name = model.toLowerCase()
  const family = name.includes('/')
    ? name.slice(0, name.indexOf('/'))
    : families.find(([form]) => form.test(name))?.[1]
  return (hostsOf.get(family ?? '') ?? [OPENROUTER]).includes(host)
}

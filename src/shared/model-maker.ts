import type { Model } from './model.ts'

/** Who made a model, as far as its name or its ID shows. The service controls both, so this is only for display. */
export interface Maker {
  readonly name: string
  /** One or two letters. */
  readonly initials: string
  /** One of the colors of makers, from 1. Equal names have equal colors. */
  readonly tone: number
}

/** Names of model families at the beginning of a word, with their makers. */
const families: readonly (readonly [RegExp, name: string, initials: string])[] = [
  [/\bclaude/, 'Anthropic', 'An'],
  [/\b(?:gpt|chatgpt|dall-e|sora|whisper|o[134]\b)/, 'OpenAI', 'OA'],
  [/\b(?:gemini|gemma|imagen|veo\b)/, 'Google', 'G'],
  [/\bllama/, 'Meta', 'Me'],
  [/\b(?:mistral|mixtral|ministral|magistral|codestral|devstral|pixtral|voxtral)/, 'Mistral', 'Mi'],
  [/\bdeepseek/, 'DeepSeek', 'DS'],
  [/\b(?:qwen|qwq)/, 'Qwen', 'Qw'],
  [/\b(?:kimi|moonshot)/, 'Moonshot', 'Mo'],
  [/\b(?:glm|zhipu)/, 'Z.ai', 'Z'],
  [/\bgrok/, 'xAI', 'X'],
  [/\bphi-?\d/, 'Microsoft', 'MS'],
  [/\bcommand-/, 'Cohere', 'Co'],
  [/\bnemotron/, 'NVIDIA', 'NV'],
  [/\bminimax/, 'MiniMax', 'MM'],
  [/\bhermes/, 'Nous', 'No'],
  [/\bsonar/, 'Perplexity', 'Pe'],
  [/\bgranite/, 'IBM', 'IB'],
  [/\bnova-/, 'Amazon', 'Am'],
]

const TONES = 4
/** Far above the names of real models. */
const MOST_READ = 200

/** Returns the maker of a known family, otherwise the listed provider, otherwise a mark from the model's own name. */
export function makerOf({ id, name, provider }: Pick<Model, 'id' | 'name' | 'provider'>): Maker {
  const text = `${id} ${name}`.slice(0, 2 * MOST_READ).toLowerCase()
  const known = families.find(([pattern]) => pattern.test(text))
  if (known) return { name: known[1], initials: known[2], tone: toneOf(known[1]) }
  const other = provider?.trim() || name.trim() || id
  return { name: other, initials: initialsOf(other), tone: toneOf(other) }
}

function initialsOf(name: string): string {
  const letters = name.slice(0, MOST_READ).match(/\p{L}/gu) ?? ['?']
  const [first = '?', second = ''] = letters
  return `${first.toUpperCase()}${second.toLowerCase()}`
}

function toneOf(name: string): number {
  let sum = 0
  for (const character of name.slice(0, MOST_READ).toLowerCase()) sum += character.codePointAt(0) ?? 0
  return (sum % TONES) + 1
}

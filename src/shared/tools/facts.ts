import type { Model } from '../model.ts'

/** The values for a tool's settings. */
export interface ToolFacts extends ListedFacts {
  /** With `/v1` at its end. */
  readonly baseUrl: string
  readonly key: string
  readonly model: string
}

/** The values of a model in the listing. */
export interface ListedFacts {
  /** In tokens; absent if the listing doesn't report it. */
  readonly contextLength?: number | undefined
  /** The most tokens of one reply; absent if the listing doesn't report it. */
  readonly maxOutput?: number | undefined
  readonly images?: boolean
  readonly reasoning?: boolean
}

/** A context that small models have, for tools that need a number. */
const UNLISTED_CONTEXT = 32_768
/** The most output that coding agents ask for by default. */
const USUAL_OUTPUT = 32_000

/** @returns no facts for a model that isn't listed */
export function listedFacts(model: Model | undefined): ListedFacts {
  if (!model) return {}
  const { contextLength, maxOutput, inputModalities, supportedParameters = [] } = model
  return {
    contextLength,
    maxOutput,
    images: inputModalities?.includes('image') ?? false,
    reasoning: supportedParameters.includes('reasoning_effort') || supportedParameters.includes('reasoning'),
  }
}

/** Whether an agent can work with the model: it chats, and the listing doesn't exclude tool calls. */
export function canCallTools({ type, supportedParameters }: Model): boolean {
  return (
    (type === undefined || type === 'chat') &&
    (supportedParameters === undefined || supportedParameters.includes('tools'))
  )
}

/** In tokens. */
export function contextOf({ contextLength }: ListedFacts): number {
  return contextLength ?? UNLISTED_CONTEXT
}

/**
 * The most tokens of one reply that a tool should ask for. Services count it against the context, and some list the whole context
 * as the longest reply: three quarters stay for the prompt.
 */
export function outputOf(facts: ListedFacts): number {
  return Math.max(1, Math.min(facts.maxOutput ?? USUAL_OUTPUT, Math.floor(contextOf(facts) / 4)))
}

/** The prompt's length at which a tool should compact, in tokens: a whole reply still fits. */
export function compactAt(facts: ListedFacts): number {
  return contextOf(facts) - outputOf(facts)
}

/** The address for clients that add `/v1/…` to it. */
export function originOf(baseUrl: string): string {
  return new URL(baseUrl).origin
}

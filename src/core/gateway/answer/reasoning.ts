import { z } from 'zod'

/** Chat completions have no standard place for reasoning: servers write it in one of these members, and read it there again. */
export const reasoningMembers = ['reasoning_content', 'reasoning'] as const

export interface Reasoning {
  readonly member: (typeof reasoningMembers)[number]
  readonly text: string
}

const PREFIX = 'sotto:'
const MAX_TOKEN_CHARS = 16 * 1024 * 1024

const tokenSchema = z.strictObject({ member: z.enum(reasoningMembers), text: z.string() })

/**
 * Reasoning as text that a caller keeps and sends back unread, where its dialect has such a member (`signature`,
 * `encrypted_content`). Nothing is hidden in it: the caller may read all of it.
 */
export function reasoningToken(reasoning: Reasoning): string {
  return (
    PREFIX +
    Buffer.from(JSON.stringify({ member: reasoning.member, text: reasoning.text }), 'utf8').toString(
      'base64url',
    )
  )
}

/** Undefined where this machine did not write it: another service's reasoning is sealed to that service. */
export function readReasoningToken(token: string): Reasoning | undefined {
  if (!token.startsWith(PREFIX) || token.length > MAX_TOKEN_CHARS) return undefined
  try {
    return tokenSchema.safeParse(
      JSON.parse(Buffer.from(token.slice(PREFIX.length), 'base64url').toString('utf8')),
    ).data
  } catch {
    return undefined
  }
}

/** Takes the reasoning out of an answer, from the member in which this server writes it: some write it in both. */
export class ReasoningReader {
  #member: Reasoning['member'] | undefined

  get member(): Reasoning['member'] {
    return this.#member ?? 'reasoning_content'
  }

  read(delta: { readonly [member in Reasoning['member']]?: string | null | undefined }): string {
    this.#member ??= reasoningMembers.find((member) => Boolean(delta[member]))
    return (this.#member && delta[this.#member]) ?? ''
  }
}

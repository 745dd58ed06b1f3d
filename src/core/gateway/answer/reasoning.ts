import { z } from 'zod'

/**
 * Chat completions have no standard member for reasoning. Servers write it into one of these members, and
 * read it from there in later requests.
 */
export const reasoningMembers = ['reasoning_content', 'reasoning'] as const

export interface Reasoning {
  readonly member: (typeof reasoningMembers)[number]
  readonly text: string
}

const PREFIX = 'sotto:'
const MAX_TOKEN_CHARS = 16 * 1024 * 1024

const tokenSchema = z.strictObject({ member: z.enum(reasoningMembers), text: z.string() })

/**
 * Encodes reasoning as text that a caller stores and sends back unread, if its dialect has such a member
 * (`signature`, `encrypted_content`). It isn't encrypted: the caller may read all of it.
 */
export function reasoningToken(reasoning: Reasoning): string {
  return (
    PREFIX +
    Buffer.from(JSON.stringify({ member: reasoning.member, text: reasoning.text }), 'utf8').toString(
      'base64url',
    )
  )
}

/**
 * Returns undefined if Sotto didn't write the token: the reasoning of another service is sealed to that
 * service.
 */
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

/**
 * Reads the reasoning of an answer from the member that this server uses first. Some servers write it into
 * both.
 */
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

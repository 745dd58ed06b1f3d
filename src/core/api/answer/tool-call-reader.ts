import { z } from 'zod'
import { MAX_TOOL_ARGUMENTS, MAX_TOOL_CALLS, type ToolCall } from '../../../shared/answer-parts.ts'
import { CallReader } from '../../dialect/chat/call-reader.ts'

const MAX_NAME = 200

const callSchema = z.object({
  index: z.int().min(0).nullish().catch(null),
  id: z.string().nullish().catch(null),
  function: z.object({ name: z.string().nullish().catch(null), arguments: argumentsOf() }),
})

/** Some servers write the arguments of a whole call as the object that they stand for. */
function argumentsOf() {
  return z.union([z.string(), z.record(z.string(), z.unknown()).transform((value) => JSON.stringify(value))]).nullish().catch(null)
}

interface Call {
  readonly id: string
  readonly name: string
  arguments: string
}

/** Gathers the calls of tools that an answer asks for, piece by piece. What is broken is left out; nothing is ever carried out. */
export class ToolCallReader {
  readonly #reader = new CallReader(() => '')
  readonly #calls: Call[] = []

  /** `tool_calls` of a delta or of a whole message; the names of the calls that began with it. */
  read(list: unknown): string[] {
    if (!Array.isArray(list)) return []
    const begun: string[] = []
    for (const item of list.slice(0, MAX_TOOL_CALLS)) {
      const parsed = callSchema.safeParse(item)
      if (!parsed.success || this.#reader.count > MAX_TOOL_CALLS) continue
      for (const event of this.#reader.read([parsed.data])) {
        const known = this.#calls[event.call]
        if (event.kind === 'begin' && event.call < MAX_TOOL_CALLS) {
          const name = event.name.slice(0, MAX_NAME).toWellFormed()
          this.#calls[event.call] = { id: event.id.slice(0, MAX_NAME), name, arguments: '' }
          begun.push(name)
        } else if (event.kind === 'arguments' && known && known.arguments.length < MAX_TOOL_ARGUMENTS) {
          known.arguments += event.text.slice(0, MAX_TOOL_ARGUMENTS - known.arguments.length)
        }
      }
    }
    return begun
  }

  /** Undefined where there are none. */
  toolCalls(): ToolCall[] | undefined {
    // A call whose name never came leaves a gap.
    const calls = Object.values(this.#calls)
    return calls.length === 0 ? undefined : calls.map(({ id, name, arguments: given }) => ({ ...(id !== '' && { id }), name, arguments: given }))
  }
}

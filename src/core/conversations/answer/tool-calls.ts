import { MAX_TOOL_ARGUMENTS, MAX_TOOL_CALLS, type ToolCall } from '../../../shared/answer-parts.ts'
import { CallMembers } from '../../../shared/call-members.ts'
import { CallReader, type CallDelta } from '../../gateway/answer/index.ts'

const MAX_NAME = 200

interface Call {
  readonly id: string
  readonly name: string
  arguments: string
}

/** Collects the tool calls of an answer, piece by piece. Collecting runs none of them. */
export class ToolCalls {
  readonly #reader = new CallReader(() => '')
  readonly #calls: Call[] = []
  /** By the call's number, also before it has a name. */
  readonly #members = new Map<number, CallMembers>()

  /** @returns the names of the calls that began with these pieces */
  add(deltas: readonly CallDelta[]): string[] {
    const begun: string[] = []
    for (const delta of deltas) {
      if (this.#reader.count > MAX_TOOL_CALLS) continue
      for (const event of this.#reader.read([delta])) {
        const known = this.#calls[event.call]
        if (event.kind === 'begin' && event.call < MAX_TOOL_CALLS) {
          const name = event.name.slice(0, MAX_NAME).toWellFormed()
          this.#calls[event.call] = { id: event.id.slice(0, MAX_NAME), name, arguments: '' }
          begun.push(name)
        } else if (event.kind === 'arguments' && known && known.arguments.length < MAX_TOOL_ARGUMENTS) {
          known.arguments += event.text.slice(0, MAX_TOOL_ARGUMENTS - known.arguments.length)
        }
      }
      const number = this.#reader.callAt(delta.index)
      if (!delta.more || number === undefined || number >= MAX_TOOL_CALLS) continue
      const members = this.#members.get(number) ?? new CallMembers()
      this.#members.set(number, members)
      members.add(delta.more)
    }
    return begun
  }

  /** Undefined if there are none. */
  list(): ToolCall[] | undefined {
    // A call whose name never arrived leaves a gap.
    const calls = Object.entries(this.#calls)
    return calls.length === 0
      ? undefined
      : calls.map(([number, { id, name, arguments: args }]) => {
          const more = this.#members.get(Number(number))?.all
          return { ...(id !== '' && { id }), name, arguments: args, ...(more && { more }) }
        })
  }
}

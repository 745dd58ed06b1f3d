import { MAX_TOOL_ARGUMENTS } from '../../shared/answer-parts.ts'
import type { JsonObject } from '../../shared/strict-json.ts'
import { CallMembers, withMembers } from '../../shared/call-members.ts'
import { CallReader, type CallDelta, type CallEvent } from '../gateway/answer/index.ts'
import type { RequestedCall } from '../tools/index.ts'

interface Call {
  readonly id: string
  readonly name: string
  /** A tool that takes text instead of JSON. No server tool is of this type. */
  readonly isCustom: boolean
  readonly isServerTool: boolean
  /** Its place among the calls that the caller gets. */
  readonly index: number
  arguments: string
}

/**
 * The calls of one request. The first call decides whose turn it is. If it's a server tool's, Sotto runs those, and the
 * calls of the caller's tools get an error that asks the model to repeat them. Otherwise the caller gets its
 * calls as they arrive, and those of server tools are left out. So no call runs whose result would be lost: the caller's
 * next request can't contain the results of server tools.
 */
export class RoundCalls {
  readonly #reader: CallReader
  readonly #isServerTool: (name: string) => boolean
  /** By number, in the order in which they got their names. */
  readonly #calls = new Map<number, Call>()
  /** By the call's number, also before it has a name. */
  readonly #members = new Map<number, CallMembers>()
  #forCaller = 0
  #areRunHere: boolean | undefined

  /** @param idPrefix of calls to which the model gives no ID */
  constructor(isServerTool: (name: string) => boolean, idPrefix: string) {
    this.#isServerTool = isServerTool
    this.#reader = new CallReader((call) => `${idPrefix}${String(call)}`)
  }

  /** Whether Sotto runs the calls of this request. */
  get areRunHere(): boolean {
    return this.#areRunHere === true
  }

  /** All calls for the loop. It can't answer a custom one, which the model then repeats. */
  get requested(): RequestedCall[] {
    return [...this.#calls]
      .filter(([, { isCustom }]) => !isCustom)
      .map(([number, { id, name, arguments: args }]) => ({
        id,
        name,
        arguments: args,
        more: this.#members.get(number)?.all,
      }))
  }

  /** The calls that the caller gets in an answer in one piece. */
  get forCaller(): JsonObject[] {
    if (this.areRunHere) return []
    return [...this.#calls]
      .filter(([, { isServerTool }]) => !isServerTool)
      .map(([number, call]) =>
        withMembers(this.#members.get(number)?.all, { ...headOf(call), ...inputOf(call, call) }),
      )
  }

  /** @returns the pieces for the caller, as `tool_calls` of a chunk has them */
  read(deltas: readonly CallDelta[]): JsonObject[] {
    return deltas.flatMap((delta) => this.#one(delta))
  }

  /** @throws {SottoError} service/response-invalid – a call never got a name */
  end(): void {
    this.#reader.end()
  }

  #one(delta: CallDelta): JsonObject[] {
    const { custom, more } = delta
    const events = this.#reader.read([
      custom ? { ...delta, function: { name: custom.name, arguments: custom.input } } : delta,
    ])
    const number = this.#reader.callAt(delta.index) ?? 0
    const isAdded = more !== undefined && this.#membersOf(number).add(more)
    const pieces = events.map((event): JsonObject => {
      if (event.kind === 'begin') return this.#begin(event, Boolean(custom))
      const call = this.#calls.get(number)
      if (!call) return {}
      // The caller's own calls have no limit here.
      call.arguments += call.isServerTool
        ? event.text.slice(0, Math.max(0, MAX_TOOL_ARGUMENTS - call.arguments.length))
        : event.text
      return { index: call.index, ...inputOf(call, { arguments: event.text }) }
    })
    const call = this.#calls.get(number)
    if (!call || call.isServerTool || this.areRunHere) return []
    // The first piece has all earlier members.
    return isAdded && !events.some(({ kind }) => kind === 'begin')
      ? [...pieces, { index: call.index, ...more }]
      : pieces
  }

  #membersOf(number: number): CallMembers {
    const members = this.#members.get(number) ?? new CallMembers()
    this.#members.set(number, members)
    return members
  }

  #begin({ call: number, id, name }: CallEvent & { kind: 'begin' }, isCustom: boolean): JsonObject {
    const isServerTool = !isCustom && this.#isServerTool(name)
    this.#areRunHere ??= isServerTool
    const index = isServerTool ? -1 : this.#forCaller++
    const call: Call = { id, name, isCustom, isServerTool, index, arguments: '' }
    this.#calls.set(number, call)
    return withMembers(this.#members.get(number)?.all, { index, ...headOf(call), ...inputOf(call, call) })
  }
}

function headOf({ id, isCustom }: Call): JsonObject {
  return { id, type: isCustom ? 'custom' : 'function' }
}

function inputOf(
  { isCustom }: Call,
  { name, arguments: args }: { readonly name?: string; readonly arguments: string },
): JsonObject {
  return isCustom
    ? { custom: { ...(name !== undefined && { name }), input: args } }
    : { function: { ...(name !== undefined && { name }), arguments: args } }
}

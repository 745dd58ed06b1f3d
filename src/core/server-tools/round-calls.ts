import { MAX_TOOL_ARGUMENTS } from '../../shared/answer-parts.ts'
import { CallReader, type CallDelta } from '../gateway/answer/index.ts'
import type { RequestedCall } from '../tools/index.ts'

interface Call {
  readonly id: string
  readonly name: string
  readonly isServerTool: boolean
  /** Its place among the calls that the caller gets. */
  readonly index: number
  arguments: string
}

/** A piece of a call for the caller, as `tool_calls` of a chunk has it. */
export interface CallerDelta {
  readonly index: number
  readonly id?: string
  readonly name?: string
  readonly arguments: string
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
  readonly #calls: Call[] = []
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

  /** All calls, for the loop. */
  get requested(): RequestedCall[] {
    return Object.values(this.#calls).map(({ id, name, arguments: args }) => ({ id, name, arguments: args }))
  }

  /** The calls that the caller gets. */
  get forCaller(): RequestedCall[] {
    if (this.areRunHere) return []
    return Object.values(this.#calls)
      .filter(({ isServerTool }) => !isServerTool)
      .map(({ id, name, arguments: args }) => ({ id, name, arguments: args }))
  }

  /** @returns the pieces for the caller */
  read(deltas: readonly CallDelta[]): CallerDelta[] {
    return this.#reader.read(deltas).flatMap((event): CallerDelta[] => {
      if (event.kind === 'begin') {
        const { id, name } = event
        const isServerTool = this.#isServerTool(name)
        this.#areRunHere ??= isServerTool
        const index = isServerTool ? -1 : this.#forCaller++
        this.#calls[event.call] = { id, name, isServerTool, index, arguments: '' }
        return isServerTool || this.areRunHere ? [] : [{ index, id, name, arguments: '' }]
      }
      const call = this.#calls[event.call]
      if (!call) return []
      // The caller's own calls have no limit here.
      call.arguments += call.isServerTool
        ? event.text.slice(0, Math.max(0, MAX_TOOL_ARGUMENTS - call.arguments.length))
        : event.text
      return call.isServerTool || this.areRunHere ? [] : [{ index: call.index, arguments: event.text }]
    })
  }

  /** @throws {SottoError} service/response-invalid – a call never got a name */
  end(): void {
    this.#reader.end()
  }
}

import { SottoError } from '../../../shared/errors.ts'
import { msg } from '../../../shared/localized-text.ts'
import type { CallDelta } from './step.ts'
import { JsonEnd } from './json-end.ts'

/** `call` counts from 0 in the order in which the calls began. */
export type CallEvent =
  | { readonly kind: 'begin'; readonly call: number; readonly id: string; readonly name: string }
  | { readonly kind: 'arguments'; readonly call: number; readonly text: string }

interface Call {
  readonly number: number
  id: string
  name: string
  begun: boolean
  /** Arguments that arrived before the call had a name. */
  pendingArguments: string
  /** Finds the end of its arguments. */
  readonly json: JsonEnd
}

const MAX_CALLS = 1000

/**
 * Joins the pieces of tool calls in order. Servers differ in which members they repeat and in how they number
 * calls.
 */
export class CallReader {
  readonly #fallbackId: (call: number) => string
  readonly #byIndex = new Map<number, Call>()
  #count = 0

  /** @param fallbackId returns the id of a call that has none */
  constructor(fallbackId: (call: number) => string) {
    this.#fallbackId = fallbackId
  }

  get count(): number {
    return this.#count
  }

  read(deltas: readonly CallDelta[]): CallEvent[] {
    return deltas.flatMap((delta) => this.#one(delta))
  }

  /** The number of the call that the newest piece with this index belongs to. */
  callAt(index: CallDelta['index']): number | undefined {
    return this.#byIndex.get(index ?? 0)?.number
  }

  /** @throws {SottoError} service/response-invalid – a call never got a name */
  end(): void {
    for (const { begun } of this.#byIndex.values())
      if (!begun)
        throw new SottoError('service/response-invalid', { detail: msg('A tool call has no name.') })
  }

  #one(delta: CallDelta): CallEvent[] {
    const call = this.#callOf(delta)
    const text = delta.function?.arguments ?? ''
    call.json.push(text)
    if (call.begun) return text === '' ? [] : [{ kind: 'arguments', call: call.number, text }]
    if (call.id === '') call.id = delta.id ?? ''
    call.name += delta.function?.name ?? ''
    call.pendingArguments += text
    if (call.name === '') return []
    call.begun = true
    const { number, id, name, pendingArguments } = call
    return [
      { kind: 'begin', call: number, id: id || this.#fallbackId(number), name },
      ...(pendingArguments === ''
        ? []
        : [{ kind: 'arguments' as const, call: number, text: pendingArguments }]),
    ]
  }

  #callOf({ index, id, function: called }: CallDelta): Call {
    const at = index ?? 0
    const known = this.#byIndex.get(at)
    if (known && !isAnother(known, id ?? '', called)) return known
    if (this.#count >= MAX_CALLS)
      throw new SottoError('service/response-invalid', {
        detail: msg('The response has too many tool calls.'),
      })
    const call: Call = {
      number: this.#count++,
      id: '',
      name: '',
      begun: false,
      pendingArguments: '',
      json: new JsonEnd(),
    }
    this.#byIndex.set(at, call)
    return call
  }
}

/**
 * Whether the piece begins another call. Some servers number every call 0. Another id with a name is another
 * call. Without an id, arguments after complete ones are another call.
 */
function isAnother({ begun, id: knownId, json }: Call, id: string, called: CallDelta['function']): boolean {
  if (!begun || !called?.name) return false
  return id === '' ? json.reached && Boolean(called.arguments?.trim()) : id !== knownId
}

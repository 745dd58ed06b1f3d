import { SottoError } from '../../../shared/errors.ts'
import { msg } from '../../../shared/localized-text.ts'
import type { JsonObject } from '../../../shared/strict-json.ts'
import type { CallDelta, CallReader } from '../answer/index.ts'
import { jsonObject } from './read-request.ts'

export interface WholeCall {
  readonly id: string
  readonly name: string
  readonly input: JsonObject
}

/** Collects tool calls, for dialects in which a call is one piece with an object as its arguments. */
export class WholeCalls {
  readonly #reader: CallReader
  readonly #begun: { readonly id: string; readonly name: string; json: string }[] = []

  constructor(reader: CallReader) {
    this.#reader = reader
  }

  read(deltas: readonly CallDelta[]): void {
    for (const event of this.#reader.read(deltas)) {
      if (event.kind === 'begin') this.#begun[event.call] = { id: event.id, name: event.name, json: '' }
      else {
        const call = this.#begun[event.call]
        if (call) call.json += event.text
      }
    }
  }

  /**
   * @param cutOff the token limit ended the answer: a call with incomplete arguments is omitted
   * @throws {SottoError} service/response-invalid – a call has no name, or its arguments aren't an object
   */
  end(cutOff: boolean): WholeCall[] {
    this.#reader.end()
    return this.#begun.flatMap(({ id, name, json }) => {
      const input = inputOf(json)
      if (input) return [{ id, name, input }]
      if (cutOff) return []
      throw new SottoError('service/response-invalid', {
        detail: msg('A tool call’s arguments aren’t a JSON object.'),
      })
    })
  }
}

function inputOf(json: string): JsonObject | undefined {
  if (json.trim() === '') return {}
  try {
    return jsonObject.safeParse(JSON.parse(json)).data
  } catch {
    return undefined
  }
}

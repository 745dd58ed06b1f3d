import { unsupported } from '../read-request.ts'

/**
 * Tracks the tool calls of a conversation that have no result yet. Ollama's results name a tool or nothing;
 * those of a chat completion name a call.
 */
export class PendingCalls {
  #calls: { readonly id: string; readonly name: string }[] = []
  #count = 0

  /** @returns the ID of the call, which is generated if its message has none */
  add(name: string, id = `call_${this.#count}`): string {
    this.#count += 1
    this.#calls.push({ id, name })
    return id
  }

  /**
   * @returns the ID of the result's call: by its ID, by the name of its tool, or the oldest
   * @throws {SottoError} dialect/unsupported – no pending call matches
   */
  take(
    {
      tool_call_id: id,
      tool_name: name,
    }: { readonly tool_call_id?: string | undefined; readonly tool_name?: string | undefined },
    param: string,
  ): string {
    const call = this.#calls.find((each) =>
      id === undefined ? name === undefined || each.name === name : each.id === id,
    )
    if (!call) throw unsupported(param, 'The result must follow the message with its tool call.')
    this.#calls = this.#calls.filter((each) => each !== call)
    return call.id
  }
}

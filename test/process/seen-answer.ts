import type { ChatEvent } from '../../src/shared/contract/sotto-contract.ts'

/** The parts of an answer that a stream of chat events has shown, with their times. */
export class SeenAnswer {
  readonly events: ChatEvent[] = []
  readonly #pieces: { readonly text: string; readonly at: number }[] = []
  #rest = ''

  async read(body: AsyncIterable<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    for await (const chunk of body) {
      const blocks = (this.#rest + decoder.decode(chunk, { stream: true })).split('\n\n')
      this.#rest = blocks.pop() ?? ''
      for (const block of blocks) this.#take(/^data: (.+)$/m.exec(block)?.[1])
    }
  }

  /** The text that had arrived this many ms ago. */
  before(ms: number): string {
    const until = performance.now() - ms
    return this.#pieces
      .filter(({ at }) => at <= until)
      .map(({ text }) => text)
      .join('')
  }

  #take(data: string | undefined): void {
    if (data === undefined) return
    const { json } = JSON.parse(data) as { json?: ChatEvent | null }
    if (!json || !('type' in json)) return
    this.events.push(json)
    if (json.type === 'delta' && json.text !== undefined)
      this.#pieces.push({ text: json.text, at: performance.now() })
  }
}

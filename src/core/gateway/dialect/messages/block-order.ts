import { JsonEnd } from '../../answer/index.ts'
import { SottoError } from '../../../../shared/errors.ts'
import { msg } from '../../../../shared/localized-text.ts'

/** The content of a block: text, thinking, or the tool call of this number. */
export type BlockKey = 'text' | 'thinking' | number

export interface BlockSink {
  open(key: BlockKey): void
  piece(key: BlockKey, text: string): void
  close(key: BlockKey): void
}

interface Waiting {
  readonly key: BlockKey
  text: string
}

/**
 * Writes content blocks one after another, as this dialect requires, although pieces of parallel tool calls
 * may alternate. A piece is written at once if its block is open or can be opened. It waits only while the
 * arguments of another call are incomplete.
 */
export class BlockOrder {
  readonly #sink: BlockSink
  #open: BlockKey | null = null
  #json = new JsonEnd()
  readonly #closedCalls = new Set<number>()
  readonly #waiting: Waiting[] = []

  constructor(sink: BlockSink) {
    this.#sink = sink
  }

  /** @param text empty at the beginning of a call */
  add(key: BlockKey, text: string): void {
    if (key === this.#open) this.#write(key, text)
    else if (typeof key === 'number' && this.#closedCalls.has(key)) refuseRest(text)
    else if (this.#waiting.length === 0 && this.#mayClose()) this.#begin(key, text)
    else this.#wait(key, text)
    while (this.#waiting.length > 0 && this.#mayClose()) this.#next()
  }

  /** Writes the waiting pieces, and closes the last block. */
  end(): void {
    while (this.#waiting.length > 0) this.#next()
    this.#close()
  }

  #mayClose(): boolean {
    return typeof this.#open !== 'number' || this.#json.reached
  }

  #next(): void {
    const next = this.#waiting.shift()
    if (next) this.#begin(next.key, next.text)
  }

  #wait(key: BlockKey, text: string): void {
    const last = this.#waiting.at(-1)
    const same =
      typeof key === 'number'
        ? this.#waiting.find((waiting) => waiting.key === key)
        : last?.key === key
          ? last
          : undefined
    if (same) same.text += text
    else this.#waiting.push({ key, text })
  }

  #begin(key: BlockKey, text: string): void {
    this.#close()
    this.#open = key
    this.#json = new JsonEnd()
    this.#sink.open(key)
    this.#write(key, text)
  }

  #write(key: BlockKey, text: string): void {
    if (text === '') return
    if (typeof key === 'number') this.#json.push(text)
    this.#sink.piece(key, text)
  }

  #close(): void {
    if (this.#open === null) return
    this.#sink.close(this.#open)
    if (typeof this.#open === 'number') this.#closedCalls.add(this.#open)
    this.#open = null
  }
}

function refuseRest(text: string): void {
  if (text.trim() !== '')
    throw new SottoError('service/response-invalid', {
      detail: msg('A tool call’s arguments continue past their end.'),
    })
}

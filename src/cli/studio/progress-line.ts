import { formatDuration } from '../../shared/duration.ts'
import { terminalSafe } from '../chat.ts'
import { shortened } from './words.ts'

const TICK_MS = 1000
const WIDTH = 80

/** A progress line at the bottom of a terminal, with the elapsed time. Without a terminal it shows nothing. */
export class ProgressLine {
  readonly #stream: Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>
  #text = ''
  #since = 0
  #timer: NodeJS.Timeout | undefined

  constructor(stream: Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>) {
    this.#stream = stream
  }

  /** @param since Unix ms from which the time is counted; by default from when a text was first shown */
  show(text: string, since?: number): void {
    if (!this.#stream.isTTY) return
    this.#since = since ?? (this.#since || Date.now())
    this.#text = text
    this.#timer ??= setInterval(() => this.#draw(), TICK_MS).unref()
    this.#draw()
  }

  /** A line that stays, for a person. */
  say(line: string): void {
    this.#clear()
    this.#stream.write(`${terminalSafe(line)}\n`)
    if (this.#text !== '') this.#draw()
  }

  end(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#clear()
    this.#text = ''
    this.#since = 0
  }

  #draw(): void {
    const line = terminalSafe(`${this.#text} · ${formatDuration(Date.now() - this.#since)}`)
    // Cut by whole characters: a longer line would wrap, and could not be drawn over.
    this.#stream.write(`\r\u001b[K${shortened(line, (this.#stream.columns || WIDTH) - 1)}`)
  }

  #clear(): void {
    if (this.#text !== '' && this.#stream.isTTY) this.#stream.write('\r\u001b[K')
  }
}

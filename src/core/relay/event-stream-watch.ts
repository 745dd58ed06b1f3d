import { z } from 'zod'
import { GatheredBytes } from '../../shared/gathered-bytes.ts'
import type { TokenUsage } from '../../shared/receipt.ts'

/** An event larger than this is passed on unexamined, as it comes. */
const MAX_EVENT_BYTES = 8 * 1024 * 1024
const EMPTY = Buffer.alloc(0)
const LF = 0x0a
const CR = 0x0d

const usageSchema = z
  .object({ prompt_tokens: z.int().min(0), completion_tokens: z.int().min(0) })
  .transform((usage): TokenUsage => ({ prompt: usage.prompt_tokens, completion: usage.completion_tokens }))

const usageChunkSchema = z.object({ usage: usageSchema, choices: z.array(z.unknown()).optional() })

/** The token counts of a chat completion, where it gives them. */
export function usageOf(answer: unknown): TokenUsage | undefined {
  const parsed = usageChunkSchema.safeParse(answer)
  return parsed.success ? parsed.data.usage : undefined
}

/**
 * Watches a chat completion's event stream go by (WHATWG HTML section 9.2): whether `[DONE]` came, which is the only
 * proof that nothing was cut off, and the token counts. Bytes pass on event by event, unchanged; the usage event is
 * taken out where the caller had not asked for it.
 */
export class EventStreamWatch {
  done = false
  usage: TokenUsage | undefined
  readonly #dropUsageEvent: boolean
  /** The beginning of an event. */
  readonly #held = new GatheredBytes()
  /** The last byte of the event that has begun; 0 between two. */
  #last = 0
  /** Nothing was examined yet: a byte order mark may come first. */
  #atStart = true
  /** Within an event that is too large to be held: its bytes pass on as they come. */
  #oversized = false
  /** What became of an event that ended in a CR, and so of the LF that may yet come and belong to it. */
  #openEnd: 'passed' | 'dropped' | undefined

  constructor({ dropUsageEvent }: { dropUsageEvent: boolean }) {
    this.#dropUsageEvent = dropUsageEvent
  }

  /** The whole events that `bytes` completes, to pass on; often empty. Keeps a reference to `bytes`. */
  push(bytes: Uint8Array): Uint8Array {
    const incoming = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const openEnd = this.#openEnd
    if (openEnd === undefined || incoming.length === 0) return this.#take(incoming)
    this.#openEnd = undefined
    if (incoming[0] !== LF) return this.#take(incoming)
    const events = this.#take(incoming.subarray(1))
    return openEnd === 'passed' ? Buffer.concat([incoming.subarray(0, 1), events]) : events
  }

  /**
   * Where the stream ends: what was held back. An event without its empty line is none to a reader, and what comes after it would
   * be read as more of it; so it is passed on only where it says that the stream is done.
   */
  end(): Uint8Array {
    if (this.#held.bytes === 0) return EMPTY
    const rest = this.#examine(this.#released(EMPTY))
    return this.done ? rest : EMPTY
  }

  #take(incoming: Buffer): Uint8Array {
    const end = endOfLastEvent(incoming, this.#last)
    if (end === 0) return this.#keep(incoming)
    const [whole, begun] = [incoming.subarray(0, end), incoming.subarray(end)]
    const tail = this.#oversized ? endOfFirstEvent(whole, 0, this.#last) : 0
    const events = this.#examine(this.#released(whole.subarray(tail)))
    this.#oversized = false
    this.#last = 0
    if (begun.length > 0) this.#openEnd = undefined
    this.#keep(begun)
    return tail === 0 ? events : Buffer.concat([whole.subarray(0, tail), events])
  }

  /** Holds the beginning of an event back. */
  #keep(begun: Buffer): Uint8Array {
    this.#last = begun.at(-1) ?? this.#last
    if (this.#oversized) return begun
    if (begun.length > 0) this.#held.add(begun)
    if (this.#held.bytes <= MAX_EVENT_BYTES) return EMPTY
    this.#oversized = true
    return this.#released(EMPTY)
  }

  #released(and: Buffer): Buffer {
    if (this.#held.bytes === 0) return and
    this.#held.add(and)
    const { buffer, byteOffset, byteLength } = this.#held.take()
    return Buffer.from(buffer, byteOffset, byteLength)
  }

  #examine(events: Buffer): Uint8Array {
    const atStart = this.#atStart
    this.#atStart = false
    this.#openEnd = events.at(-1) === CR ? 'passed' : undefined
    if (!events.includes('"usage"') && !events.includes('[DONE]')) return events
    const kept: Buffer[] = []
    for (let at = 0; at < events.length; ) {
      const end = endOfFirstEvent(events, at)
      const event = events.subarray(at, end)
      const text = event.toString('utf8')
      if (!this.#note(atStart && at === 0 && text.startsWith('\uFEFF') ? text.slice(1) : text)) kept.push(event)
      else if (end === events.length && this.#openEnd) this.#openEnd = 'dropped'
      at = end
    }
    return kept.length === 1 && kept[0] ? kept[0] : Buffer.concat(kept)
  }

  /** True where the event is to be taken out. */
  #note(event: string): boolean {
    const data = event
      .split(/\r\n|\n|\r/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(line.startsWith('data: ') ? 6 : 5))
      .join('\n')
    if (data === '[DONE]') this.done = true
    if (!data.includes('"usage"')) return false
    let chunk: unknown
    try {
      chunk = JSON.parse(data)
    } catch {
      return false
    }
    const parsed = usageChunkSchema.safeParse(chunk)
    if (!parsed.success) return false
    this.usage = parsed.data.usage
    return this.#dropUsageEvent && parsed.data.choices?.length === 0
  }
}

/** A line ends in LF, CR or both, and an event in an empty line: so where one of these stands, and the LF after a CR. */
const ENDS = ['\n\n', '\n\r', '\r\r']

/** Where the last whole event ends, or 0. @param last the byte before these */
function endOfLastEvent(bytes: Buffer, last: number): number {
  let end = isEnd(last, bytes[0]) ? 1 : 0
  // Few streams have a CR at all.
  for (const pair of bytes.includes(CR) ? ENDS : ['\n\n']) {
    const at = bytes.lastIndexOf(pair)
    if (at >= 0) end = Math.max(end, at + pair.length)
  }
  return withLineFeed(bytes, end)
}

function endOfFirstEvent(bytes: Buffer, from: number, last = 0): number {
  let before = last
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (isEnd(before, byte)) return withLineFeed(bytes, at + 1)
    before = byte
  }
  return bytes.length
}

function isEnd(before: number, byte: number | undefined): boolean {
  return before === LF ? byte === LF || byte === CR : before === CR && byte === CR
}

function withLineFeed(bytes: Buffer, end: number): number {
  return end > 0 && bytes[end - 1] === CR && bytes[end] === LF ? end + 1 : end
}

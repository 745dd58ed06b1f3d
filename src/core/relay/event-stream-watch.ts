import { z } from 'zod'
import { tokenUsageSchema, type TokenUsage } from '../../shared/receipt.ts'

/** An event larger than this is passed on unexamined. */
const MAX_EVENT_BYTES = 8 * 1024 * 1024
const EMPTY = new Uint8Array(0)

const usageSchema = z
  .object({ prompt_tokens: z.int().min(0), completion_tokens: z.int().min(0) })
  .transform((usage) => tokenUsageSchema.parse({ prompt: usage.prompt_tokens, completion: usage.completion_tokens }))

const usageChunkSchema = z.object({ usage: usageSchema, choices: z.array(z.unknown()).optional() })

/** The token counts of a chat completion, where it gives them. */
export function usageOf(answer: unknown): TokenUsage | undefined {
  const parsed = usageChunkSchema.safeParse(answer)
  return parsed.success ? parsed.data.usage : undefined
}

/**
 * Watches a chat completion's event stream go by (WHATWG server-sent events): whether `[DONE]` came, which is the only
 * proof that nothing was cut off, and the token counts. Bytes pass on event by event, unchanged; the usage event is
 * taken out where the caller had not asked for it.
 */
export class EventStreamWatch {
  done = false
  usage: TokenUsage | undefined
  readonly #dropUsageEvent: boolean
  #held: Buffer = Buffer.alloc(0)

  constructor({ dropUsageEvent }: { dropUsageEvent: boolean }) {
    this.#dropUsageEvent = dropUsageEvent
  }

  /** The whole events that `bytes` completes, to pass on; often empty. */
  push(bytes: Uint8Array): Uint8Array {
    const incoming = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const all = this.#held.length === 0 ? incoming : Buffer.concat([this.#held, incoming])
    const end = all.length > MAX_EVENT_BYTES ? all.length : endOfLastEvent(all)
    if (end === 0) {
      this.#held = all
      return EMPTY
    }
    this.#held = all.subarray(end)
    return this.#examine(all.subarray(0, end))
  }

  /** What was held back, at the end of the stream. */
  flush(): Uint8Array {
    const rest = this.#held
    this.#held = Buffer.alloc(0)
    return rest.length === 0 ? EMPTY : this.#examine(rest)
  }

  #examine(events: Buffer): Uint8Array {
    if (!events.includes('"usage"') && !events.includes('[DONE]')) return events
    const kept: Buffer[] = []
    for (let at = 0; at < events.length; ) {
      const end = endOfFirstEvent(events, at)
      const event = events.subarray(at, end)
      if (!this.#note(event.toString('utf8'))) kept.push(event)
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

/** Where the last whole event ends, or 0. */
function endOfLastEvent(bytes: Buffer): number {
  return Math.max(...['\n\n', '\r\n\r\n', '\r\r'].map((blank) => {
    const at = bytes.lastIndexOf(blank)
    return at < 0 ? 0 : at + blank.length
  }))
}

function endOfFirstEvent(bytes: Buffer, from: number): number {
  return Math.min(...['\n\n', '\r\n\r\n', '\r\r'].map((blank) => {
    const at = bytes.indexOf(blank, from)
    return at < 0 ? bytes.length : at + blank.length
  }))
}

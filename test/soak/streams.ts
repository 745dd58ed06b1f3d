/** The settings that the three processes share: the number, rate and length of the streams. */
export interface Soak {
  readonly streams: number
  readonly eventsPerSecond: number
  readonly seconds: number
}

export const PLAINTEXT_MODEL = 'soak/open'
export const PRIVATE_MODEL = 'private/soak'

const TEXT = /"content":"(\d+) (\d+) ([\d.]+) "/

/** One event of a stream: its number, and when it was written (ms, by the clock that all processes share). */
export function eventOf(stream: number, number: number): string {
  return `data: {"id":"chatcmpl-soak","object":"chat.completion.chunk","model":"soak","choices":[{"index":0,"delta":{"content":"${String(stream)} ${String(number)} ${sharedNow().toFixed(2)} "}}]}\n\n`
}

export function readEvent(event: string): { stream: number; number: number; at: number } | null {
  const found = TEXT.exec(event)
  return found && { stream: Number(found[1]), number: Number(found[2]), at: Number(found[3]) }
}

export function sharedNow(): number {
  return performance.timeOrigin + performance.now()
}

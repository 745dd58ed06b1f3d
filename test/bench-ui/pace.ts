import { setTimeout as pause } from 'node:timers/promises'
import { CHARS_PER_TOKEN } from './texts.ts'

/**
 * Emits a text token by token at this rate of wall-clock time. If a timer is late, the missed tokens are
 * emitted at once.
 */
export async function atPace(
  text: string,
  perSecond: number,
  give: (token: string) => void,
  stopped: () => boolean,
): Promise<void> {
  const start = performance.now()
  const tokens = Math.ceil(text.length / CHARS_PER_TOKEN)
  for (let sent = 0; sent < tokens && !stopped();) {
    const due = Math.min(tokens, Math.floor(((performance.now() - start) / 1000) * perSecond))
    for (; sent < due; sent += 1) give(text.slice(sent * CHARS_PER_TOKEN, (sent + 1) * CHARS_PER_TOKEN))
    await pause(1000 / perSecond)
  }
}

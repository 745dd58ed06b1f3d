import { createInterface } from 'node:readline/promises'
import { inEnglish } from '../shared/say.ts'
import { terminalSafe } from './chat.ts'
import type { DoorClient } from './door-client.ts'

const LOOK_EVERY_MS = 300

/**
 * Does what may have to be confirmed with the code that the terminal which runs Sotto shows. Where somebody sits at this
 * one, it is asked for here; otherwise the work waits for the desktop's dialog, or until the question has run out.
 */
export async function confirmHere<T>(client: DoorClient, work: Promise<T>): Promise<T> {
  const settled = new AbortController()
  const done = work.finally(() => settled.abort())
  // It is awaited at the end; until then its failure has a listener.
  const quiet = done.catch(() => undefined)
  const said = new Set<string>()
  for (;;) {
    await Promise.race([quiet, pause()])
    if (settled.signal.aborted) return done
    const question = await client.confirmations.pending()
    if (!question) continue
    if (!said.has(question.id)) process.stderr.write(`Asked: ${terminalSafe(inEnglish(question.says))}\n`)
    said.add(question.id)
    if (process.stdin.isTTY) await answer(client, question.id, settled.signal)
  }
}

/** Until it is answered here, or otherwise. */
async function answer(client: DoorClient, id: string, settled: AbortSignal): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const code = (await terminal.question('The code that the terminal which runs Sotto shows: ', { signal: settled })).trim()
    if (code === '') return
    const { accepted } = await client.confirmations.answer({ id, code: code.slice(0, 16) })
    if (!accepted) process.stderr.write('This is not the code.\n')
  } catch (failure) {
    if (!settled.aborted) throw failure
    process.stderr.write('\n')
  } finally {
    terminal.close()
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
}

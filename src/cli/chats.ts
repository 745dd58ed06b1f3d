import { createReadStream } from 'node:fs'
import { readSettings } from '../host/index.ts'
import type { ExportFormat } from '../shared/library/conversation-file.ts'
import type { ImportReport } from '../shared/library/import-report.ts'
import { MAX_IMPORT_PIECE } from '../shared/library/limits.ts'
import type { SearchAnswer } from '../shared/library/search.ts'
import { say } from '../shared/say.ts'
import { terminalSafe } from './chat.ts'
import { failureOf, type DoorClient } from './door-client.ts'
import { failure, printFailure } from './print-failure.ts'
import { throughDoor } from './through-door.ts'

const AGAIN_MS = 100

/** Exit code 1 where nothing was found, as grep has it. */
export function searchChats(question: string, { limit, json }: { limit: number; json: boolean }): Promise<number> {
  return withDoor(json, async ({ library }, signal) => {
    let answer: SearchAnswer
    // What is not read into the index yet is not found yet.
    while ((answer = await library.search({ question, limit }, { signal })).reading) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    if (json) await write(`${JSON.stringify(answer.found)}\n`)
    else for (const { conversation, excerpts } of answer.found) await write(`${conversation.id}  ${lineOf(conversation.title)}\n${excerpts.map(({ excerpt }) => `    ${lineOf(excerpt.text)}\n`).join('')}`)
    if (!json && answer.found.length === 0) process.stderr.write('No conversation has these words.\n')
    return answer.found.length > 0 ? 0 : 1
  })
}

/** `sotto chats export`: on standard output, and not encrypted. Exit code 0 where all could be read, 1 where not, 130 where Ctrl-C stopped it. */
export function exportChats({ format, conversation }: { format: ExportFormat; conversation?: string }): Promise<number> {
  return withDoor(false, async ({ library }, signal) => {
    for await (const event of await library.export({ format, ...(conversation !== undefined && { conversationId: conversation }) }, { signal })) {
      if (event.type === 'text') await write(event.text)
      if (event.type === 'ended') {
        process.stderr.write(`${String(event.conversations)} saved${event.unreadable > 0 ? `; ${String(event.unreadable)} could not be read` : ''}\n`)
        return event.unreadable > 0 ? 1 : 0
      }
    }
    // A file that broke off is none.
    return 1
  })
}

/** Exit code 0 where all of it was taken in. */
export function importChats(path: string, { json }: { json: boolean }): Promise<number> {
  return withDoor(json, async (client, signal) => {
    const pieces = createReadStream(path, { highWaterMark: MAX_IMPORT_PIECE, signal })
    // A file that is not there is told before anything is begun.
    try {
      await new Promise((resolve, reject) => pieces.once('open', resolve).once('error', reject))
    } catch {
      printFailure(failure('library/not-conversations', say('The file cannot be read.')), json)
      return 1
    }
    const report = await sendAll(client, pieces, signal)
    if (json) await write(`${JSON.stringify(report)}\n`)
    else await write(wordsOf(report))
    return report.skipped === 0 && report.whole ? 0 : 1
  })
}

async function sendAll({ library }: DoorClient, pieces: AsyncIterable<unknown>, signal: AbortSignal): Promise<ImportReport> {
  const { importId } = await library.importBegin(undefined, { signal })
  const decoder = new TextDecoder()
  for await (const piece of pieces) {
    const text = piece instanceof Uint8Array ? decoder.decode(piece, { stream: true }) : ''
    if (text !== '') await library.importPiece({ importId, text }, { signal })
  }
  return library.importEnd({ importId, stopped: false }, { signal })
}

function wordsOf({ conversations, messages, skipped, skips, leftOut, whole }: ImportReport): string {
  const lines = [`conversations taken in: ${String(conversations)}, with messages: ${String(messages)}`]
  for (const [kind, count] of Object.entries(leftOut)) lines.push(`left out: ${kind}, ${String(count)}`)
  for (const { at, title, reason } of skips) lines.push(`skipped: number ${String(at)}${title === null ? '' : ` (${lineOf(title)})`}, ${reason}`)
  if (skipped > skips.length) lines.push(`skipped in all: ${String(skipped)}`)
  if (!whole) lines.push('the file breaks off before its end')
  return `${lines.join('\n')}\n`
}

/** Ctrl-C stops it; what was taken in before stays. */
async function withDoor(json: boolean, work: (client: DoorClient, signal: AbortSignal) => Promise<number>): Promise<number> {
  const stop = new AbortController()
  const onInterrupt = (): void => stop.abort()
  process.once('SIGINT', onInterrupt)
  try {
    return await throughDoor(await readSettings(), (client) => work(client, stop.signal))
  } catch (thrown) {
    if (stop.signal.aborted) return 130
    const failed = failureOf(thrown)
    if (!failed) throw thrown
    printFailure(failed, json)
    return 1
  } finally {
    process.off('SIGINT', onInterrupt)
  }
}

function lineOf(text: string): string {
  return terminalSafe(text).replace(/\s+/g, ' ')
}

/** Settles once whoever reads has room for more. */
function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())))
}

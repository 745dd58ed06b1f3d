import { createReadStream } from 'node:fs'
import { readSettings } from '../host/index.ts'
import type { ExportFormat } from '../shared/library/conversation-file.ts'
import { leftOutKinds, type ImportReport } from '../shared/library/import-report.ts'
import { MAX_IMPORT_PIECE } from '../shared/library/limits.ts'
import type { SearchAnswer } from '../shared/library/search.ts'
import { msg } from '../shared/localized-text.ts'
import { terminalSafe } from './chat.ts'
import { counted } from './format.ts'
import { failureOf, type ContractClient } from './client.ts'
import { leftOutNames, skipReasonNames } from './labels.ts'
import { failure, printFailure, withClient } from './with-client.ts'

const AGAIN_MS = 100

/** Returns exit code 1 if nothing matches, as grep does. */
export function searchChats(
  question: string,
  { limit, json }: { limit: number; json: boolean },
): Promise<number> {
  return withContract(json, async ({ library }, signal) => {
    let answer: SearchAnswer
    // A search finds only what is in the index, which is built in the background.
    while ((answer = await library.search({ question, limit }, { signal })).reading)
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    if (json) await write(`${JSON.stringify(answer.found)}\n`)
    else
      for (const { conversation, excerpts } of answer.found)
        await write(
          `${conversation.id}  ${lineOf(conversation.title)}\n${excerpts.map(({ excerpt }) => `    ${lineOf(excerpt.text)}\n`).join('')}`,
        )
    if (!json && answer.found.length === 0) process.stderr.write('No matches.\n')
    return answer.found.length > 0 ? 0 : 1
  })
}

/** `sotto chats export`: prints to standard output, unencrypted. Exit code 0 if everything could be read, 1 if not, 130 after Ctrl-C. */
export function exportChats({
  format,
  conversation,
}: {
  format: ExportFormat
  conversation?: string
}): Promise<number> {
  return withContract(false, async ({ library }, signal) => {
    for await (const event of await library.export(
      { format, ...(conversation !== undefined && { conversationId: conversation }) },
      { signal },
    )) {
      if (event.type === 'text') await write(event.text)
      if (event.type === 'ended') {
        process.stderr.write(
          `Exported ${counted(event.conversations, 'chat', 'chats')}${event.unreadable > 0 ? `. ${String(event.unreadable)} couldn’t be read` : ''}.\n`,
        )
        return event.unreadable > 0 ? 1 : 0
      }
    }
    // An export that ended early is incomplete.
    return 1
  })
}

/** Returns exit code 0 if the whole file was imported. */
export function importChats(path: string, { json }: { json: boolean }): Promise<number> {
  return withContract(json, async (client, signal) => {
    const pieces = createReadStream(path, { highWaterMark: MAX_IMPORT_PIECE, signal })
    // A missing file is reported before the import starts.
    try {
      await new Promise((resolve, reject) => pieces.once('open', resolve).once('error', reject))
    } catch {
      printFailure(failure('library/not-conversations', msg('Couldn’t read “{path}”.', { path })), json)
      return 1
    }
    const report = await sendAll(client, pieces, signal)
    if (json) await write(`${JSON.stringify(report)}\n`)
    else await write(wordsOf(report))
    return report.skipped === 0 && report.whole ? 0 : 1
  })
}

async function sendAll(
  { library }: ContractClient,
  pieces: AsyncIterable<unknown>,
  signal: AbortSignal,
): Promise<ImportReport> {
  const { importId } = await library.importBegin(undefined, { signal })
  const decoder = new TextDecoder()
  for await (const piece of pieces) {
    const text = piece instanceof Uint8Array ? decoder.decode(piece, { stream: true }) : ''
    if (text !== '') await library.importPiece({ importId, text }, { signal })
  }
  return library.importEnd({ importId, stopped: false }, { signal })
}

function wordsOf({ conversations, messages, skipped, skips, leftOut, whole }: ImportReport): string {
  const lines = [
    `Imported ${counted(conversations, 'chat', 'chats')} with ${counted(messages, 'message', 'messages')}.`,
  ]
  for (const kind of leftOutKinds)
    if (leftOut[kind] !== undefined)
      lines.push(`Not imported: ${counted(leftOut[kind], ...leftOutNames[kind])}.`)
  for (const { at, title, reason } of skips)
    lines.push(
      `Skipped: item ${String(at)}${title === null ? '' : ` (${lineOf(title)})`}: ${skipReasonNames[reason]}.`,
    )
  if (skipped > skips.length) lines.push(`Skipped in total: ${String(skipped)}.`)
  if (!whole) lines.push('The file is incomplete. The last part is missing.')
  return `${lines.join('\n')}\n`
}

/** Ctrl-C stops the work. Chats imported before that stay. */
async function withContract(
  json: boolean,
  work: (client: ContractClient, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const stop = new AbortController()
  const onInterrupt = (): void => stop.abort()
  process.once('SIGINT', onInterrupt)
  try {
    return await withClient(await readSettings(), (client) => work(client, stop.signal))
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

/** Settles when the reader has room for more. */
function write(text: string): Promise<void> {
  return new Promise((resolve, reject) =>
    process.stdout.write(text, (error) => (error ? reject(error) : resolve())),
  )
}

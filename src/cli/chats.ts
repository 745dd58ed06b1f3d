import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { ExportFormat } from '../shared/library/conversation-file.ts'
import { leftOutKinds, type ImportReport } from '../shared/library/import-report.ts'
import { readImportFiles, type ImportSourceFile } from '../shared/library/read-import-files.ts'
import type { SearchAnswer } from '../shared/library/search.ts'
import { sleep } from '../shared/sleep.ts'
import { counted, formatDate, terminalSafe, write } from './format.ts'
import type { ContractClient } from './client.ts'
import { readPieces, sizeOfInput } from './input-file.ts'
import { jsonLine } from './json-output.ts'
import { leftOutNames, skipReasonNames } from './labels.ts'
import { withStoppableClient } from './stoppable.ts'

const AGAIN_MS = 100

/** Returns exit code 1 if nothing matches, as grep does. */
export function searchChats(
  question: string,
  { limit, json }: { limit: number; json: boolean },
): Promise<number> {
  return withStoppableClient(json, async ({ library }, signal) => {
    let answer: SearchAnswer
    // A search finds only what is in the index, which is built in the background.
    while ((answer = await library.search({ question, limit }, { signal })).reading)
      await sleep(AGAIN_MS, signal)
    if (json) await write(`${jsonLine({ chats: answer.found })}\n`)
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
  return withStoppableClient(false, async ({ library }, signal) => {
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

/** Imports files, ZIP archives and folders. Returns exit code 0 if everything was imported. A preview saves nothing. Chats imported before Ctrl-C stay. */
export function importChats(
  paths: readonly string[],
  { json, preview }: { json: boolean; preview: boolean },
): Promise<number> {
  return withStoppableClient(json, async (client, signal) => {
    const files: string[] = []
    // A missing file is reported before the import starts.
    for (const path of paths) files.push(...(await filesIn(path)))
    const report = await sendAll(client, files, preview, signal)
    if (json) await write(`${jsonLine(report)}\n`)
    else await write(wordsOf(report, preview))
    return report.skipped === 0 && report.whole ? 0 : 1
  })
}

async function filesIn(path: string): Promise<string[]> {
  if (!(await stat(path).catch(() => null))?.isDirectory()) {
    await sizeOfInput(path)
    return [path]
  }
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && /\.(?:jsonl?|zip)$/i.test(entry.name))
    .map((entry) => join(path, relative(path, entry.parentPath), entry.name))
    .toSorted()
}

async function sendAll(
  { library }: ContractClient,
  paths: readonly string[],
  preview: boolean,
  signal: AbortSignal,
): Promise<ImportReport> {
  const { importId } = await library.importBegin({ preview }, { signal })
  const files = paths.map((path): ImportSourceFile => ({
    name: path,
    bytes: () => readPieces(path, signal),
  }))
  let otherFiles = 0
  try {
    for await (const input of readImportFiles(files)) {
      if (input.type === 'other-file') otherFiles += 1
      if (input.type === 'text')
        await library.importPiece({ importId, text: input.text, file: input.file }, { signal })
    }
  } catch (thrown) {
    // The first failure is reported. A piece that failed has ended the import already.
    await library.importEnd({ importId, stopped: true }).catch(() => undefined)
    throw thrown
  }
  return library.importEnd({ importId, stopped: false, otherFiles }, { signal })
}

function wordsOf(
  { conversations, messages, skipped, skips, leftOut, whole, from, to, otherFiles }: ImportReport,
  preview: boolean,
): string {
  const lines = [
    `${preview ? 'Found' : 'Imported'} ${counted(conversations, 'chat', 'chats')} with ${counted(messages, 'message', 'messages')}.`,
  ]
  if (preview && from !== undefined && to !== undefined)
    lines.push(`Dates: ${formatDate(from)} to ${formatDate(to)}.`)
  for (const kind of leftOutKinds)
    if (leftOut[kind] !== undefined)
      lines.push(`Not imported: ${counted(leftOut[kind], ...leftOutNames[kind])}.`)
  if (otherFiles) lines.push(`Files without chats: ${otherFiles.map(lineOf).join(', ')}.`)
  for (const { at, title, reason } of skips)
    lines.push(
      `Skipped: item ${String(at)}${title === null ? '' : ` (${lineOf(title)})`}: ${skipReasonNames[reason]}.`,
    )
  if (skipped > skips.length) lines.push(`Skipped in total: ${String(skipped)}.`)
  if (!whole) lines.push('The file is incomplete. The last part is missing.')
  return `${lines.join('\n')}\n`
}

function lineOf(text: string): string {
  return terminalSafe(text).replace(/\s+/g, ' ')
}

import { open } from 'node:fs/promises'
import { SottoError } from '../shared/errors.ts'
import { isPlainProjectFile } from '../shared/library/project-file-head.ts'
import { MAX_IMPORT_PIECE } from '../shared/library/limits.ts'
import { msg } from '../shared/localized-text.ts'
import { projectNamed } from './chat.ts'
import { CommandFailure, type ContractClient } from './client.ts'
import { promptNewPassphrase, readPassphrase, requireLongPassphrase } from './file-passphrase.ts'
import { counted, terminalSafe } from './format.ts'
import { readPieces } from './input-file.ts'
import { writeNewFile } from './new-file.ts'
import { promptSecret } from './passphrase.ts'
import { listenForInterrupt } from './stoppable.ts'
import { failure, print, withCommandClient } from './with-client.ts'

interface Options {
  /** Print a single line of JSON to standard output. */
  readonly json: boolean
  readonly passphraseFile?: string
}

/**
 * `sotto projects export`: writes a file that only its owner can read, and never overwrites one. A plain file is announced on
 * standard error before it's written. Returns 0, or 1 if something couldn't be read.
 */
export function exportProject(
  name: string,
  output: string,
  { json, passphraseFile, plain }: Options & { readonly plain: boolean },
): Promise<number> {
  return withCommandClient(json, async (client) => {
    const { id: projectId } = await projectNamed(client, name)
    const passphrase = plain ? undefined : await newPassphrase(passphraseFile)
    if (plain) process.stderr.write('The file isn’t encrypted. Everyone who has it can read the project.\n')
    const input = { projectId, ...(passphrase !== undefined && { passphrase }) }
    const {
      conversations,
      unreadable,
      unreadableFiles = 0,
    } = await writeNewFile(output, async (write) => {
      for await (const event of await client.projects.export(input)) {
        if (event.type === 'text') await write(event.text)
        if (event.type === 'ended') return event
      }
      // A file that ended early can't be imported.
      throw new CommandFailure(failure('store/damaged'))
    })
    const missing = unreadable + unreadableFiles
    print(
      json,
      { saved: output, encrypted: !plain, conversations, unreadable, unreadableFiles },
      `Saved to ${output}, with ${counted(conversations, 'chat', 'chats')}.${missing > 0 ? ` ${counted(missing, 'part', 'parts')} couldn’t be read.` : ''}`,
    )
    return missing > 0 ? 1 : 0
  })
}

/** `sotto projects import`. Ctrl-C ends the import, and nothing of it stays. Returns the exit code. */
export function importProject(path: string, { json, passphraseFile }: Options): Promise<number> {
  return withCommandClient(json, async (client) => {
    const head = await readHead(path)
    const passphrase = isPlainProjectFile(head)
      ? undefined
      : await (passphraseFile === undefined
          ? promptSecret('Passphrase of the project file: ')
          : readPassphrase(passphraseFile))
    const report = await sendFile(client, path, passphrase?.slice(0, 1000))
    const { projectId = '', conversations, messages } = report
    const { name, privateOnly } = await client.projects.get({ projectId })
    print(
      json,
      { projectId, name, privateOnly, conversations, messages },
      `Imported ${terminalSafe(name)}${privateOnly ? ' (private only)' : ''}, with ${counted(conversations, 'chat', 'chats')}.`,
    )
    return 0
  })
}

async function newPassphrase(file: string | undefined): Promise<string> {
  const passphrase = await (file === undefined
    ? promptNewPassphrase('New passphrase for the project file: ')
    : readPassphrase(file))
  requireLongPassphrase(passphrase)
  return passphrase
}

async function sendFile({ library, projects }: ContractClient, path: string, passphrase: string | undefined) {
  using interrupt = listenForInterrupt()
  const { signal } = interrupt
  const { importId } = await projects.importBegin(passphrase === undefined ? {} : { passphrase })
  // The mark of the byte order is part of the text.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  try {
    for await (const piece of readPieces(path, signal, MAX_IMPORT_PIECE / 2))
      await library.importPiece({ importId, text: decoder.decode(piece, { stream: true }) })
    signal.throwIfAborted()
  } catch (thrown) {
    // The first failure is reported. A piece that failed has ended the import already.
    await library.importEnd({ importId, stopped: true }).catch(() => undefined)
    throw signal.aborted ? new SottoError('request/canceled') : thrown
  }
  return await library.importEnd({ importId, stopped: false })
}

/** The beginning of the file. */
async function readHead(path: string): Promise<string> {
  const unreadable = (cause: unknown): never => {
    throw new SottoError('request/invalid', {
      detail: msg('Couldn’t read “{path}”.', { path }),
      cause,
    })
  }
  const file = await open(path).catch(unreadable)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1_000), 0, 1_000, 0).catch(unreadable)
    return buffer.subarray(0, bytesRead).toString('utf8')
  } finally {
    await file.close()
  }
}

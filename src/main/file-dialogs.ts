import { readFile, stat, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { t } from '@lingui/core/macro'
import {
  dialog,
  type BrowserWindow,
  type FileFilter,
  type OpenDialogOptions,
  type SaveDialogOptions,
} from 'electron'
import { z } from 'zod'
import {
  OPEN_FILE_CHANNEL,
  openableKinds,
  SAVE_CHANNEL,
  type OpenableKind,
  type OpenedFile,
  type Saved,
} from '../shared/desktop-channels.ts'
import { answer } from './ipc.ts'

/** The largest file of the window is an export of all conversations. */
const MAX_SAVED_BYTES = 1024 * 1024 * 1024

const saveSchema = z.strictObject({
  name: z.string().min(1).max(200),
  content: z.instanceof(Uint8Array).refine(({ byteLength }) => byteLength <= MAX_SAVED_BYTES),
})
const openFileSchema = z.enum(openableKinds)

const openable: Readonly<
  Record<OpenableKind, { readonly title: string; readonly filters: FileFilter[]; readonly maxBytes: number }>
> = {
  get 'recovery-copy'() {
    return {
      title: t`Open recovery copy`,
      filters: [{ name: t`Sotto recovery copy`, extensions: ['json'] }],
      maxBytes: 24 * 1024 * 1024,
    }
  },
  get 'image-measurements'() {
    return {
      title: t`Open PCR.json`,
      filters: [{ name: t`Image measurements`, extensions: ['json'] }],
      maxBytes: 1024 * 1024,
    }
  },
  get 'image-provenance'() {
    return {
      title: t`Open Sigstore bundle`,
      filters: [{ name: t`Sigstore bundle`, extensions: ['json', 'jsonl', 'sigstore'] }],
      maxBytes: 1024 * 1024,
    }
  },
}

/**
 * Offers the system's dialogs, in which the person chooses the location. The page learns neither path nor
 * folder. It can write only files that the person saves, and read only files that the person opens. One
 * dialog at a time: a request while another dialog is open is canceled.
 *
 * @returns asks where to save a file of the main process, and saves it there
 */
export function offerFileDialogs(
  parent: () => BrowserWindow | null,
): (name: string, content: Uint8Array) => Promise<Saved> {
  let dialogShown = false
  async function oneAtATime<T>(ask: () => Promise<T>): Promise<T | 'cancelled'> {
    if (dialogShown) return 'cancelled'
    dialogShown = true
    try {
      return await ask()
    } finally {
      dialogShown = false
    }
  }
  const saveFile = (name: string, content: Uint8Array): Promise<Saved> =>
    oneAtATime(() => save(parent(), plainName(name), content))
  answer(SAVE_CHANNEL, saveSchema, ({ name, content }) => saveFile(name, content))
  answer(OPEN_FILE_CHANNEL, openFileSchema, (kind) => oneAtATime(() => open(parent(), kind)))
  return saveFile
}

async function save(parent: BrowserWindow | null, name: string, content: Uint8Array): Promise<Saved> {
  const options: SaveDialogOptions = {
    defaultPath: name,
    properties: ['showOverwriteConfirmation', 'createDirectory'],
  }
  const { canceled, filePath } = await (parent
    ? dialog.showSaveDialog(parent, options)
    : dialog.showSaveDialog(options))
  if (canceled || filePath === '') return 'cancelled'
  try {
    await writeFile(filePath, content, { mode: 0o600 })
    return 'saved'
  } catch {
    dialog.showErrorBox(t`Couldn’t save the file`, t`Sotto can’t write to this location. Choose another one.`)
    return 'failed'
  }
}

async function open(parent: BrowserWindow | null, kind: OpenableKind): Promise<OpenedFile> {
  const { title, filters, maxBytes } = openable[kind]
  const options: OpenDialogOptions = { title, filters, properties: ['openFile', 'dontAddToRecent'] }
  const {
    canceled,
    filePaths: [path],
  } = await (parent ? dialog.showOpenDialog(parent, options) : dialog.showOpenDialog(options))
  if (canceled || path === undefined) return 'cancelled'
  try {
    const { size } = await stat(path)
    return size > maxBytes
      ? 'too-large'
      : { name: basename(path), content: new Uint8Array(await readFile(path)) }
  } catch {
    return 'failed'
  }
}

/**
 * An attacker may control the page's text. The result is a name without a path, and not one that a system
 * hides or uses for a device.
 */
function plainName(name: string): string {
  const visible = name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}<>:"/\\|?*]/gu, '_')
  // eslint-disable-next-line regexp/no-super-linear-move -- The schema allows at most 200 characters.
  const plain = visible.replace(/^[.\s]+|[.\s]+$/g, '')
  return /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i.test(plain) || plain === '' ? 'sotto.txt' : plain
}

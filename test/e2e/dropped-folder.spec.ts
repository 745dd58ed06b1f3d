import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { axeFaults } from './axe.ts'
import { dropPaths, writeFolder } from './files/drop.ts'
import { expect, test } from './window-test.ts'

/** Folders of this computer, dropped as the system drops them: the browser makes their entries itself. */
let base: string

test.beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'sotto-drop-'))
})
test.afterEach(async () => {
  await rm(base, { recursive: true, force: true })
})

const folderWith = (name: string, files: Readonly<Record<string, string>>) =>
  writeFolder(join(base, name), files)
const dialogOf = (page: Page, name: string) =>
  page.getByRole('dialog', { name: `Attach files from ${name}?` })

test('a dropped folder is counted, and only the chosen files are read', async ({
  window: { open, page, mock },
}) => {
  await open()
  const root = await folderWith('project', {
    'notes.md': 'the notes',
    'src/a.ts': 'export const a = 1',
    'src/deep/b.ts': 'export const b = 2',
    '.env': 'SECRET=1',
    'tool.exe': 'MZ\0\0',
    '.git/HEAD': 'ref: refs/heads/main',
    'node_modules/x/index.js': 'x',
  })
  const single = join(base, 'single.txt')
  await writeFile(single, 'alone')
  await dropPaths(page, root, single)
  const dialog = dialogOf(page, 'project')
  await expect(dialog).toContainText('Found 5 files.')
  // The file that was dropped with the folder is attached already.
  await expect(dialog).toContainText('You can attach up to 19 files.')
  await expect(dialog.getByRole('group', { name: /^Files \(3\)/ }).getByRole('checkbox')).toHaveCount(4)
  await expect(dialog.getByRole('checkbox', { name: 'project/src/deep/b.ts' })).toBeChecked()
  await expect(dialog.getByRole('checkbox', { name: 'project/.env' })).not.toBeChecked()
  await expect(dialog.getByRole('checkbox', { name: 'project/tool.exe' })).not.toBeChecked()
  await expect(dialog).toContainText('Skipped folders: project/.git, project/node_modules')
  expect(await axeFaults(page)).toEqual([])
  await dialog.getByRole('checkbox', { name: 'project/src/a.ts' }).uncheck()
  await expect(dialog).toContainText('2 files selected')
  await dialog.getByRole('button', { name: 'Attach files' }).click()
  await expect(page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveCount(3)
  await expect
    .poll(() =>
      [...mock.state.attachments.files.values()]
        .map(({ content }) => Buffer.from(content).toString())
        .toSorted(),
    )
    .toEqual(['alone', 'export const b = 2', 'the notes'])
})

test('more files than a message can have are listed with none selected, and the limit is enforced', async ({
  window: { open, page },
}) => {
  await open()
  const root = await folderWith(
    'many',
    Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`part-${String(at)}.txt`, `text ${String(at)}`]),
    ),
  )
  await dropPaths(page, root)
  const dialog = dialogOf(page, 'many')
  await expect(dialog).toContainText('0 files selected')
  await expect(dialog.getByRole('button', { name: 'Attach files' })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: /^Files/ }).check()
  await expect(dialog).toContainText('Select at most 20 files.')
  await expect(dialog.getByRole('button', { name: 'Attach files' })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: /^Files/ }).uncheck()
  await dialog.getByLabel('Filter').fill('part-2')
  await expect(dialog.getByRole('checkbox', { name: /part-/ })).toHaveCount(11)
  await dialog.getByRole('checkbox', { name: /^Files/ }).check()
  await dialog.getByRole('button', { name: 'Attach files' }).click()
  await expect(page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveCount(11)
})

test('a canceled folder attaches nothing', async ({ window: { open, page, mock } }) => {
  await open()
  await dropPaths(page, await folderWith('quiet', { 'a.txt': 'a' }))
  await dialogOf(page, 'quiet').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(mock.state.attachments.files.size).toBe(0)
})

test('counting can be stopped, and what was counted can be attached', async ({ window: { open, page } }) => {
  // The second folder doesn't answer, like one on a network.
  await page.addInitScript(() => {
    const { prototype } = DataTransferItem
    const original: unknown = Reflect.get(prototype, 'webkitGetAsEntry')
    const isFolder = (entry: unknown): entry is FileSystemDirectoryEntry =>
      typeof entry === 'object' && entry !== null && 'createReader' in entry
    const reader = { readEntries: () => undefined }
    const silent = { name: 'silent', isFile: false, isDirectory: true, createReader: () => reader }
    const withSilent = (entry: FileSystemDirectoryEntry) => ({
      name: entry.name,
      isFile: false,
      isDirectory: true,
      createReader() {
        const inside = entry.createReader()
        let parts = 0
        return {
          readEntries: (done: FileSystemEntriesCallback) =>
            inside.readEntries((entries) => {
              parts += 1
              done(parts === 1 ? Object.assign(entries, { [entries.length]: silent }) : entries)
            }),
        }
      },
    })
    Object.defineProperty(prototype, 'webkitGetAsEntry', {
      value(this: DataTransferItem) {
        const entry: unknown = typeof original === 'function' ? Reflect.apply(original, this, []) : undefined
        return isFolder(entry) ? withSilent(entry) : entry
      },
    })
  })
  await open()
  await dropPaths(page, await folderWith('slow', { 'a.txt': 'a' }))
  const dialog = dialogOf(page, 'slow')
  await expect(dialog.getByRole('status')).toContainText('Counting… 1 file')
  await dialog.getByRole('button', { name: 'Stop counting' }).click()
  await expect(dialog).toContainText('Not all files are listed.')
  await expect(dialog.getByRole('checkbox', { name: 'slow/a.txt' })).toBeChecked()
})

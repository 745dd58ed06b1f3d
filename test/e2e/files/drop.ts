import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'

/** Drops files and folders of this computer on the chat, as the system does. The browser makes their entries itself. */
export async function dropPaths(page: Page, ...paths: readonly string[]): Promise<void> {
  await dropPathsOn(page.getByRole('textbox', { name: 'Message', exact: true }), ...paths)
}

export async function dropPathsOn(target: Locator, ...paths: readonly string[]): Promise<void> {
  const place = await target.boundingBox()
  if (!place) throw new Error('no place to drop on')
  const session = await target.page().context().newCDPSession(target.page())
  const data = { items: [], files: [...paths], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: place.x + 20, y: place.y + 5, data })
  await session.detach()
}

/** Writes a folder with files by their paths in it. */
export async function writeFolder(root: string, files: Readonly<Record<string, string>>): Promise<string> {
  await mkdir(root)
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(root, path, '..'), { recursive: true })
    await writeFile(join(root, path), content)
  }
  return root
}

/** Drops a folder named `project` that is deleted when it is listed, so that none of its files can be read. */
export async function dropFolder(page: Page, files: Readonly<Record<string, string>>): Promise<void> {
  const base = await mkdtemp(join(tmpdir(), 'sotto-drop-'))
  try {
    await dropPaths(page, await writeFolder(join(base, 'project'), files))
    await page.getByRole('group', { name: 'Files to attach' }).waitFor()
  } finally {
    await rm(base, { recursive: true, force: true })
  }
}

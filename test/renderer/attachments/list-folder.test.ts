import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  fileOfListed,
  listFolders,
  MAX_LISTED_FILES,
  type FolderListing,
} from '../../../src/renderer/files/list-folder.ts'

interface Tree {
  readonly [name: string]: string | Tree
}

/** How many entries Chromium gives at once. */
const PART = 100
/** Marks a folder that can't be read. */
const UNREADABLE = 'unreadable folder'
let read = 0

const filesystem = {} as FileSystem

function fileEntry(name: string, content: string): FileSystemFileEntry {
  return {
    ...shared(name),
    isFile: true,
    isDirectory: false,
    file(done, failed) {
      read += 1
      if (content === 'gone') failed?.(new DOMException('gone', 'NotFoundError'))
      else done(new File([content], name))
    },
  }
}

function folderEntry(name: string, tree: Tree | string): FileSystemDirectoryEntry {
  return {
    ...shared(name),
    isFile: false,
    isDirectory: true,
    getDirectory: () => undefined,
    getFile: () => undefined,
    createReader() {
      const entries = Object.entries(typeof tree === 'string' ? {} : tree).map(([inside, content]) =>
        typeof content === 'string' && content !== UNREADABLE
          ? fileEntry(inside, content)
          : folderEntry(inside, content),
      )
      return {
        readEntries(done, failed) {
          if (tree === UNREADABLE) failed?.(new DOMException('no', 'NotReadableError'))
          else done(entries.splice(0, PART))
        },
      }
    },
  }
}

const shared = (name: string) => ({ name, fullPath: `/${name}`, filesystem, getParent: () => undefined })

const list = (
  tree: Tree,
  {
    signal = new AbortController().signal,
    onCount = () => undefined,
  }: { signal?: AbortSignal; onCount?: (files: number) => void } = {},
): Promise<FolderListing> => listFolders([folderEntry('root', tree)], { signal, onCount })

const paths = ({ files }: FolderListing, kind = 'readable') =>
  files.filter((file) => file.kind === kind).map(({ path }) => path)

describe('the listing of a dropped folder', () => {
  it('names files with their paths, those of a folder before those inside it, and reads none', async () => {
    read = 0
    const listing = await list({ b: { 'c.md': 'c' }, 'a10.txt': 'x', 'a9.txt': 'y' })
    expect(paths(listing)).toEqual(['root/a9.txt', 'root/a10.txt', 'root/b/c.md'])
    expect(listing).toMatchObject({ complete: true, skippedFolders: [] })
    expect(read).toBe(0)
  })

  it('tells hidden and binary files by their names', async () => {
    const listing = await list({
      '.env': 's',
      'Thumbs.db': 's',
      '~$report.docx': 's',
      'a.EXE': 's',
      'b.zip': 's',
      'c.docx': 's',
      'd.ts': 's',
      Makefile: 's',
    })
    expect(paths(listing, 'hidden')).toEqual(['root/.env', 'root/~$report.docx', 'root/Thumbs.db'])
    expect(paths(listing, 'binary')).toEqual(['root/a.EXE', 'root/b.zip'])
    expect(paths(listing)).toEqual(['root/c.docx', 'root/d.ts', 'root/Makefile'])
  })

  it('skips hidden, generated and unreadable folders by name', async () => {
    const listing = await list({
      '.git': { HEAD: 'x' },
      node_modules: { a: { 'index.js': 'x' } },
      locked: UNREADABLE,
      src: { 'a.ts': 'a' },
    })
    expect(paths(listing)).toEqual(['root/src/a.ts'])
    expect([...listing.skippedFolders].toSorted()).toEqual(['root/.git', 'root/locked', 'root/node_modules'])
  })

  it('ends at the limit, in one folder and over many', async () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`${String(at)}.txt`, 'x']))
    const one = await list(many(MAX_LISTED_FILES + 50))
    expect(one.files).toHaveLength(MAX_LISTED_FILES)
    expect(one.complete).toBe(false)
    const folders = await list(
      Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${String(at)}`, many(50)])),
    )
    expect(folders.files).toHaveLength(MAX_LISTED_FILES)
    expect(folders.complete).toBe(false)
    await expect(list(many(MAX_LISTED_FILES))).resolves.toMatchObject({ complete: true })
  })

  it('ends in a folder that contains itself', async () => {
    const loop: { [name: string]: Tree | string } = { 'a.txt': 'x' }
    loop.again = loop
    const listing = await list(loop)
    expect(listing.complete).toBe(false)
    expect(listing.files.length).toBeLessThan(100)
  })

  it('stops with what it has when the signal ends', async () => {
    const stop = new AbortController()
    const listing = await list(
      { 'a.txt': 'x', deep: { 'b.txt': 'x', deeper: { 'c.txt': 'x' } } },
      {
        signal: stop.signal,
        onCount: (count) => {
          if (count === 2) stop.abort()
        },
      },
    )
    expect(paths(listing)).toEqual(['root/a.txt', 'root/deep/b.txt'])
    expect(listing.complete).toBe(false)
  })

  it('opens a chosen file under its path, and none that is gone', async () => {
    const { files } = await list({ a: { 'x.txt': 'the text', 'y.txt': 'gone' } })
    const [opened, gone] = await Promise.all(files.map(fileOfListed))
    expect(opened?.name).toBe('root/a/x.txt')
    await expect(opened?.text()).resolves.toBe('the text')
    expect(gone).toBeUndefined()
  })

  it('lists each file of any tree once', async () => {
    const { tree } = fc.letrec<{ tree: Tree; node: string | Tree }>((tie) => ({
      node: fc.oneof({ maxDepth: 4 }, fc.constant('text'), tie('tree')),
      tree: fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), tie('node'), { maxKeys: 6 }),
    }))
    const all = (branch: Tree, above: string): string[] =>
      Object.entries(branch).flatMap(([name, content]) =>
        typeof content === 'string' ? [`${above}/${name}`] : all(content, `${above}/${name}`),
      )
    await fc.assert(
      fc.asyncProperty(tree, async (branch) => {
        const listing = await list(branch)
        expect(listing.files.map(({ path }) => path).toSorted()).toEqual(all(branch, 'root').toSorted())
      }),
    )
  })
})

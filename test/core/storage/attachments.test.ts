import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Attachment } from '../../../src/shared/attachment.ts'
import { createStore, type Store } from '../../../src/core/storage/index.ts'
import { KEY, OTHER_KEY, ticking } from './examples.ts'

let root = ''
let folder = ''
const opened: Store[] = []
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sotto-store-'))
  folder = join(root, 'data')
})
afterEach(() => {
  for (const store of opened.splice(0)) store.close()
  rmSync(root, { recursive: true, force: true })
})

function open(place: string | null = folder, key = KEY): Store {
  const store = createStore({ folder: place, key, now: ticking() })
  opened.push(store)
  return store
}
function closeAll(): void {
  for (const store of opened.splice(0)) store.close()
}

const attachedFolder = () => join(folder, 'attachments')
const files = () => (existsSync(attachedFolder()) ? readdirSync(attachedFolder()).sort() : [])
const about = (name: string) => ({ name, kind: 'text', type: 'text/plain', tokens: 3 }) as const
const CANARY = 'canary of what was attached'
const read = async (store: Store, id: string) =>
  await store.attachments.read(id).then((bytes) => bytes && Buffer.from(bytes).toString())

function conversation(store: Store): string {
  return store.conversations.create({ title: 'A title', private: true, model: 'private/x' }).id
}
function ask(store: Store, conversationId: string, attachments: Attachment[]): string {
  return store.messages.add({ conversationId, role: 'user', text: 'Look', state: 'complete', attachments }).id
}

describe.each(['in memory', 'in a file', 'moved into a file'])('attachments %s', (where) => {
  let store: Store
  beforeEach(async () => {
    store = open(where === 'in a file' ? folder : null)
    if (where !== 'moved into a file') return
    const before = await store.attachments.add(about('before.txt'), Buffer.from('before'))
    store.drafts.save({ conversationId: 'new', text: '', attachments: [before] })
    store.moveTo(folder, KEY)
    expect(await read(store, before.id)).toBe('before')
  })

  test('are read back whole, with their metadata', async () => {
    const attached = await store.attachments.add(about('a.txt'), Buffer.from(CANARY))
    expect(attached).toEqual({ id: attached.id, ...about('a.txt'), bytes: CANARY.length })
    expect(store.attachments.get(attached.id)).toEqual(attached)
    expect(await read(store, attached.id)).toBe(CANARY)
    expect([store.attachments.get('nothing'), await store.attachments.read('nothing')]).toEqual([null, null])
  })

  test('stay while a message or a draft has them', async () => {
    const [one, two, three] = [
      await store.attachments.add(about('1'), Buffer.from('1')),
      await store.attachments.add(about('2'), Buffer.from('2')),
      await store.attachments.add(about('3'), Buffer.from('3')),
    ]
    const there = () => [one, two, three].map(({ id }) => store.attachments.get(id) !== null)
    const [first, second] = [conversation(store), conversation(store)]
    store.drafts.save({ conversationId: first, text: 'x', attachments: [one, two, three] })
    ask(store, first, [one, two])
    ask(store, second, [one])
    store.drafts.save({ conversationId: first, text: 'x', attachments: [three] })
    expect(there()).toEqual([true, true, true])
    expect([
      await store.attachments.removeUnused(one.id),
      await store.attachments.removeUnused(three.id),
    ]).toEqual([false, false])

    store.conversations.remove(first)
    // The draft went with its conversation.
    expect(store.drafts.list().map(({ conversationId }) => conversationId)).not.toContain(first)
    expect(there()).toEqual([true, false, false])
    store.conversations.remove(second)
    expect(there()).toEqual([false, false, false])
    if (where !== 'in memory')
      await vi.waitFor(() => expect(files()).toHaveLength(where === 'in a file' ? 0 : 1))
  })

  test('are deleted with a message that is deleted for good, but not while that can be undone', async () => {
    const attached = await store.attachments.add(about('a'), Buffer.from('a'))
    const conversationId = conversation(store)
    const messageId = ask(store, conversationId, [attached])
    store.removals.hide({ conversationId, messageId })
    expect(await read(store, attached.id)).toBe('a')
    store.removals.finish({ conversationId, messageId })
    expect(store.attachments.get(attached.id)).toBeNull()
  })

  test('that nothing uses can be removed', async () => {
    const attached = await store.attachments.add(about('a'), Buffer.from('a'))
    expect(await store.attachments.removeUnused(attached.id)).toBe(true)
    expect(await store.attachments.removeUnused(attached.id)).toBe(false)
    if (where === 'in a file') expect(files()).toEqual([])
  })

  test('may be missing in a message, and a draft lists only the existing ones', async () => {
    const attached = await store.attachments.add(about('a'), Buffer.from('a'))
    const gone: Attachment = { id: 'gone', ...about('gone'), bytes: 1 }
    const conversationId = conversation(store)
    ask(store, conversationId, [gone, attached])
    expect(store.messages.of(conversationId)).toMatchObject([
      { attachments: [{ id: 'gone' }, { id: attached.id }] },
    ])
    store.drafts.save({ conversationId, text: '', attachments: [gone, attached] })
    expect(store.drafts.list().find((draft) => draft.conversationId === conversationId)?.attachments).toEqual(
      [attached],
    )
  })

  test('are saved together with their message or not at all', async () => {
    const attached = await store.attachments.add(about('a'), Buffer.from('a'))
    const conversationId = conversation(store)
    expect(() =>
      store.atOnce(() => {
        ask(store, conversationId, [attached])
        throw new Error('and back')
      }),
    ).toThrow('and back')
    expect(store.messages.of(conversationId)).toEqual([])
    expect(await store.attachments.removeUnused(attached.id)).toBe(true)
  })
})

describe('drafts', () => {
  test('are saved per conversation, overwritten, and removed when they’re empty', () => {
    const store = open()
    store.drafts.save({ conversationId: 'new', text: 'first', attachments: [] })
    store.drafts.save({ conversationId: 'another', text: 'second', attachments: [] })
    store.drafts.save({ conversationId: 'new', text: 'third', attachments: [] })
    closeAll()
    const again = open()
    expect(again.drafts.list()).toEqual([
      { conversationId: 'new', text: 'third', attachments: [] },
      { conversationId: 'another', text: 'second', attachments: [] },
    ])
    again.drafts.save({ conversationId: 'new', text: '', attachments: [] })
    again.drafts.save({ conversationId: 'nothing', text: '', attachments: [] })
    expect(again.drafts.list()).toMatchObject([{ text: 'second' }])
  })
})

describe('on disk', () => {
  async function saveAttachment(): Promise<{ id: string; path: string }> {
    const store = open()
    const attached = await store.attachments.add(about(`${CANARY}.txt`), Buffer.from(CANARY.repeat(5_000)))
    store.drafts.save({ conversationId: 'new', text: CANARY, attachments: [attached] })
    store.prompts.put({ name: CANARY, text: CANARY })
    store.folders.put({ name: CANARY })
    closeAll()
    const [name = ''] = files()
    return { id: attached.id, path: join(attachedFolder(), name) }
  }

  test('everything is encrypted, and inaccessible to other users of this computer', async () => {
    const { path } = await saveAttachment()
    for (const file of readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )) {
      expect(readFileSync(join(file.parentPath, file.name)).includes('canary'), file.name).toBe(false)
    }
    expect([statSync(path).mode & 0o777, statSync(attachedFolder()).mode & 0o777]).toEqual([0o600, 0o700])
  })

  test('with a wrong key nothing opens and nothing is deleted', async () => {
    const { id, path } = await saveAttachment()
    const before = readFileSync(path)
    expect(() => open(folder, OTHER_KEY)).toThrow(expect.objectContaining({ code: 'store/damaged' }))
    expect(readFileSync(path).equals(before)).toBe(true)
    const store = open()
    expect(await read(store, id)).toBe(CANARY.repeat(5_000))
    expect([store.prompts.list(), store.folders.list(), store.drafts.list()]).toMatchObject([
      [{ name: CANARY }],
      [{ name: CANARY }],
      [{ text: CANARY }],
    ])
  })

  test.each<[string, (path: string) => void]>([
    ['changed', (path) => writeFileSync(path, readFileSync(path).fill(1, 70_000, 70_001))],
    ['cut off', (path) => writeFileSync(path, readFileSync(path).subarray(0, 70_000))],
    ['emptied', (path) => writeFileSync(path, '')],
  ])('a file that was %s is damaged, and stays unchanged with its draft', async (_how, harm) => {
    const { id, path } = await saveAttachment()
    harm(path)
    const before = readFileSync(path)
    for (const _opening of [1, 2]) {
      const store = open()
      await expect(store.attachments.read(id)).rejects.toMatchObject({ code: 'store/damaged' })
      expect(store.drafts.list()).toMatchObject([{ text: CANARY, attachments: [{ id }] }])
      closeAll()
    }
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test('an unused file of a killed process is removed at the next start', async () => {
    const { path } = await saveAttachment()
    await open().attachments.add(about('lost'), Buffer.from('lost'))
    expect(files()).toHaveLength(2)
    closeAll()
    writeFileSync(join(attachedFolder(), 'ab.part'), 'half')
    open()
    expect(files().map((name) => join(attachedFolder(), name))).toEqual([path])
  })

  test('a file that can’t be written isn’t partly saved', async () => {
    const store = open()
    writeFileSync(attachedFolder(), 'a file stands in its place')
    await expect(store.attachments.add(about('a'), Buffer.from('a'))).rejects.toMatchObject({
      code: 'store/unwritable',
    })
    rmSync(attachedFolder())
    const attached = await store.attachments.add(about('a'), Buffer.from('a'))
    expect(await read(store, attached.id)).toBe('a')
  })
})

test('prompts and folders are saved in their order, changed and removed', () => {
  const store = open()
  const { id } = store.prompts.put({ name: 'One', text: 'Say {{what}}' })
  store.prompts.put({ name: 'Two', text: 'Say it' })
  store.prompts.put({ id, name: 'One again', text: 'Tell {{what}}' })
  expect(store.prompts.list()).toMatchObject([
    { id, name: 'One again', text: 'Tell {{what}}' },
    { name: 'Two' },
  ])
  const { id: folderId } = store.folders.put({ name: 'Work' })
  store.folders.put({ id: folderId, name: 'At work' })
  expect(store.folders.list()).toEqual([{ id: folderId, name: 'At work' }])
  expect([
    store.prompts.remove(id),
    store.prompts.remove(id),
    store.folders.remove(folderId),
    store.folders.remove(folderId),
  ]).toEqual([true, false, true, false])
  expect([store.prompts.list().length, store.folders.list()]).toEqual([1, []])
})

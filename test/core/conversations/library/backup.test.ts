import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLibrary } from '../../../../src/core/conversations/library/index.ts'
import { createStore } from '../../../../src/core/storage/index.ts'
import { decryptLines, sealLines } from '../../../../src/core/storage/vault/index.ts'
import { receipt as receiptOf } from '../../storage/examples.ts'

const receipt = receiptOf('r1')

const PASSPHRASE = 'a passphrase that is long'

function createFreshLibrary() {
  const store = createStore({ folder: null, key: new Uint8Array(32), now: () => 1_000 })
  return { store, library: createLibrary(store, () => 1_000) }
}

function filled() {
  const world = createFreshLibrary()
  const { store } = world
  for (const title of ['One', 'Two']) {
    const { id } = store.conversations.create({ title, private: true, model: 'private/lento' })
    const question = store.messages.add({
      conversationId: id,
      parentId: null,
      role: 'user',
      text: `secret question of ${title}`,
      state: 'complete',
    })
    store.messages.add({
      conversationId: id,
      parentId: question.id,
      role: 'assistant',
      text: 'answer',
      state: 'complete',
      privacy: 'sealed',
      receiptId: receipt.id,
      model: 'private/lento',
    })
  }
  store.receipts.put(receipt)
  return world
}

async function backupOf(library: ReturnType<typeof createLibrary>): Promise<string> {
  let text = ''
  for await (const event of library.backup(PASSPHRASE, new AbortController().signal))
    if (event.type === 'text') text += event.text
  return text
}

async function restore(
  library: ReturnType<typeof createLibrary>,
  text: string,
  passphrase = PASSPHRASE,
  pieceLength = 1_000_000,
) {
  const id = library.beginRestore(passphrase)
  for (let at = 0; at < text.length; at += pieceLength)
    await library.importPiece(id, text.slice(at, at + pieceLength))
  return library.endImport(id, false)
}

test('a backup restores everything with its receipts, in chunks of any size, and keeps existing chats', async () => {
  const from = filled()
  const text = await backupOf(from.library)
  expect(text).not.toContain('secret')
  const { store, library } = createFreshLibrary()
  expect(await restore(library, text, PASSPHRASE, 97)).toMatchObject({
    source: 'backup',
    conversations: 2,
    messages: 4,
    skipped: 0,
    whole: true,
  })
  expect(store.conversations.list().toSorted((a, b) => a.title.localeCompare(b.title))).toEqual(
    from.store.conversations.list().toSorted((a, b) => a.title.localeCompare(b.title)),
  )
  for (const { id } of store.conversations.list())
    expect(store.messages.of(id)).toEqual(from.store.messages.of(id))
  expect(store.receipts.get(receipt.id)).toEqual(receipt)
  const [first] = store.conversations.list()
  store.conversations.rename(first?.id ?? '', 'Renamed')
  expect(await restore(library, text)).toMatchObject({ conversations: 0, skipped: 2, whole: true })
  expect(store.conversations.get(first?.id ?? '')?.title).toBe('Renamed')
})

test('a wrong passphrase and a file that isn’t a backup are refused', async () => {
  const text = await backupOf(filled().library)
  const { library, store } = createFreshLibrary()
  await expect(restore(library, text, 'another passphrase')).rejects.toMatchObject({
    code: 'library/backup-passphrase',
  })
  for (const none of ['', '{}\n', 'hello\n', text.replace('sotto-chats/1', 'sotto-chats/2'), '[]'])
    await expect(restore(library, none)).rejects.toMatchObject({ code: 'library/backup-invalid' })
  expect(store.conversations.list()).toEqual([])
})

test('a truncated backup is reported, and omitted, reordered, duplicated or changed lines are refused', async () => {
  const lines = (await backupOf(filled().library)).trimEnd().split('\n')
  const [head = '', one = '', two = '', end = ''] = lines
  expect(lines).toHaveLength(4)
  expect(await restore(createFreshLibrary().library, `${head}\n${one}\n`)).toMatchObject({
    conversations: 1,
    whole: false,
  })
  const changed = `${one.startsWith('A') ? 'B' : 'A'}${one.slice(1)}`
  for (const [at, hostile] of [
    [head, two, end],
    [head, two, one, end],
    [head, one, one, end],
    [head, changed, two, end],
    [head, end, two, end],
    [head, one, two, end, one],
    [one, two, end],
  ].entries()) {
    await expect(
      restore(createFreshLibrary().library, `${hostile.join('\n')}\n`),
      String(at),
    ).rejects.toMatchObject({
      code: 'library/backup-invalid',
    })
  }
}, 240_000)

test('a line of one kind is never opened as another kind', async () => {
  const lines = await sealLines('one/1', PASSPHRASE)
  expect(await decryptLines('two/1', PASSPHRASE, lines.head)).toBe('damaged')
  const opened = await decryptLines('one/1', PASSPHRASE, lines.head)
  if (typeof opened === 'string') throw new Error(opened)
  expect(opened.next(lines.next('hello'))).toEqual({ text: 'hello', last: false })
  expect(opened.next(lines.last(''))).toEqual({ text: '', last: true })
  expect(opened.next('')).toBe('damaged')
}, 120_000)

test('folders and prompts are restored, and existing ones are unchanged', async () => {
  const from = filled()
  const work = from.store.folders.put({ name: 'Work' })
  from.store.folders.put({ name: 'Empty', collapsed: true })
  const prompt = from.store.prompts.put({ name: 'Translate', text: 'Into {{language=French}}: {{text}}' })
  const [first] = from.store.conversations.list()
  from.store.conversations.change(first?.id ?? '', { folderId: work.id })
  const text = await backupOf(from.library)
  const { store, library } = createFreshLibrary()
  await restore(library, text)
  expect(store.folders.list()).toEqual(from.store.folders.list())
  expect(store.prompts.list()).toEqual(from.store.prompts.list())
  expect(store.conversations.get(first?.id ?? '')?.folderId).toBe(work.id)
  store.folders.put({ ...work, name: 'Work, renamed' })
  store.prompts.put({ id: prompt.id, name: 'Changed', text: 'Changed' })
  await restore(library, text)
  expect(store.folders.list().map(({ name }) => name)).toEqual(['Work, renamed', 'Empty'])
  expect(store.prompts.list()).toMatchObject([{ name: 'Changed' }])
})

test('a backup without folders is restored, and one with invalid folders is refused', async () => {
  const end = async (text: string) => {
    const lines = await sealLines('sotto-chats/1', PASSPHRASE)
    return restore(createFreshLibrary().library, `${lines.head}\n${lines.last(text)}\n`)
  }
  expect(await end('')).toMatchObject({ whole: true })
  expect(await end('{"later":1}')).toMatchObject({ whole: true })
  await expect(end('{"folders":[{"id":1}]}')).rejects.toMatchObject({ code: 'library/backup-invalid' })
  await expect(end('folders')).rejects.toMatchObject({ code: 'library/backup-invalid' })
})

test('files are restored with their messages, and a damaged file is reported without affecting the rest', async () => {
  const from = filled()
  const [conversation] = from.store.conversations.list()
  const conversationId = conversation?.id ?? ''
  const about = { name: 'notes.txt', kind: 'text', type: 'text/plain' } as const
  const file = await from.store.attachments.add(about, Buffer.from('secret notes'))
  for (const text of ['first', 'second'])
    from.store.messages.add({ conversationId, role: 'user', text, state: 'complete', attachments: [file] })
  const text = await backupOf(from.library)
  expect(text).not.toContain('notes')
  // The head, the file once, two conversations, the end.
  expect(text.trimEnd().split('\n')).toHaveLength(5)
  const { store, library } = createFreshLibrary()
  expect(await restore(library, text, PASSPHRASE, 101)).toMatchObject({ conversations: 2, whole: true })
  expect(store.messages.of(conversationId)).toEqual(from.store.messages.of(conversationId))
  expect(Buffer.from((await store.attachments.read(file.id)) ?? []).toString()).toBe('secret notes')
  expect(await restore(library, text)).toMatchObject({ conversations: 0, skipped: 2 })
  // It goes with the last message that has it, as ever.
  store.conversations.remove(conversationId)
  expect(store.attachments.get(file.id)).toBeNull()
})

test('a file without its content is counted, and its message is saved without it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-backup-'))
  try {
    const store = createStore({ folder, key: new Uint8Array(32), now: () => 1_000 })
    const library = createLibrary(store, () => 1_000)
    const { id: conversationId } = store.conversations.create({ title: 'One', private: true, model: 'm' })
    const file = await store.attachments.add(
      { name: 'notes.txt', kind: 'text', type: 'text/plain' },
      Buffer.from('x'),
    )
    store.messages.add({ conversationId, role: 'user', text: 'said', state: 'complete', attachments: [file] })
    rmSync(join(folder, 'attachments'), { recursive: true })
    const events = []
    for await (const event of library.backup(PASSPHRASE, new AbortController().signal)) events.push(event)
    expect(events.at(-1)).toEqual({ type: 'ended', conversations: 1, unreadable: 0, unreadableFiles: 1 })
    store.close()
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('projects come back with their chats, but a chat with plaintext doesn’t join a private-only project', async () => {
  const from = filled()
  const content = { name: 'Work', instructions: 'Be brief.', privateOnly: false }
  const project = from.store.projects.put(content)
  for (const { id } of from.store.conversations.list())
    from.store.conversations.change(id, { projectId: project.id })
  const [plain] = from.store.conversations.list()
  const conversationId = plain?.id ?? ''
  from.store.messages.add({ conversationId, role: 'assistant', text: 'x', state: 'complete', model: 'open' })
  const text = await backupOf(from.library)
  const empty = createFreshLibrary()
  await restore(empty.library, text)
  expect(empty.store.projects.list()).toEqual([project])
  expect(empty.store.conversations.list().map(({ projectId }) => projectId)).toEqual([project.id, project.id])
  const { store, library } = createFreshLibrary()
  store.projects.put({ ...content, id: project.id, privateOnly: true })
  await restore(library, text)
  expect(store.projects.get(project.id)).toMatchObject({ privateOnly: true })
  expect(store.conversations.get(conversationId)?.projectId).toBeUndefined()
  expect(store.conversations.list().filter(({ projectId }) => projectId === project.id)).toHaveLength(1)
})

test('documents of projects come back with their passages, and a damaged one is counted', async () => {
  const { store, library } = createFreshLibrary()
  const { id: projectId } = store.projects.put({ name: 'Work', instructions: '', privateOnly: true })
  const addDocument = (passages: number) => {
    const id = store.knowledge.begin({ projectId, name: 'secret lease.pdf', bytes: 9, pages: 2 })
    store.knowledge.put(id, [{ number: 0, text: 'secret text', place: { page: 2, line: 1 }, tokens: 2 }])
    return store.knowledge.finish(id, passages)
  }
  const document = addDocument(1)
  addDocument(2)
  const text = await backupOf(library)
  expect(text).not.toContain('secret')
  const { store: other, library: restored } = createFreshLibrary()
  await restore(restored, text)
  await restore(restored, text)
  expect(other.knowledge.documents(projectId)).toEqual([document])
  expect(other.knowledge.passages(document?.id ?? '', { from: 0, limit: 9 })).toEqual([
    { number: 0, text: 'secret text', place: { page: 2, line: 1 }, tokens: 2 },
  ])
  // A backup that ends before its last line leaves no document without its project.
  const { store: cut, library: early } = createFreshLibrary()
  await restore(early, text.slice(0, text.trimEnd().lastIndexOf('\n') + 1))
  expect([cut.projects.get(projectId)?.privateOnly, cut.knowledge.documents(projectId).length]).toEqual([
    true,
    1,
  ])
})

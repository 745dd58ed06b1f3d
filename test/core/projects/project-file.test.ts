import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createLibrary } from '../../../src/core/conversations/library/index.ts'
import { createStore } from '../../../src/core/storage/index.ts'
import type { ChatParameters } from '../../../src/shared/conversation.ts'

const PASSPHRASE = 'a passphrase that is long'

function createFreshLibrary() {
  const store = createStore({ folder: null, key: new Uint8Array(32), now: () => 1_000 })
  return { store, library: createLibrary(store, () => 1_000) }
}
type Fresh = ReturnType<typeof createFreshLibrary>

async function exportedBy({ library }: Fresh, projectId: string, passphrase?: string): Promise<string> {
  let text = ''
  for await (const event of library.exportProject(projectId, passphrase, new AbortController().signal))
    if (event.type === 'text') text += event.text
  return text
}

async function importInto({ library }: Fresh, text: string, passphrase?: string, size = 1_000_000) {
  const id = library.beginProjectImport(passphrase)
  for (let at = 0; at < text.length; at += size) await library.importPiece(id, text.slice(at, at + size))
  return library.endImport(id, false)
}

interface Content {
  readonly name: string
  readonly instructions: string
  readonly parameters: ChatParameters | undefined
  readonly privateOnly: boolean
  readonly documents: readonly (readonly string[])[]
  /** The texts of the messages of each chat. */
  readonly chats: readonly (readonly string[])[]
}

/** A project with documents, a file at the first message, and chats whose answers were sealed. */
async function fill({ store }: Fresh, content: Content): Promise<string> {
  const { name, instructions, parameters, privateOnly } = content
  const { id } = store.projects.put({
    name,
    instructions,
    privateOnly,
    ...(parameters && { parameters }),
    budget: { picoUsd: '5000000000000', period: 'month' },
  })
  for (const texts of content.documents) {
    const documentId = store.knowledge.begin({ projectId: id, name: 'notes.md', bytes: 5 })
    store.knowledge.put(
      documentId,
      texts.map((text, number) => ({ number, text, tokens: 3, place: { line: number + 1 } })),
    )
    store.knowledge.finish(documentId, texts.length)
  }
  const [document] = store.knowledge.documents(id)
  for (const texts of content.chats) {
    const chat = store.conversations.create({
      title: name,
      private: true,
      model: 'private/lento',
      projectId: id,
    })
    let parentId: string | null = null
    for (const [index, text] of texts.entries()) {
      const isAnswer = index % 2 === 1
      const file = { name: 'a.txt', kind: 'text', type: 'text/plain' } as const
      const attachment =
        index === 0 && (await store.attachments.add({ ...file, tokens: 2 }, Buffer.from('between us')))
      const message = store.messages.add({
        conversationId: chat.id,
        parentId,
        role: isAnswer ? 'assistant' : 'user',
        text,
        state: 'complete',
        ...(isAnswer && { model: 'private/lento', privacy: 'sealed', receiptId: 'a receipt' }),
        ...(attachment && { attachments: [attachment] }),
        ...(index === 0 &&
          document && {
            passages: [
              {
                id: `${document.id}/0`,
                documentId: document.id,
                document: 'notes.md',
                place: { line: 1 },
                text: 'sent',
                tokens: 1,
              },
            ],
          }),
      })
      parentId = message.id
    }
  }
  return id
}

/** The content of a project with the positions of IDs in place of the IDs. */
async function contentOf({ store }: Fresh, projectId: string) {
  const project = store.projects.get(projectId)
  const documents = store.knowledge.documents(projectId)
  const chats = store.conversations.list().filter((listed) => listed.projectId === projectId)
  return {
    project: project && { ...project, id: '', createdAt: 0, updatedAt: 0 },
    documents: documents.map(({ id, name, bytes, passages }) => ({
      about: { name, bytes, passages },
      passages: store.knowledge.passages(id, { from: 0, limit: 1_000 }),
    })),
    chats: await Promise.all(
      chats.map(async ({ id, title, private: isPrivate, model }) => {
        const messages = store.messages.of(id)
        const position = (messageId: string | null | undefined) =>
          messages.findIndex((message) => message.id === messageId)
        return {
          about: { title, isPrivate, model },
          messages: await Promise.all(
            messages.map(async ({ parentId, role, text, model: by, attachments = [], passages = [] }) => ({
              parent: position(parentId),
              role,
              text,
              by,
              files: await Promise.all(
                attachments.map(async ({ id: fileId, ...about }) => ({
                  about,
                  content: Buffer.from((await store.attachments.read(fileId)) ?? []).toString(),
                })),
              ),
              passages: passages.map(({ documentId, id: passageId, text: sent }) => ({
                document: documents.findIndex((one) => one.id === documentId),
                isAddress: passageId === `${documentId}/0`,
                sent,
              })),
            })),
          ),
        }
      }),
    ),
  }
}

const word = fc.stringMatching(/^[\p{L}\p{N}{}"\\ ]{1,12}$/u).filter((text) => text.trim() === text)
const contents: fc.Arbitrary<Content> = fc.record({
  name: word,
  instructions: fc.string({ maxLength: 30 }),
  parameters: fc.option(fc.constant({ temperature: 0.5, maxTokens: 100 }), { nil: undefined }),
  privateOnly: fc.boolean(),
  documents: fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { maxLength: 2 }),
  chats: fc.array(fc.array(fc.string({ maxLength: 20 }), { maxLength: 4 }), { maxLength: 2 }),
})

it('a project returns complete from a plain file, in pieces of any size, under new IDs', async () => {
  await fc.assert(
    fc.asyncProperty(contents, fc.integer({ min: 50, max: 3_000 }), async (content, size) => {
      const from = createFreshLibrary()
      const id = await fill(from, content)
      const text = await exportedBy(from, id)
      const to = createFreshLibrary()
      const report = await importInto(to, text, undefined, size)
      expect(report).toMatchObject({ source: 'project', conversations: content.chats.length, whole: true })
      expect(report.projectId).not.toBe(id)
      expect(await contentOf(to, report.projectId ?? '')).toEqual(await contentOf(from, id))
      // The file can't claim what Sotto saw, and names nothing that exists here.
      const imported = to.store.conversations.list()
      expect(imported.every((chat) => chat.imported)).toBe(true)
      for (const message of imported.flatMap((chat) => to.store.messages.of(chat.id)))
        expect(message).not.toHaveProperty(['privacy'])
      expect(text).not.toContain('a receipt')
    }),
    { numRuns: 15 },
  )
})

const EXAMPLE: Content = {
  name: 'Contracts',
  instructions: 'between us',
  parameters: undefined,
  privateOnly: true,
  documents: [['clause one', 'clause two']],
  chats: [['question', 'answer']],
}

it('a sealed file shows nothing, opens only with its passphrase and stays private-only', async () => {
  const from = createFreshLibrary()
  const text = await exportedBy(from, await fill(from, EXAMPLE), PASSPHRASE)
  for (const secret of ['between us', 'clause', 'question', 'Contracts']) expect(text).not.toContain(secret)
  const to = createFreshLibrary()
  for (const wrong of [undefined, 'another passphrase'])
    await expect(importInto(to, text, wrong)).rejects.toMatchObject({ code: 'project/file-passphrase' })
  expect(to.store.projects.list()).toEqual([])
  const { projectId = '' } = await importInto(to, text, PASSPHRASE)
  expect(to.store.projects.get(projectId)).toMatchObject({ name: 'Contracts', privateOnly: true })
  // A second import is another project, and the first one doesn't change.
  await importInto(to, text, PASSPHRASE)
  expect(to.store.projects.list()).toHaveLength(2)

  const lines = text.trimEnd().split('\n')
  const [head = '', project = '', ...rest] = lines
  const end = rest.pop() ?? ''
  for (const changed of [
    [head, project, ...rest],
    [head, ...rest, project, end],
    [head, project, end],
    [head, project, project, ...rest, end],
    [head, project, ...rest, end, end],
    [head.replace('sotto-project/1', 'sotto-project/2'), project, ...rest, end],
  ])
    await expect(importInto(to, `${changed.join('\n')}\n`, PASSPHRASE)).rejects.toMatchObject({
      code: 'project/file-invalid',
    })
  expect(to.store.projects.list()).toHaveLength(2)
  expect(to.store.conversations.list()).toHaveLength(2)
}, 60_000)

it('a hostile plain file is refused, and nothing of it stays', async () => {
  const from = createFreshLibrary()
  const text = await exportedBy(from, await fill(from, EXAMPLE))
  const lines = text.trimEnd().split('\n')
  const [head = '', project = '', document = '', file = '', chat = '', end = ''] = lines
  expect(lines).toHaveLength(6)
  const to = createFreshLibrary()
  const attempts: readonly (readonly [string, readonly string[], string?])[] = [
    ['project/file-invalid', []],
    ['project/file-invalid', ['hello']],
    ['project/file-invalid', ['{"format":"sotto-conversations","version":1}', project, end]],
    ['library/newer-version', [head.replace('1', '2'), project, document, file, chat, end]],
    // A passphrase was given for a file that isn't sealed.
    ['project/file-invalid', lines, PASSPHRASE],
    // The end is missing, or counts other records.
    ['project/file-invalid', [head, project, document, file, chat]],
    ['project/file-invalid', [head, project, document, chat, end]],
    ['project/file-invalid', [...lines, chat]],
    // Another order, and a record twice.
    ['project/file-invalid', [head, chat, project, document, file, end]],
    ['project/file-invalid', [head, project, project, document, file, chat, end]],
    ['project/file-invalid', [head, project, document, document, file, chat, end]],
    ['project/file-invalid', [head, project, document, file, file, chat, end]],
    // Members that a project's file doesn't have.
    ['project/file-invalid', [head, project.replace('"name"', '"id":"x","name"'), document, file, chat, end]],
    [
      'project/file-invalid',
      [head, project, document, file, chat.replace('"role"', '"receiptId":"r","role"'), end],
    ],
    [
      'project/file-invalid',
      [head, project, document, file, chat.replace('"title"', '"projectId":"p","title"'), end],
    ],
    // A chat that a private-only project can't have.
    [
      'project/file-invalid',
      [head, project, document, file, chat.replace('"private":true', '"private":false'), end],
    ],
    ['project/file-invalid', [head, project, document, file, chat.replaceAll('private/lento', 'gpt'), end]],
    ['project/file-invalid', [head, project, document, file, chat.replace('"sealed"', '"forwarded"'), end]],
    // An attachment that isn't a text or an image.
    [
      'project/file-invalid',
      [head, project, document, file.replace(/"content":"[^"]*"/, '"content":"AAECAw=="'), chat, end],
    ],
    ['project/file-invalid', [head, project, document, file.replace('text/plain', 'image/png'), chat, end]],
    // A parent that doesn't exist.
    [
      'project/file-invalid',
      [head, project, document, file, chat.replace(/"parentId":"[^"]*"/, '"parentId":"x"'), end],
    ],
  ]
  for (const [at, [code, attempt, passphrase]] of attempts.entries())
    await expect(
      importInto(to, attempt.length === 0 ? '' : `${attempt.join('\n')}\n`, passphrase),
      String(at),
    ).rejects.toMatchObject({ code })
  expect(to.store.projects.list()).toEqual([])
  expect(to.store.conversations.list()).toEqual([])
})

it('a stopped import, and one that another import replaces, leave nothing', async () => {
  const from = createFreshLibrary()
  const text = await exportedBy(from, await fill(from, EXAMPLE))
  const { store, library } = createFreshLibrary()
  const begin = async () => {
    const id = library.beginProjectImport(undefined)
    await library.importPiece(id, text.slice(0, -20))
    expect(store.projects.list()).toHaveLength(1)
    return id
  }
  library.endImport(await begin(), true)
  expect(store.projects.list()).toEqual([])
  await begin()
  library.beginImport({ preview: true })
  expect(store.projects.list()).toEqual([])
  expect(store.conversations.list()).toEqual([])
})

it('a file above the limit ends with its code before it is read to the end', async () => {
  const { library, store } = createFreshLibrary()
  const id = library.beginProjectImport(undefined)
  await library.importPiece(id, '{"format":"sotto-project","version":1}\n')
  const piece = 'x'.repeat(50_000_000)
  await library.importPiece(id, piece)
  await library.importPiece(id, piece)
  // One line is longer than any valid one.
  await expect(library.importPiece(id, piece)).rejects.toMatchObject({ code: 'project/file-invalid' })
  expect(store.projects.list()).toEqual([])
})

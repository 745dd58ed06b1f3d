import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Elements, type Element } from '../../../../src/core/conversations/library/import/elements.ts'
import { createLibrary } from '../../../../src/core/conversations/library/index.ts'
import { createStore } from '../../../../src/core/storage/index.ts'
import { shownThread } from '../../../../src/shared/conversation-tree.ts'

const NOW = Date.UTC(2026, 10, 22)

function createFreshLibrary() {
  const store = createStore({ folder: null, key: new Uint8Array(32), now: () => NOW })
  const library = createLibrary(store, () => NOW)
  async function take(value: unknown, pieceLength = 1_000_000) {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const id = library.beginImport()
    for (let at = 0; at < text.length; at += pieceLength)
      await library.importPiece(id, text.slice(at, at + pieceLength))
    return library.endImport(id, false)
  }
  const listStored = () =>
    store.conversations.list().map((conversation) => ({
      conversation,
      messages: store.messages.of(conversation.id),
      shown: shownThread(store.messages.of(conversation.id), conversation.leafId).map(
        ({ message }) => message.text,
      ),
    }))
  return { store, library, take, kept: listStored }
}

const node = (id: string, parent: string | null, message: unknown, children: string[] = []) => ({
  id,
  parent,
  children,
  message,
})
const createMessage = (role: string, text: string, more: object = {}) => ({
  id: 'x',
  author: { role, name: null, metadata: {} },
  create_time: 1_697_000_000.5,
  content: { content_type: 'text', parts: [text] },
  status: 'finished_successfully',
  recipient: 'all',
  metadata: {},
  ...more,
})

const chatGpt = {
  id: 'c1',
  conversation_id: 'c1',
  title: 'Python debugging',
  create_time: 1_697_000_000.25,
  update_time: 1_697_000_900,
  default_model_slug: 'gpt-4o',
  current_node: 'a2',
  moderation_results: [],
  mapping: {
    root: node('root', null, null, ['sys']),
    sys: node(
      'sys',
      'root',
      createMessage('system', '', { metadata: { is_visually_hidden_from_conversation: true } }),
      ['q'],
    ),
    q: node('q', 'sys', createMessage('user', 'How do I debug?'), ['a1', 'tool']),
    a1: node('a1', 'q', createMessage('assistant', 'With pdb.', { metadata: { model_slug: 'gpt-4o' } })),
    tool: node(
      'tool',
      'q',
      { ...createMessage('tool', ''), content: { content_type: 'execution_output', text: 'traceback' } },
      ['a2'],
    ),
    a2: node('a2', 'tool', {
      ...createMessage('assistant', ''),
      content: {
        content_type: 'multimodal_text',
        parts: ['With a print.', { content_type: 'image_asset_pointer' }],
      },
    }),
  },
}

const claude = {
  uuid: 'u1',
  name: 'Architecture',
  summary: '',
  created_at: '2025-10-01T10:00:00.000000Z',
  updated_at: '2025-10-02T10:00:00.000000Z',
  account: { uuid: 'a' },
  chat_messages: [
    {
      uuid: 'm1',
      sender: 'human',
      text: 'What is a monad?',
      content: [{ type: 'text', text: 'What is a monad?', citations: [] }],
      created_at: '2025-10-01T10:00:00Z',
      attachments: [{ file_name: 'a.txt', extracted_content: '…' }],
      files: [],
    },
    {
      uuid: 'm2',
      sender: 'assistant',
      text: 'A burrito.',
      content: [
        { type: 'thinking', thinking: 'Hmm.' },
        { type: 'tool_use', name: 'web', input: {} },
        { type: 'text', text: 'A burrito.' },
      ],
      created_at: '2025-10-01T10:00:10Z',
      attachments: [],
      files: [],
    },
  ],
}

const webUiExport = {
  id: 'o1',
  user_id: 'me',
  title: 'Tea',
  created_at: 1_720_000_000,
  updated_at: 1_720_000_500,
  archived: false,
  pinned: false,
  meta: {},
  chat: {
    title: 'Tea',
    models: ['llama3'],
    system: 'Be brief.',
    messages: [],
    history: {
      currentId: 'b',
      messages: {
        q: {
          id: 'q',
          parentId: null,
          childrenIds: ['a', 'b'],
          role: 'user',
          content: 'Green or black?',
          timestamp: 1_720_000_000,
          models: ['llama3'],
        },
        a: {
          id: 'a',
          parentId: 'q',
          childrenIds: [],
          role: 'assistant',
          content: 'Green.',
          model: 'llama3',
          timestamp: 1_720_000_001,
        },
        b: {
          id: 'b',
          parentId: 'q',
          childrenIds: [],
          role: 'assistant',
          content:
            '<details type="reasoning" done="true" duration="1">\n<summary>Thought</summary>\n> colours\n</details>\nBlack.',
          model: 'llama3',
          timestamp: 1_720_000_002,
        },
      },
    },
  },
}

test('imports ChatGPT’s tree: every branch, the selected branch and tool steps, but no hidden messages', async () => {
  const { take, kept } = createFreshLibrary()
  expect(await take([chatGpt], 7)).toEqual({
    source: 'chatgpt',
    conversations: 1,
    messages: 3,
    skipped: 0,
    skips: [],
    leftOut: { images: 1 },
    whole: true,
    from: 1_697_000_000_250,
    to: 1_697_000_900_000,
    models: [{ name: 'gpt-4o', conversations: 1 }],
  })
  const [{ conversation, messages, shown } = { conversation: undefined, messages: [], shown: [] }] = kept()
  expect(conversation).toMatchObject({
    title: 'Python debugging',
    private: false,
    imported: true,
    model: 'gpt-4o',
    createdAt: 1_697_000_000_250,
    updatedAt: 1_697_000_900_000,
  })
  expect(shown).toEqual(['How do I debug?', 'With a print.'])
  expect(messages.map(({ text }) => text)).toEqual(['How do I debug?', 'With pdb.', 'With a print.'])
  expect(messages[2]?.toolCalls).toEqual([{ name: 'tool', arguments: '', result: 'traceback' }])
  expect(messages[0]?.createdAt).toBe(1_697_000_000_500)
})

test('imports Claude’s messages with their reasoning', async () => {
  const { take, kept } = createFreshLibrary()
  expect(await take([claude])).toMatchObject({
    source: 'claude',
    conversations: 1,
    messages: 2,
    leftOut: {},
  })
  const [one] = kept()
  expect(one?.conversation).toMatchObject({
    title: 'Architecture',
    createdAt: Date.UTC(2025, 9, 1, 10),
    imported: true,
  })
  expect(one?.messages.map(({ role, text, reasoning }) => ({ role, text, reasoning }))).toEqual([
    { role: 'user', text: 'What is a monad?\n\na.txt:\n\n```\n…\n```', reasoning: undefined },
    { role: 'assistant', text: 'A burrito.', reasoning: 'Hmm.' },
  ])
})

test('imports Open WebUI’s history', async () => {
  const { take, kept } = createFreshLibrary()
  expect(await take([webUiExport])).toMatchObject({
    source: 'open-webui',
    conversations: 1,
    messages: 3,
    leftOut: {},
  })
  const [one] = kept()
  expect(one?.conversation).toMatchObject({
    title: 'Tea',
    systemPrompt: 'Be brief.',
    model: 'llama3',
    createdAt: 1_720_000_000_000,
  })
  expect(one?.shown).toEqual(['Green or black?', 'Black.'])
  expect(one?.messages[2]?.reasoning).toBe('> colours')
})

/** A regular expression would search for each missing end again, and would exceed the test's timeout. */
test.each([
  ['beginnings without an end', '<details type="reasoning"'],
  ['reasoning that does not end', '<details type="reasoning">'],
  ['headings that do not end', '<summary>', '<details type="reasoning">', '</details>Black.'],
])('imports Open WebUI’s text with megabytes of %s', async (_, unit, before = '', after = '') => {
  const { take, kept } = createFreshLibrary()
  const text = `${before}${unit.repeat(Math.floor(3_500_000 / unit.length))}${after}`
  const { chat } = webUiExport
  const messages = { b: { ...chat.history.messages.b, parentId: null, content: text } }
  expect(
    await take([{ ...webUiExport, chat: { ...chat, history: { messages, currentId: 'b' } } }]),
  ).toMatchObject({ source: 'open-webui', conversations: 1, messages: 1 })
  expect(kept()[0]?.messages[0]?.text === (after === '' ? text : 'Black.')).toBe(true)
})

test('shortens a title of megabytes', async () => {
  const { take, kept } = createFreshLibrary()
  await take([{ ...claude, name: '\u{1f600} '.repeat(1_000_000) }])
  const { title = '' } = kept()[0]?.conversation ?? {}
  expect(title.startsWith('\u{1f600} \u{1f600} ')).toBe(true)
  expect(title.length).toBeLessThanOrEqual(200)
})

test('counts the files that a Sotto export doesn’t contain, and uses none of its file IDs', async () => {
  const { store, take, kept } = createFreshLibrary()
  const here = await store.attachments.add(
    { name: 'mine.txt', kind: 'text', type: 'text/plain' },
    Buffer.from('mine'),
  )
  const message = {
    id: 'm1',
    parentId: null,
    role: 'user',
    text: 'Look',
    state: 'complete',
    createdAt: 1,
    attachments: [here],
  }
  const file = {
    format: 'sotto-conversations',
    version: 1,
    conversations: [
      { id: 'c1', title: 'One', private: false, model: 'm', createdAt: 1, updatedAt: 1, messages: [message] },
    ],
  }
  expect(await take(file)).toMatchObject({ conversations: 1, leftOut: { files: 1 } })
  expect(kept()[0]?.messages).toMatchObject([{ text: 'Look' }])
  expect(kept()[0]?.messages[0]).not.toHaveProperty('attachments')
})

test('imports a Sotto export without its privacy states and receipts, and private conversations stay private', async () => {
  const from = createFreshLibrary()
  const { id } = from.store.conversations.create({ title: 'Secret', private: true, model: 'private/lento' })
  const question = from.store.messages.add({
    conversationId: id,
    parentId: null,
    role: 'user',
    text: 'hello',
    state: 'complete',
  })
  for (const text of ['one', 'two'])
    from.store.messages.add({
      conversationId: id,
      parentId: question.id,
      role: 'assistant',
      text,
      state: 'complete',
      privacy: 'sealed',
      receiptId: 'r1',
      model: 'private/lento',
    })
  let text = ''
  for await (const event of from.library.export('json', undefined, new AbortController().signal))
    if (event.type === 'text') text += event.text
  const { take, kept } = createFreshLibrary()
  expect(await take(text, 11)).toEqual({
    source: 'sotto',
    conversations: 1,
    messages: 3,
    skipped: 0,
    skips: [],
    leftOut: {},
    whole: true,
    from: NOW,
    to: NOW,
    models: [{ name: 'private/lento', conversations: 1 }],
  })
  const [one] = kept()
  expect(one?.conversation).toMatchObject({ title: 'Secret', private: true, imported: true })
  expect(one?.conversation.id).not.toBe(id)
  expect(one?.messages.map((message) => [message.text, message.privacy, message.receiptId])).toEqual([
    ['hello', undefined, undefined],
    ['one', undefined, undefined],
    ['two', undefined, undefined],
  ])
  expect(one?.messages[2]?.parentId).toBe(one?.messages[0]?.id)
})

test('skips an invalid conversation with a reason, and imports the others', async () => {
  const { take, kept } = createFreshLibrary()
  const report = await take([
    chatGpt,
    { mapping: 7 },
    { hello: 1 },
    { ...chatGpt, title: 'Nothing', mapping: {} },
    claude,
  ])
  expect(report).toMatchObject({
    source: null,
    conversations: 2,
    skipped: 3,
    skips: [
      { at: 2, title: null, reason: 'malformed' },
      { at: 3, title: null, reason: 'unrecognised' },
      { at: 4, title: 'Nothing', reason: 'empty' },
    ],
  })
  expect(kept()).toHaveLength(2)
})

test('finishes for hostile trees: cycles, missing parents, names of built-in properties', async () => {
  const { take, kept } = createFreshLibrary()
  const mapping = JSON.parse(
    JSON.stringify({
      a: node('a', 'b', createMessage('user', 'in a circle')),
      b: node('b', 'a', createMessage('user', 'too')),
      c: node('c', 'nobody', createMessage('user', 'alone')),
    }).replace('"c":', '"constructor":'),
  ) as object
  expect(
    await take([
      {
        ...chatGpt,
        title: '\u202eevil\n\u0000title',
        mapping,
        current_node: '__proto__',
        create_time: -5,
        update_time: 1e300,
      },
    ]),
  ).toMatchObject({ conversations: 1, messages: 1, leftOut: { other: 2 } })
  expect(kept()[0]).toMatchObject({
    conversation: { title: 'evil title', createdAt: 1_697_000_000_500 },
    shown: ['alone'],
  })
})

test('imports a deep chain and a text of megabytes', async () => {
  const { take, kept } = createFreshLibrary()
  const mapping = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, at) => [
      `n${String(at)}`,
      node(
        `n${String(at)}`,
        at === 0 ? null : `n${String(at - 1)}`,
        createMessage('user', at === 0 ? 'x'.repeat(5_000_000) : `t${String(at)}`),
      ),
    ]),
  )
  expect(await take([{ ...chatGpt, mapping, current_node: 'n9999' }])).toMatchObject({
    conversations: 1,
    messages: 10_000,
    leftOut: { cut: 1 },
  })
  expect(kept()[0]?.shown).toHaveLength(10_000)
}, 30_000)

test.each([
  '',
  'hello',
  '{"a":1}',
  '[]',
  '[1,"two",[]]',
  '<html>',
  '{"format":"sotto-conversations","version":1,"conversations":[]}',
])('refuses %j because it contains no conversations', async (text) => {
  await expect(createFreshLibrary().take(text)).rejects.toMatchObject({ code: 'library/not-conversations' })
})

test('refuses a newer file, and reports that a file is incomplete', async () => {
  const { take, kept } = createFreshLibrary()
  await expect(
    take('{"format":"sotto-conversations","version":2,"conversations":[{}]}'),
  ).rejects.toMatchObject({ code: 'library/newer-version' })
  expect(kept()).toEqual([])
  expect(await take(JSON.stringify([chatGpt, claude]).slice(0, -20))).toMatchObject({
    conversations: 1,
    whole: false,
  })
})

test('keeps the imported conversations when an import stops, and ends an import when another begins', async () => {
  const { library, kept } = createFreshLibrary()
  const first = library.beginImport()
  expect(await library.importPiece(first, `[${JSON.stringify(chatGpt)},`)).toMatchObject({
    conversations: 1,
    whole: false,
  })
  const second = library.beginImport()
  await expect(library.importPiece(first, '{}')).rejects.toMatchObject({ code: 'library/import-unknown' })
  expect(library.endImport(second, true)).toMatchObject({ conversations: 0 })
  expect(kept()).toHaveLength(1)
})

test('finds complete elements wherever the text is split', () => {
  const value = fc.jsonValue({ maxDepth: 4 })
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.string(), value)),
      fc.integer({ min: 1, max: 50 }),
      fc.boolean(),
      (values, length, wrapped) => {
        const text = wrapped
          ? JSON.stringify({
              'a "conversations": [': ['conversations', { conversations: [1] }],
              conversations: values,
              after: [{}],
            })
          : JSON.stringify(values, null, 1)
        const found: Element[] = []
        const elements = new Elements((element) => found.push(element))
        for (let at = 0; at < text.length; at += length)
          expect(elements.take(text.slice(at, at + length))).toBe(true)
        expect(found.map((each) => JSON.parse(each.text ?? '') as unknown)).toEqual(
          JSON.parse(JSON.stringify(values)),
        )
        expect(elements.whole).toBe(true)
        if (wrapped)
          for (const { head } of found) expect(JSON.parse(head)).toMatchObject({ conversations: [] })
      },
    ),
  )
})

test('reads any text to its end', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('[', ']', '{', '}', '"', '\\', ',', ':', 'a', ' ', '"conversations"'), {
        maxLength: 80,
      }),
      fc.integer({ min: 1, max: 9 }),
      (parts, length) => {
        const elements = new Elements(() => undefined)
        const text = parts.join('')
        for (let at = 0; at < text.length; at += length) elements.take(text.slice(at, at + length))
      },
    ),
  )
})

test('assigns a conversation to an existing folder with the same name, or to a new one', async () => {
  const from = createFreshLibrary()
  const folder = from.store.folders.put({ name: 'Work' })
  for (const title of ['One', 'Two']) {
    const { id } = from.store.conversations.create({ title, private: false, model: 'm', folderId: folder.id })
    from.store.messages.add({
      conversationId: id,
      parentId: null,
      role: 'user',
      text: 'hello',
      state: 'complete',
    })
  }
  const exported = async (format: 'json' | 'markdown' | 'html') => {
    let text = ''
    for await (const event of from.library.export(format, undefined, new AbortController().signal))
      if (event.type === 'text') text += event.text
    return text
  }
  const text = await exported('json')
  expect(text).not.toContain(folder.id)
  expect(await exported('markdown')).toContain('in “Work”')
  expect(await exported('html')).toContain('in “Work”')
  const { store, take } = createFreshLibrary()
  await take(text)
  await take(text)
  const folders = store.folders.list()
  expect(folders).toMatchObject([{ name: 'Work' }])
  expect(store.conversations.list().map(({ folderId }) => folderId)).toEqual(Array(4).fill(folders[0]?.id))
  // A deleted folder is not exported.
  from.store.folders.remove(folder.id)
  expect(await exported('json')).not.toContain('folder')
  const { conversations } = JSON.parse(text) as { conversations: object[] }
  await take({
    format: 'sotto-conversations',
    version: 1,
    conversations: [{ ...conversations[0], folder: ' \u202eevil\n'.repeat(60) }],
  })
  expect(store.folders.list().at(-1)?.name).toMatch(/^evil( evil)*$/)
})

import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { createLibrary } from '../../../../src/core/conversations/library/index.ts'
import { createStore } from '../../../../src/core/storage/index.ts'
import { readImportFiles } from '../../../../src/shared/library/read-import-files.ts'
import { shownThread } from '../../../../src/shared/conversation-tree.ts'

const NOW = Date.UTC(2026, 10, 22)
const inputs = new URL('./imports/', import.meta.url)

function createFresh() {
  const store = createStore({ folder: null, key: new Uint8Array(32), now: () => NOW })
  const library = createLibrary(store, () => NOW)
  async function importText(text: string, pieceLength = 1_000_000) {
    const id = library.beginImport()
    for (let at = 0; at < text.length; at += pieceLength)
      await library.importPiece(id, text.slice(at, at + pieceLength))
    return library.endImport(id, false)
  }
  const chats = () =>
    store.conversations.list().map((conversation) => ({
      conversation,
      messages: store.messages.of(conversation.id),
      thread: shownThread(store.messages.of(conversation.id), conversation.leafId).map(
        ({ message }) => `${message.role}: ${message.text}`,
      ),
    }))
  return { library, importText, chats }
}

const readInput = (name: string) => readFile(new URL(name, inputs), 'utf8')

const rich = {
  source: 'chatgpt',
  conversations: 1,
  messages: 8,
  skipped: 0,
  leftOut: { images: 2, files: 1, recordings: 1 },
  whole: true,
}

test.each([
  ['chatgpt-rich.json', 11],
  ['chatgpt-bom.json', 1_000_000],
])(
  '%s: canvas, voice, citations, tool steps, reasoning and custom instructions',
  async (name, pieceLength) => {
    const { importText, chats } = createFresh()
    expect(await importText(await readInput(name), pieceLength)).toMatchObject(rich)
    const [chat] = chats()
    expect(chat?.conversation).toMatchObject({
      title: 'Rich export',
      systemPrompt: 'The user name is X\n\nBe brief',
    })
    expect(chat?.thread).toEqual([
      'user: What is in the picture and the file?',
      'assistant: A cat ([example.com](https://example.com/a)). It costs $5.',
      'user: Write an essay in canvas',
      'assistant: **Essay**\n\n# The essay\n\nLong canvas text.\n\nI wrote the essay in the canvas.',
      'user: Spoken question here',
      'assistant: Spoken answer here',
      'assistant: ',
    ])
    expect(chat?.messages.map(({ text }) => text)).toContain('An alternative answer.')
    const reply = chat?.messages.find(({ text }) => text.startsWith('A cat'))
    expect(reply).toMatchObject({
      reasoning: 'Looking\n\nI should look at the picture.\n\nThought for 4s',
      toolCalls: [{ name: 'web.run', arguments: 'search("x")', result: 'result' }],
      citations: [{ url: 'https://example.com/a', title: 'Example' }],
    })
    expect(chat?.messages.at(-1)?.toolCalls).toEqual([
      { name: 'dalle.text2im', arguments: '', result: 'a cat' },
    ])
  },
)

test('ChatGPT: a chat without a title is named by its first question', async () => {
  const { importText, chats } = createFresh()
  expect(await importText(await readInput('chatgpt-null-title.json'))).toMatchObject({ conversations: 1 })
  expect(chats()[0]?.conversation.title).toBe('hi')
})

test('ChatGPT: a system error is a result of the reply that follows, and an unknown part is counted', async () => {
  const { importText, chats } = createFresh()
  const report = await importText(await readInput('chatgpt-system-error.json'))
  expect(report).toMatchObject({ messages: 2, leftOut: { other: 1 } })
  expect(chats()[0]?.messages[1]).toMatchObject({
    text: 'text after null',
    toolCalls: [{ result: 'Timeout: Timed out' }],
  })
})

const node = (id: string, parent: string | null, message: object | null): [string, object] => [
  id,
  { id, parent, children: [], message },
]
const authored = (role: string, content: object, more: object = {}) => ({
  author: { role },
  content,
  ...more,
})

test('ChatGPT: marks without a link are removed and counted, code keeps its language, older citations get links', async () => {
  const { importText, chats } = createFresh()
  const old = 'See 【1†source】 and 【2†x】.'
  const mapping: Record<string, object> = Object.fromEntries([
    node('q', null, authored('user', { content_type: 'text', parts: ['q'] })),
    node('c', 'q', authored('assistant', { content_type: 'code', language: 'python', text: 'a = "```"' })),
    node(
      'm',
      'c',
      authored('assistant', { content_type: 'text', parts: ['One \ue200cite\ue202x\ue201 two'] }),
    ),
    node(
      'o',
      'm',
      authored(
        'assistant',
        { content_type: 'text', parts: [old] },
        {
          metadata: {
            citations: [
              { start_ix: 4, end_ix: 14, metadata: { url: 'https://a.example/', title: 'A [b]' } },
              { start_ix: 19, end_ix: 24, metadata: { url: 'javascript:alert(1)' } },
            ],
          },
        },
      ),
    ),
    node('n', 'o', authored('assistant', { content_type: 'new_kind', text: 'text of a new kind' })),
  ])
  const report = await importText(JSON.stringify([{ title: 't', mapping, current_node: 'n' }]))
  expect(report.leftOut).toEqual({ citations: 2 })
  expect(chats()[0]?.thread).toEqual([
    'user: q',
    'assistant: ````python\na = "```"\n````',
    'assistant: One  two',
    'assistant: See [A  b](<https://a.example/>) and .',
    'assistant: text of a new kind',
  ])
})

test('Claude: pasted text and artifacts are part of the messages', async () => {
  const { importText, chats } = createFresh()
  const report = await importText(await readInput('claude.json'))
  expect(report).toMatchObject({ source: 'claude', messages: 2, leftOut: { files: 1 } })
  const [chat] = chats()
  expect(chat?.thread).toEqual([
    'user: Look at this paste\n\npaste.txt:\n\n```\nTHE PASTED LONG TEXT that matters\n```',
    'assistant: I will write it.\n\n**Doc**\n\n# THE ARTIFACT\n\nwhole document\n\nDone.',
  ])
  expect(chat?.messages[1]).toMatchObject({
    reasoning: 'hmm',
    toolCalls: [{ name: 'artifacts', result: 'OK' }],
  })
})

test('Claude: a project keeps its instructions and documents', async () => {
  const { importText, chats } = createFresh()
  await importText(await readInput('claude-projects.json'))
  expect(chats()).toMatchObject([
    {
      conversation: { title: 'Project', systemPrompt: 'Be an expert' },
      thread: ['user: d', 'user: a.md:\n\n```\nknowledge\n```'],
    },
  ])
})

test('Open WebUI: reasoning is unescaped, and the text of a file stays', async () => {
  const { importText, chats } = createFresh()
  const report = await importText(await readInput('openwebui.json'))
  expect(report).toMatchObject({ source: 'open-webui', messages: 2, leftOut: { excerpts: 1 } })
  const [chat] = chats()
  expect(chat?.thread).toEqual(['user: Q\n\nn.txt:\n\n```\nFILE TEXT\n```', 'assistant: Answer [1]'])
  expect(chat?.messages[1]?.reasoning).toBe('> I think "x" < y\n> more')
})

const question = ['user: Q', 'assistant: A']
const chatbox = {
  'chat-sessions-list': [{ id: 's' }],
  'session:s': {
    id: 's',
    name: 'Box',
    messages: [
      { id: '1', role: 'system', contentParts: [{ type: 'text', text: 'Be brief.' }] },
      { id: '2', role: 'user', contentParts: [{ type: 'text', text: 'Q' }], timestamp: 1_700_000_000_000 },
      { id: '3', role: 'assistant', content: 'A', reasoningContent: 'hm', timestamp: 1_700_000_001_000 },
    ],
  },
}
const lmStudio = {
  name: 'Studio',
  createdAt: 1_700_000_000_000,
  systemPrompt: '',
  messages: [
    {
      versions: [{ type: 'singleStep', role: 'user', content: [{ type: 'text', text: 'Q' }] }],
      currentlySelected: 0,
    },
    {
      versions: [
        {
          type: 'multiStep',
          role: 'assistant',
          senderInfo: { senderName: 'qwen' },
          steps: [
            { type: 'contentBlock', style: { type: 'thinking' }, content: [{ type: 'text', text: 'hm' }] },
            { type: 'contentBlock', content: [{ type: 'text', text: 'A' }] },
          ],
        },
      ],
      currentlySelected: 0,
    },
  ],
}
const typingMind = {
  data: {
    chats: [
      {
        id: 't',
        chatTitle: 'Typing',
        model: 'gpt-4o',
        createdAt: '2026-01-01T00:00:00Z',
        messages: [
          { role: 'user', content: 'Q' },
          { role: 'assistant', content: [{ type: 'text', text: 'A' }] },
        ],
      },
    ],
  },
}
const apiMessages = {
  model: 'm',
  messages: [
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'Q' }] },
    { role: 'assistant', content: 'A' },
  ],
}

test.each([
  ['librechat', 'Libre', 'gpt-4o', 'librechat.json'],
  ['jan', 'Q', undefined, 'jan-messages.jsonl'],
  ['cherry-studio', 'Q', undefined, 'cherry.json'],
  ['deepseek', 'DeepSeek', 'deepseek-reasoner', 'deepseek.json'],
  ['openrouter', 'Room', 'openai/gpt-4o', 'openrouter.json'],
  ['messages', 'Q', undefined, 'openai-messages.json'],
  ['chatbox', 'Box', undefined, chatbox],
  ['lm-studio', 'Studio', 'qwen', lmStudio],
  ['typingmind', 'Typing', 'gpt-4o', typingMind],
  ['messages', 'Q', 'm', apiMessages],
])('%s: “%s” is imported completely', async (source, title, model = 'unknown', input) => {
  const { importText, chats } = createFresh()
  const text = typeof input === 'string' ? await readInput(input) : JSON.stringify(input)
  expect(await importText(text, 17)).toMatchObject({
    source,
    conversations: 1,
    messages: 2,
    skipped: 0,
    leftOut: {},
    whole: true,
  })
  expect(chats()).toMatchObject([{ conversation: { title, model }, thread: question }])
})

test('JSONL: each line is a chat', async () => {
  const { importText, chats } = createFresh()
  const line = JSON.stringify(apiMessages)
  expect(await importText(`${line}\n${line}\n`, 5)).toMatchObject({
    conversations: 2,
    messages: 4,
    whole: true,
  })
  expect(chats()[0]?.conversation.systemPrompt).toBe('Be brief.')
})

test('the result of a tool belongs to its call', async () => {
  const { importText, chats } = createFresh()
  const call = (id: string) => ({ id, type: 'function', function: { name: id, arguments: '{}' } })
  await importText(
    JSON.stringify([
      { role: 'user', content: 'Q' },
      { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] },
      { role: 'tool', tool_call_id: 'a', content: 'result of a' },
      { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: 'result of b' }] },
    ]),
  )
  expect(chats()[0]?.messages[1]).toMatchObject({
    text: '',
    toolCalls: [
      { name: 'a', arguments: '{}', result: 'result of a' },
      { name: 'b', arguments: '{}', result: 'result of b' },
    ],
  })
})

test.each(['empty.json', 'notjson.json'])('%s has no chats', async (name) => {
  await expect(createFresh().importText(await readInput(name))).rejects.toMatchObject({
    code: 'library/not-conversations',
  })
})

test('truncated.json: the chats before its end are imported', async () => {
  const report = await createFresh().importText(await readInput('truncated.json'))
  expect(report).toMatchObject({ source: 'chatgpt', whole: false })
  expect(report.conversations).toBeGreaterThan(0)
})

test('a preview counts and saves nothing; an import of several files can be undone', async () => {
  const { library, chats } = createFresh()
  const files = [
    { name: 'conversations-000.json', text: await readInput('chatgpt-null-title.json') },
    { name: 'user.json', text: '{}' },
    { name: 'projects.json', text: await readInput('claude-projects.json') },
  ]
  const run = async (preview: boolean) => {
    const id = library.beginImport({ preview })
    for (const [index, { name, text }] of files.entries())
      await library.importPiece(id, text, { index, name })
    return { id, report: library.endImport(id, false, 3) }
  }
  const preview = await run(true)
  expect(preview.report).toMatchObject({
    source: null,
    conversations: 2,
    messages: 3,
    skipped: 0,
    leftOut: { 'other-files': 4 },
    otherFiles: ['user.json'],
  })
  expect(preview.report.from).toBeLessThanOrEqual(preview.report.to ?? 0)
  expect(chats()).toEqual([])
  expect(() => library.undoImport(preview.id)).toThrow()
  const { id, report } = await run(false)
  expect(report).toEqual(preview.report)
  expect(chats()).toHaveLength(2)
  expect(library.undoImport(id)).toEqual({ removed: 2, remaining: 0 })
  expect(chats()).toEqual([])
  expect(() => library.undoImport(id)).toThrow()
})

test('chatgpt-export.zip: the chats of the archive, and nothing of its other files', async () => {
  const { library, chats } = createFresh()
  const id = library.beginImport()
  const bytes = await readFile(new URL('chatgpt-export.zip', inputs))
  const file = { name: 'chatgpt-export.zip', bytes: () => Readable.from([new Uint8Array(bytes)]) }
  let otherFiles = 0
  for await (const input of readImportFiles([file]))
    if (input.type === 'text') await library.importPiece(id, input.text, input.file)
    else if (input.type === 'other-file') otherFiles += 1
  expect(library.endImport(id, false, otherFiles)).toMatchObject({
    ...rich,
    leftOut: { ...rich.leftOut, 'other-files': 2 },
    otherFiles: ['chatgpt-export.zip/user.json'],
  })
  expect(chats()).toHaveLength(1)
})

import { expect, test } from 'vitest'
import { createLibrary } from '../../../../src/core/conversations/library/index.ts'
import { createStore } from '../../../../src/core/storage/index.ts'

const NOW = Date.UTC(2026, 10, 22)

/** The report of an import, and its only chat with a line for each text, reasoning, call, result and source. */
async function importOne(value: unknown) {
  const store = createStore({ folder: null, key: new Uint8Array(32), now: () => NOW })
  const library = createLibrary(store, () => NOW)
  const id = library.beginImport()
  await library.importPiece(id, JSON.stringify(value))
  const { source, leftOut, skips } = library.endImport(id, false)
  const [chat] = store.conversations.list()
  const lines = store.messages
    .of(chat?.id ?? '')
    .flatMap(({ role, text, reasoning, toolCalls, citations }) => [
      ...(reasoning === undefined ? [] : [`thought: ${reasoning}`]),
      ...(toolCalls ?? []).map(({ name, result }) => `call: ${name} = ${result ?? ''}`),
      ...(citations ?? []).map(({ url }) => `source: ${url}`),
      ...(text === '' ? [] : [`${role}: ${text}`]),
    ])
  return { source, leftOut, skips, title: chat?.title, model: chat?.model, system: chat?.systemPrompt, lines }
}

const dialog = [
  { role: 'user', content: 'Q' },
  { role: 'assistant', content: 'A' },
]
const question = { author: { role: 'user' }, content: { content_type: 'text', parts: ['Q'] } }
const lines = ['user: Q', 'assistant: A']
const link = 'https://a.example/'

test.each<[name: string, input: unknown, expected: object]>([
  [
    'ChatGPT with a damaged node and a number for its title',
    [{ title: 5, mapping: { a: { parent: null, message: question }, b: 'damaged' } }],
    { source: 'chatgpt', title: 'Q', lines: ['user: Q'], leftOut: { other: 1 } },
  ],
  [
    'ChatGPT without a title, and a node without a message',
    [{ mapping: { a: {}, b: { parent: 'a', message: question } } }],
    { source: 'chatgpt', title: 'Q', lines: ['user: Q'] },
  ],
  [
    'messages in ChatGPT’s form',
    { title: 'T', messages: [question, { ...question, author: { role: 'assistant' } }] },
    { source: 'messages', lines: ['user: Q', 'assistant: Q'] },
  ],
  [
    'DeepSeek’s older form without roles',
    [
      {
        title: 'D',
        mapping: {
          root: { parent: null, message: null },
          1: { parent: 'root', message: { model: 'm', content: 'Q', reasoning_content: null } },
          2: { parent: '1', message: { model: 'm', content: 'A', reasoning_content: 'hm' } },
        },
      },
    ],
    { source: 'deepseek', model: 'm', lines: ['user: Q', 'thought: hm', 'assistant: A'] },
  ],
  [
    'a project of Claude without instructions',
    [{ uuid: 'p', name: 'P', docs: [{ filename: 'a.md', content: 'k' }] }],
    { source: 'claude', title: 'P', lines: ['user: a.md:\n\n```\nk\n```'] },
  ],
  [
    'Open WebUI without branches',
    [{ title: 'T', chat: { models: ['m'], messages: dialog } }],
    { source: 'open-webui', title: 'T', model: 'm', lines },
  ],
  [
    'Open WebUI with an error',
    [
      {
        title: 'T',
        chat: {
          history: {
            messages: { a: { role: 'assistant', content: '', error: { content: 'No quota' } } },
            currentId: 'a',
          },
        },
      },
    ],
    { source: 'open-webui', lines: ['assistant: No quota'] },
  ],
  [
    'LibreChat with an error',
    {
      conversationId: 'c',
      messages: [{ messageId: '1', isCreatedByUser: false, content: [{ type: 'error', error: 'No quota' }] }],
    },
    { source: 'librechat', lines: ['assistant: No quota'] },
  ],
  [
    'a thread of Jan',
    {
      title: 'T',
      assistants: [{ model: { id: 'm' } }],
      messages: dialog.map((message) => ({ ...message, object: 'thread.message' })),
    },
    { source: 'jan', model: 'm', lines },
  ],
  [
    'sources of Cherry Studio',
    {
      indexedDB: {
        topics: [{ id: 't', messages: [{ id: 'm', role: 'assistant', blocks: ['a', 'b'] }] }],
        message_blocks: [
          { id: 'a', messageId: 'm', type: 'main_text', content: 'A' },
          { id: 'b', messageId: 'm', type: 'citation', response: { results: [{ url: link, title: 'T' }] } },
        ],
      },
    },
    { source: 'cherry-studio', lines: [`source: ${link}`, 'assistant: A'] },
  ],
  [
    'tool calls of LM Studio',
    {
      messages: [
        {
          versions: [
            {
              role: 'assistant',
              steps: [
                { content: [{ type: 'toolCallRequest', name: 'f', parameters: { a: 1 } }] },
                { content: [{ type: 'toolCallResult', content: 'found' }] },
                { content: [{ type: 'text', text: 'A' }] },
              ],
            },
          ],
          currentlySelected: 0,
        },
      ],
    },
    { source: 'lm-studio', lines: ['call: f = found', 'assistant: A'] },
  ],
  [
    'a reasoning of OpenRouter',
    {
      characters: { c: { model: 'm' } },
      messages: { a: { characterId: 'c', items: [{ id: 'i' }, { id: 'j' }] } },
      items: {
        i: { data: { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] } },
        j: { data: { type: 'message', content: [{ type: 'output_text', text: 'A' }] } },
      },
    },
    { source: 'openrouter', lines: ['thought: hm', 'assistant: A'] },
  ],
  [
    'a tool call of Mistral',
    [
      {
        role: 'assistant',
        content: 'A',
        contentChunks: [
          { type: 'tool_call', name: 'f' },
          { type: 'text', text: 'A' },
        ],
      },
    ],
    { source: 'messages', lines: ['call: f = ', 'assistant: A'] },
  ],
  [
    'a request of Gemini',
    {
      systemInstruction: { parts: [{ text: 'S' }] },
      contents: [
        { role: 'user', parts: [{ text: 'Q' }, { inlineData: { mimeType: 'image/png', data: 'x' } }] },
        { role: 'model', parts: [{ text: 'hm', thought: true }, { text: 'A' }] },
      ],
    },
    {
      source: 'messages',
      system: 'S',
      leftOut: { images: 1 },
      lines: ['user: Q', 'thought: hm', 'assistant: A'],
    },
  ],
  [
    'a prompt of Google AI Studio',
    {
      runSettings: { model: 'models/g' },
      chunkedPrompt: {
        chunks: [
          { text: 'Q', role: 'user' },
          { text: 'hm', role: 'model', isThought: true },
          { text: 'A', role: 'model' },
        ],
      },
    },
    { source: 'messages', model: 'models/g', lines: ['user: Q', 'thought: hm', 'assistant: A'] },
  ],
  [
    'a request of Anthropic’s API',
    {
      system: [{ type: 'text', text: 'S' }],
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'f', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: 'found' }] },
        { role: 'assistant', content: 'A' },
      ],
    },
    { source: 'messages', system: 'S', lines: ['call: f = found', 'assistant: A'] },
  ],
  [
    'messages of the AI SDK',
    [
      {
        role: 'assistant',
        parts: [
          { type: 'step-start' },
          { type: 'tool-search', input: {}, output: 'found' },
          { type: 'source-url', url: link, title: 'T' },
          { type: 'text', text: 'A' },
        ],
      },
    ],
    { source: 'messages', lines: ['call: search = found', `source: ${link}`, 'assistant: A'] },
  ],
  [
    'a training set',
    [
      {
        conversations: [
          { from: 'human', value: 'Q' },
          { from: 'gpt', value: 'A' },
        ],
      },
    ],
    { lines },
  ],
  [
    'a refusal',
    [
      { role: 'assistant', content: null, refusal: 'No.' },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'Never.' }] },
    ],
    { lines: ['assistant: No.', 'assistant: Never.'] },
  ],
])('%s is imported by its name, with all of its text', async (_, input, expected) => {
  expect(await importOne(input)).toMatchObject({ leftOut: {}, skips: [], ...expected })
})

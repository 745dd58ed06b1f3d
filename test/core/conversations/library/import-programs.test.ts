import { expect, test } from 'vitest'
import { importChats, texts } from './import-chats.ts'

const activity = (title: string, time: string, html?: string) => ({
  header: 'Gemini Apps',
  title,
  time,
  products: ['Gemini Apps'],
  activityControls: ['Gemini Apps Activity'],
  ...(html !== undefined && { safeHtmlItem: [{ html }] }),
})

test('Google Takeout: prompts of Gemini with their replies, in chats by their times', async () => {
  const { report, chats } = await importChats([
    activity('Gave feedback: Good response', '2026-07-26T09:20:00Z'),
    activity('Prompted And in Rome? Attached 2 files.', '2026-07-26T09:10:00Z', '<p>Sunny.</p>'),
    activity(
      'Prompted Weather in Bern?',
      '2026-07-26T09:00:00.5Z',
      '<h2>Bern</h2><p>Rain &amp; <b>wind</b>.</p><ul><li>12 °C</li></ul><script>x()</script>',
    ),
    activity('Asked Bard: An older one', '2023-10-01T10:00:00Z'),
    { header: 'Search', title: 'Searched for tea', time: '2026-07-26T09:05:00Z', products: ['Search'] },
  ])
  expect(report).toMatchObject({
    source: 'gemini',
    conversations: 2,
    messages: 5,
    skipped: 1,
    leftOut: { files: 2, other: 1 },
  })
  expect(chats.map(texts)).toEqual([
    ['user: An older one'],
    [
      'user: Weather in Bern?',
      'assistant: ## Bern\n\nRain & **wind**.\n\n- 12 °C',
      'user: And in Rome?',
      'assistant: Sunny.',
    ],
  ])
  expect(chats[1]).toMatchObject({
    title: 'Weather in Bern?',
    createdAt: Date.UTC(2026, 6, 26, 9, 0, 0, 500),
  })
})

test('Google Takeout in another language: a record with a reply is a prompt', async () => {
  const korean = {
    ...activity('안녕이라고 질문함', '2026-07-26T09:00:00Z', '<p>안녕하세요</p>'),
    header: 'Gemini 앱',
  }
  const { report, chats } = await importChats([korean, activity('Gem을 만듦', '2026-07-26T09:01:00Z')])
  expect(texts(chats[0])).toEqual(['user: 안녕이라고 질문함', 'assistant: 안녕하세요'])
  expect(report.leftOut).toEqual({ other: 1 })
})

const at = (ms: number) => ({ $date: { $numberLong: String(ms) } })

test('Grok: a tree of responses with sources, reasoning and times in two forms', async () => {
  const response = (value: object) => ({ response: value, share_link: null })
  const { report, chats } = await importChats({
    conversations: [
      {
        conversation: {
          id: 'c',
          title: 'Herons',
          create_time: '2026-01-02T03:04:05.678Z',
          modify_time: '2026-01-02T03:09:05Z',
        },
        responses: [
          response({ _id: '1', sender: 'human', message: 'Where?', create_time: at(1_767_323_046_000) }),
          response({
            _id: '2',
            parent_response_id: '1',
            sender: 'ASSISTANT',
            model: 'grok-4',
            message:
              'At lakes.<grok:render card_type="citation_card"><argument name="citation_id">0</argument></grok:render> Or rivers.',
            thinking_trace: 'Think of water.',
            agent_thinking_traces: [{ agent_id: 1, thinking_trace: 'And reeds.' }],
            cited_web_search_results: [{ url: 'https://a.example/h', title: 'Herons', preview: 'Lakes' }],
            steps: [{ tagged_text: {} }],
          }),
          response({
            _id: '3',
            parent_response_id: '1',
            sender: 'grok-3',
            message: 'In parks.',
            model: 'grok-3',
          }),
          response({
            _id: '4',
            parent_response_id: '2',
            sender: 'human',
            message: '',
            query: 'Draw one',
            file_attachments: ['f'],
          }),
          response({
            _id: '5',
            parent_response_id: '4',
            sender: 'assistant',
            message: '',
            error: 'Failed to respond.',
            generated_image_urls: ['u'],
          }),
        ],
      },
    ],
    projects: [],
  })
  expect(report).toMatchObject({
    source: 'grok',
    conversations: 1,
    messages: 5,
    leftOut: { files: 1, images: 1, tools: 1 },
  })
  const [chat] = chats
  expect(chat).toMatchObject({ title: 'Herons', createdAt: Date.UTC(2026, 0, 2, 3, 4, 5, 678) })
  expect(texts(chat)?.toSorted()).toEqual([
    'assistant: At lakes. Or rivers.',
    'assistant: Failed to respond.',
    'assistant: In parks.',
    'user: Draw one',
    'user: Where?',
  ])
  expect(chat?.messages.find(({ text }) => text.startsWith('At'))).toMatchObject({
    model: 'grok-4',
    reasoning: 'Think of water.\n\nAnd reeds.',
    citations: [{ url: 'https://a.example/h', title: 'Herons', excerpt: 'Lakes' }],
    parentId: chat?.messages.find(({ text }) => text === 'Where?')?.id,
  })
  expect(chat?.messages.find(({ text }) => text === 'Where?')?.createdAt).toBe(1_767_323_046_000)
})

test('Grok: chats without the inner objects and without links between responses are a list', async () => {
  const { chats } = await importChats({
    conversations: [
      {
        title: 'vps',
        responses: [
          { sender: 'human', message: 'a' },
          { sender: 'assistant', message: 'b' },
        ],
      },
    ],
  })
  expect(texts(chats[0])).toEqual(['user: a', 'assistant: b'])
  expect(chats[0]?.messages[1]?.parentId).toBe(chats[0]?.messages[0]?.id)
})

const output = [
  { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'Look it up.' }] },
  { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'weather', arguments: '{"city":"Bern"}' },
]
const message = (text: string) => ({
  type: 'message',
  role: 'assistant',
  content: [
    {
      type: 'output_text',
      text,
      annotations: [{ type: 'url_citation', url: 'https://a.example', title: 'A' }],
    },
  ],
})

test('OpenAI Responses: a request with its items, calls and results', async () => {
  const { report, chats } = await importChats({
    model: 'gpt-5',
    instructions: 'Be brief',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Weather?' },
          { type: 'input_image', image_url: 'x' },
        ],
      },
      ...output,
      { type: 'function_call_output', call_id: 'call_1', output: '12 °C' },
      message('Twelve degrees.'),
      { type: 'web_search_call', id: 'w', status: 'completed', action: { type: 'search', query: 'q' } },
      { type: 'reasoning', encrypted_content: 'abc', summary: [] },
    ],
  })
  expect(report).toMatchObject({ source: 'messages', leftOut: { images: 1, reasoning: 1 } })
  expect(chats[0]).toMatchObject({ model: 'gpt-5', systemPrompt: 'Be brief' })
  expect(texts(chats[0])).toEqual(['user: Weather?', 'assistant: ', 'assistant: Twelve degrees.'])
  expect(chats[0]?.messages[1]).toMatchObject({
    reasoning: 'Look it up.',
    toolCalls: [{ name: 'weather', arguments: '{"city":"Bern"}', result: '12 °C' }],
  })
  expect(chats[0]?.messages[2]).toMatchObject({
    citations: [{ url: 'https://a.example/' }],
    toolCalls: [{ name: 'web_search' }],
  })
})

test('OpenAI: answers, rows of batches and lines of items are chats, and other requests are not', async () => {
  const { report, chats } = await importChats(
    {
      object: 'response',
      id: 'resp_1',
      model: 'gpt-5',
      created_at: 1_700_000_000,
      output: [...output, message('One')],
    },
    { custom_id: 'a', method: 'POST', url: '/v1/responses', body: { model: 'gpt-5', input: 'Two' } },
    {
      custom_id: 'b',
      response: {
        body: {
          object: 'chat.completion',
          created: 1_700_000_001,
          model: 'm',
          choices: [{ message: { role: 'assistant', content: 'Three' } }],
        },
      },
    },
    { model: 'text-embedding-3-small', input: 'not a chat' },
  )
  expect(report).toMatchObject({ conversations: 3, skipped: 1 })
  expect(chats.flatMap((chat) => texts(chat) ?? []).toSorted()).toEqual([
    'assistant: One',
    'assistant: Three',
    'user: Two',
  ])
  const lines = await importChats({ type: 'message', role: 'user', content: 'Q' }, ...output, message('A'))
  expect(lines.chats.map(texts)).toEqual([['user: Q', 'assistant: A']])
})

const claudeLine = (type: string, message: object, more = {}) => ({
  type,
  message,
  sessionId: 's',
  uuid: 'u',
  timestamp: '2026-01-01T00:00:00Z',
  ...more,
})

test('logs of coding agents: their messages, calls and results, with other lines counted', async () => {
  const claude = await importChats(
    { type: 'summary', summary: 'Files', leafUuid: 'u' },
    claudeLine('user', { role: 'user', content: 'List' }),
    claudeLine('assistant', {
      role: 'assistant',
      model: 'claude-x',
      content: [
        { type: 'text', text: 'Done' },
        { type: 'tool_use', id: 't', name: 'Bash', input: 'ls' },
      ],
    }),
    claudeLine('user', {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't', content: 'a.txt' }],
    }),
    claudeLine(
      'user',
      { role: 'user', content: 'Side task' },
      { isSidechain: true, timestamp: '2026-01-02T00:00:00Z' },
    ),
  )
  expect(claude.chats.map(texts)).toEqual([['user: List', 'assistant: Done'], ['user: Side task']])
  expect(claude.chats[0]?.messages[1]).toMatchObject({
    model: 'claude-x',
    toolCalls: [{ name: 'Bash', arguments: 'ls', result: 'a.txt' }],
  })
  expect(claude.report).toMatchObject({ skipped: 0, leftOut: { other: 1 } })

  const codex = await importChats(
    { type: 'session_meta', payload: { id: 'x' } },
    ...[{ type: 'message', role: 'user', content: 'Hi' }, ...output, message('Hello')].map((payload) => ({
      type: 'response_item',
      payload,
    })),
  )
  expect(codex.chats.map(texts)).toEqual([['user: Hi', 'assistant: Hello']])
})

test('Gemini CLI, Copilot in VS Code and LobeChat', async () => {
  const gemini = await importChats({
    sessionId: 's',
    messages: [
      { type: 'user', content: 'Q' },
      { type: 'gemini', content: 'A', thoughts: [{ subject: 'S', description: 'D' }], model: 'gemini-x' },
    ],
  })
  expect(gemini.chats.map(texts)).toEqual([['user: Q', 'assistant: A']])
  expect(gemini.chats[0]).toMatchObject({ model: 'gemini-x', messages: [{}, { reasoning: 'S\n\nD' }] })

  const copilot = await importChats({
    requests: [
      {
        message: { text: 'Q' },
        response: [{ value: 'See ' }, { kind: 'inlineReference', name: 'a.ts' }, { value: '.' }],
        modelId: 'copilot/m',
      },
    ],
  })
  expect(copilot.chats.map(texts)).toEqual([['user: Q', 'assistant: See a.ts.']])

  const lobe = await importChats({
    exportType: 'all',
    state: {
      messages: [
        { role: 'user', content: 'Q', sessionId: 's' },
        { role: 'user', content: 'Other', sessionId: 's', topicId: 't' },
      ],
      sessions: [{ id: 's', meta: { title: 'Session' } }],
      topics: [{ id: 't', title: 'Topic' }],
    },
  })
  expect(lobe.chats.map(({ title }) => title).toSorted()).toEqual(['Session', 'Topic'])
})

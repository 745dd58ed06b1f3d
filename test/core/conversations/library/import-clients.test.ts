import { expect, test } from 'vitest'
import { importChats, texts } from './import-chats.ts'

const QUESTION = { role: 'user', content: 'hi' }
const REPLY = { role: 'assistant', content: 'yo' }
const TEXTS = ['user: hi', 'assistant: yo']

test('NextChat: every session with its topic and model, and none of the keys in the same file', async () => {
  const { report, chats } = await importChats({
    'chat-next-web-store': {
      sessions: [
        { topic: 'A topic', messages: [QUESTION, REPLY], mask: { modelConfig: { model: 'gpt-4o' } } },
        { topic: 'Empty', messages: [] },
      ],
    },
    'access-control': { openaiApiKey: 'sk-of-a-service' },
  })
  expect(report).toMatchObject({
    source: 'messages',
    conversations: 1,
    skips: [{ title: 'Empty', reason: 'empty' }],
  })
  expect(chats).toMatchObject([{ title: 'A topic', model: 'gpt-4o' }])
  expect(texts(chats[0])).toEqual(TEXTS)
})

test('SillyTavern: lines that name the speaker are one chat', async () => {
  const { report, chats } = await importChats(
    { user_name: 'Ada', character_name: 'Bot', create_date: '2026-1-1' },
    { name: 'Ada', is_user: true, mes: 'hi', send_date: '2026-01-01T10:00:00Z' },
    { name: 'Bot', is_user: false, mes: 'yo', swipes: ['yo', 'ho'], swipe_id: 0 },
  )
  expect(report).toMatchObject({ source: 'messages', conversations: 1, messages: 2 })
  expect(texts(chats[0])).toEqual(TEXTS)
})

test('Big-AGI: the fragments of a message are its text, and images are counted', async () => {
  const fragment = (part: object) => ({ ft: 'content', part })
  const { report, chats } = await importChats({
    conversations: [
      {
        userTitle: 'Mine',
        messages: [
          { role: 'user', fragments: [fragment({ pt: 'text', text: 'hi' }), fragment({ pt: 'image_ref' })] },
          { role: 'assistant', fragments: [fragment({ pt: 'text', text: 'yo' })] },
        ],
      },
    ],
  })
  expect(report).toMatchObject({ source: 'messages', conversations: 1, leftOut: { images: 1 } })
  expect(chats).toMatchObject([{ title: 'Mine' }])
  expect(texts(chats[0])).toEqual(TEXTS)
})

test('a single training example in the form of ShareGPT is a chat, as in a list', async () => {
  const example = {
    conversations: [
      { from: 'human', value: 'hi' },
      { from: 'gpt', value: 'yo' },
    ],
  }
  for (const file of [example, [example]]) {
    const { report, chats } = await importChats(file)
    expect(report).toMatchObject({ source: 'messages', conversations: 1, messages: 2 })
    expect(texts(chats[0])).toEqual(TEXTS)
  }
})

test.each([
  ['a messenger whose messages have names', { name: 'Ada', messages: [{ from: 'Ada', text: 'hi' }] }],
  ['a server of a messenger', { guild: {}, messages: [{ content: 'hi', author: { name: 'Ada' } }] }],
  [
    'chats in another form than TypingMind’s',
    { chats: [{ title: 'T', splits: [{ messages: [QUESTION] }] }] },
  ],
])('%s: the file isn’t called an export of chats with models', async (_name, file) => {
  await expect(importChats(file)).rejects.toThrow(
    expect.objectContaining({ code: 'library/not-conversations' }),
  )
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exportConversations } from '../../../../src/core/conversations/library/export/export-conversations.ts'
import { escapeHtml } from '../../../../src/core/conversations/library/export/html.ts'
import { createStore } from '../../../../src/core/storage/index.ts'
import {
  fileConversationSchema,
  fileHeadSchema,
  type ExportFormat,
} from '../../../../src/shared/library/conversation-file.ts'
import { z } from 'zod'

const NOW = Date.UTC(2026, 10, 22, 10, 0, 0)

function storeWith(title: string, ...texts: string[]) {
  const store = createStore({ folder: null, key: new Uint8Array(32), now: () => NOW })
  const { id } = store.conversations.create({ title, private: true, model: 'private/lento' })
  const messages = texts.map((text, index) =>
    store.messages.add(
      index % 2 === 0
        ? { conversationId: id, role: 'user', text, state: 'complete' }
        : {
            conversationId: id,
            role: 'assistant',
            text,
            reasoning: `thinking of ${text}`,
            state: 'complete',
            model: 'private/lento',
            privacy: 'sealed',
            receiptId: 'r1',
          },
    ),
  )
  return { store, id, messages }
}

async function textOf(
  store: ReturnType<typeof createStore>,
  format: ExportFormat,
  id?: string,
): Promise<string> {
  let text = ''
  for await (const event of exportConversations(store, format, id, NOW, new AbortController().signal))
    if (event.type === 'text') text += event.text
  return text
}

const hostile = [
  '<script>alert(1)</script>',
  '</div></body><img src=x onerror=alert(1)>',
  '"><svg/onload=alert(1)>',
  "' onmouseover='x",
  '<!--',
  ']]>',
  '</style><style>@import url(//evil)</style>',
  '&lt;script&gt;',
  'javascript:alert(1)',
  '\u0000\u0008<b>',
  '\u2028<i>',
  '\ud800',
  '<meta http-equiv=refresh content="0;url=//evil">',
  '</title><script>',
]

test.each(hostile)('HTML export renders %j only as text', async (text) => {
  const { store } = storeWith(text, text, text)
  const page = await textOf(store, 'html')
  // Every tag of the page is one of its own.
  const tags = new Set([...page.matchAll(/<\/?([a-z!]+)/gi)].map(([, name = '']) => name.toLowerCase()))
  expect([...tags].toSorted()).toEqual([
    '!doctype',
    'article',
    'bdi',
    'body',
    'div',
    'h',
    'head',
    'html',
    'main',
    'meta',
    'p',
    'section',
    'style',
    'title',
  ])
  expect(page.match(/<meta/g)).toHaveLength(4)
  expect(page.match(/<style>/g)).toHaveLength(1)
  expect(page).toMatch(
    /Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; img-src data:; base-uri 'none'; form-action 'none'"/,
  )
  expect(page.isWellFormed()).toBe(true)
})

test('escaped text contains no HTML and decodes to the original', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const escaped = escapeHtml(text)
      expect(/[<>"'`]|&(?!(amp|lt|gt|quot|#39|#96);)/.test(escaped)).toBe(false)
      const back = escaped
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&#96;', '`')
        .replaceAll('&amp;', '&')
      expect(back).toBe(text.toWellFormed().replace(/(?![\t\n\r])[\p{Cc}\u2028\u2029]/gu, '\ufffd'))
    }),
  )
})

test('JSON export contains every branch and matches its schema; a page contains only the branch that is shown', async () => {
  const {
    store,
    id,
    messages: [question, answer],
  } = storeWith('Branches', 'question', 'the first answer')
  store.messages.add({
    conversationId: id,
    parentId: question?.id ?? null,
    role: 'assistant',
    text: 'the second answer',
    state: 'complete',
  })
  const file: unknown = JSON.parse(await textOf(store, 'json'))
  expect(fileHeadSchema.parse(file)).toEqual({ format: 'sotto-conversations', version: 1 })
  const {
    conversations: [conversation],
  } = z.object({ conversations: z.array(z.strictObject(fileConversationSchema.shape)) }).parse(file)
  expect(conversation?.messages.map(({ text, parentId }) => ({ text, parentId }))).toEqual([
    { text: 'question', parentId: null },
    { text: 'the first answer', parentId: question?.id },
    { text: 'the second answer', parentId: question?.id },
  ])
  expect(conversation?.messages[1]).toMatchObject({ id: answer?.id, privacy: 'sealed', receiptId: 'r1' })
  for (const format of ['markdown', 'html'] as const) {
    const page = await textOf(store, format)
    expect(page).toContain('the second answer')
    expect(page).not.toContain('the first answer')
  }
})

test('Markdown export closes an open code block, and puts a title on one line', async () => {
  const { store } = storeWith('# a\n<b>', 'see:\n```js\nopen', 'done')
  const text = await textOf(store, 'markdown')
  expect(text).toContain('\n# \\# a \\<b\\>\n')
  expect(text).toContain('open\n```\n\n## Answer\n')
  expect(text).toContain('_private/lento · Sealed · 2026-11-22 10:00:00 UTC_\n\n> thinking of done\n\ndone\n')
})

test('exports only the requested conversation, and refuses an unknown one', async () => {
  const { store, id } = storeWith('One', 'hello')
  store.conversations.create({ title: 'Two', private: false, model: 'open' })
  expect(await textOf(store, 'markdown', id)).not.toContain('Two')
  await expect(textOf(store, 'markdown', 'nobody')).rejects.toMatchObject({ code: 'conversation/unknown' })
})

test('an aborted export ends at once', async () => {
  const { store } = storeWith('One', 'hello')
  await expect(async () => {
    for await (const _ of exportConversations(store, 'json', undefined, NOW, AbortSignal.abort())) continue
  }).rejects.toThrow()
})

test('names attachments without including their content', async () => {
  const { store, id } = storeWith('With files', 'Look')
  const attachment = await store.attachments.add(
    { name: 'a <b> *notes*.txt', kind: 'text', type: 'text/plain' },
    Buffer.from('what is in it'),
  )
  store.messages.add({
    conversationId: id,
    role: 'user',
    text: 'Here',
    state: 'complete',
    attachments: [attachment],
  })
  const [json, markdown, html] = [
    await textOf(store, 'json'),
    await textOf(store, 'markdown'),
    await textOf(store, 'html'),
  ]
  expect(JSON.parse(json)).toMatchObject({
    conversations: [{ messages: [{}, { attachments: [{ name: 'a <b> *notes*.txt' }] }] }],
  })
  expect(markdown).toContain('with a \\<b\\> \\*notes\\*.txt')
  expect(html).toContain('with a &lt;b&gt; *notes*.txt')
  for (const text of [json, markdown, html]) expect(text).not.toContain('what is in it')
})

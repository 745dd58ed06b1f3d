import { expect, test } from 'vitest'
import { exportConversations } from '../../../../src/core/conversations/library/export/export-conversations.ts'
import { fromSotto } from '../../../../src/core/conversations/library/import/sotto.ts'
import { importItems } from '../../../../src/core/conversations/library/import/import-conversations.ts'
import { createStore, type Store } from '../../../../src/core/storage/index.ts'
import type { ExportFormat } from '../../../../src/shared/library/conversation-file.ts'

const store = () => createStore({ folder: null, key: new Uint8Array(32), now: () => 1 })
const parts = {
  citations: [
    { url: 'https://a.example/x', title: 'A </div><script> & `b`', excerpt: 'said', marks: [3] },
    { url: 'http://b.example/' },
  ],
  toolCalls: [{ id: 'c', name: 'get_weather', arguments: '{"city":\n"<Turin>"}' }],
}

async function textOf(from: Store, format: ExportFormat): Promise<string> {
  let text = ''
  for await (const event of exportConversations(from, format, undefined, 1, new AbortController().signal))
    if (event.type === 'text') text += event.text
  return text
}
function filled(): Store {
  const filledStore = store()
  const { id } = filledStore.conversations.create({ title: 'Weather', private: false, model: 'm' })
  filledStore.messages.add({
    conversationId: id,
    role: 'user',
    text: 'Weather?',
    state: 'complete',
    webSearch: { maxResults: 2 },
  })
  filledStore.messages.add({
    conversationId: id,
    role: 'assistant',
    text: 'Rain.',
    state: 'complete',
    model: 'm',
    ...parts,
  })
  return filledStore
}

test('an exported page shows the sources and the calls as plain text', async () => {
  const html = await textOf(filled(), 'html')
  for (const shown of [
    'https://a.example/x',
    'http://b.example/',
    'get_weather',
    '&quot;&lt;Turin&gt;&quot;',
    'A &lt;/div&gt;&lt;script&gt; &amp; &#96;b&#96;',
  ])
    expect(html).toContain(shown)
  expect(html).not.toContain('<script')
  const markdown = await textOf(filled(), 'markdown')
  for (const shown of [
    '1. A \\</div\\>\\<script\\> \\& \\`b\\` <https://a.example/x>',
    '2.  <http://b.example/>',
    'get\\_weather',
    '    {"city":\n    "<Turin>"}',
  ])
    expect(markdown).toContain(shown)
})

test('an import of a Sotto file restores them', async () => {
  const file = JSON.parse(await textOf(filled(), 'json')) as { conversations: unknown[] }
  const here = store()
  importItems(here, fromSotto(file.conversations[0]), 1)
  const [conversation] = here.conversations.list()
  expect(here.messages.of(conversation!.id).at(-1)).toMatchObject(parts)
})

test.each([
  { citations: [{ url: 'javascript:alert(1)' }] },
  { citations: [{ url: 'https://a.example/ "><script>' }] },
  { toolCalls: [{ name: 'x', arguments: 'y'.repeat(100_001) }] },
])('a file with invalid parts is refused: %#', async (bad) => {
  const file = JSON.parse(await textOf(filled(), 'json')) as { conversations: { messages: object[] }[] }
  Object.assign(file.conversations[0]!.messages[1]!, bad)
  expect(() => fromSotto(file.conversations[0])).toThrow('malformed')
})

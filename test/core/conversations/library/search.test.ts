import { expect, onTestFinished, test } from 'vitest'
import { createLibrary } from '../../../../src/core/conversations/library/index.ts'
import { createStore } from '../../../../src/core/storage/index.ts'

function createFreshLibrary() {
  let at = 1_000
  const store = createStore({ folder: null, key: new Uint8Array(32).fill(7), now: () => at++ })
  const library = createLibrary(store, Date.now)
  onTestFinished(() => {
    library[Symbol.dispose]()
    store.close()
  })
  const add = (title: string, ...texts: string[]) => {
    const { id } = store.conversations.create({ title, private: true, model: 'private/a' })
    return {
      id,
      messages: texts.map((text) =>
        store.messages.add({ conversationId: id, role: 'user', text, state: 'complete' }),
      ),
    }
  }
  const titles = async (question: string) => {
    await library.ready()
    return library.search(question, 50).found.map(({ conversation }) => conversation.title)
  }
  return { store, library, add, titles }
}

test('search matches prefixes of words anywhere in a conversation, titles first, then the latest', async () => {
  const { add, titles } = createFreshLibrary()
  add('Kitchen', 'The kettle has a network address', 'And it speaks to Docker')
  add('Docker networks', 'How do bridges work?')
  add('Garden', 'The network of roots', 'a docker by the sea')
  expect(await titles('dock net')).toEqual(['Docker networks', 'Garden', 'Kitchen'])
  expect(await titles('docker kettle')).toEqual(['Kitchen'])
  expect(await titles('kettle roots')).toEqual([])
  expect(await titles('  … ')).toEqual([])
})

test('a match has an excerpt with its words marked', async () => {
  const { add, library } = createFreshLibrary()
  add('Café notes', `${'far '.repeat(9_000)}The CAFÉ was closed; cafés are`, 'nothing here')
  await library.ready()
  const [found] = library.search('cafe', 5).found
  expect(found?.title).toEqual({ text: 'Café notes', marks: [[0, 4]] })
  const excerpt = found?.excerpts[0]?.excerpt
  expect(excerpt?.marks.map(([from, to]) => excerpt.text.slice(from, to))).toEqual(['CAFÉ', 'café'])
  expect(excerpt?.text.length).toBeLessThanOrEqual(202)
})

test('search works in languages without spaces between words', async () => {
  const { add, titles, library } = createFreshLibrary()
  add('大学について', '東京大学の入試はいつですか')
  add('京都', '京都の大学と東京の大学')
  add('ภาษา', 'สวัสดีครับยินดีต้อนรับ')
  add('한국어', '서울대학교에서 공부합니다')
  add('中文', '我想学习编程语言')
  expect(await titles('東京大学')).toEqual(['大学について'])
  expect(await titles('大学')).toEqual(['大学について', '京都'])
  expect(await titles('編')).toEqual([])
  expect(await titles('编程')).toEqual(['中文'])
  expect(await titles('编')).toEqual(['中文'])
  expect(await titles('ต้อนรับ')).toEqual(['ภาษา'])
  expect(await titles('서울')).toEqual(['한국어'])
  expect(await titles('ﾀﾞ')).toEqual([])
  const [found] = library.search('入試', 5).found
  expect(found?.excerpts[0]?.excerpt).toEqual({ text: '東京大学の入試はいつですか', marks: [[5, 7]] })
})

test('search follows added, completed, renamed and deleted conversations', async () => {
  const { store, library, add, titles } = createFreshLibrary()
  const { id } = add('First', 'alpha')
  expect(await titles('alpha')).toEqual(['First'])
  const answer = store.messages.add({
    conversationId: id,
    role: 'assistant',
    text: 'betagamma',
    state: 'streaming',
  })
  expect(await titles('betagamma')).toEqual([])
  store.messages.update(answer.id, { text: 'betadelta', state: 'complete' })
  expect(await titles('betagamma')).toEqual([])
  expect(await titles('betadelta')).toEqual(['First'])
  store.conversations.rename(id, 'Renamed')
  expect(await titles('first')).toEqual([])
  expect(await titles('renamed')).toEqual(['Renamed'])
  store.conversations.remove(id)
  expect(await titles('alpha')).toEqual([])
  expect(library.search('betadelta', 5)).toEqual({ found: [], more: false, reading: null })
})

test('search reports further matches, and its progress while the index is built', async () => {
  const { add, library } = createFreshLibrary()
  for (let count = 0; count < 200; count += 1) add(`Number ${String(count)}`, 'common '.repeat(2_000))
  const first = library.search('common', 3)
  expect(first.reading?.of).toBe(200)
  expect(first.reading?.read).toBeLessThan(200)
  await library.ready()
  const { found, more, reading } = library.search('common', 3)
  expect([found.length, more, reading]).toEqual([3, true, null])
})

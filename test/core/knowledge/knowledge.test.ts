import { expect, test, vi } from 'vitest'
import { createKnowledge } from '../../../src/core/knowledge/knowledge.ts'
import { createStore } from '../../../src/core/storage/index.ts'
import { KEY, ticking } from '../storage/examples.ts'
import { startWorld } from '../../world.ts'

function startKnowledge() {
  const store = createStore({ folder: null, key: KEY, now: ticking() })
  for (const id of ['p', 'q']) store.projects.put({ id, name: id, instructions: '', privateOnly: false })
  const knowledge = createKnowledge(store)
  const add = (name: string, text: string, more: { projectId?: string; pages?: number } = {}) =>
    knowledge.add(more.projectId ?? 'p', { name, content: Buffer.from(text), pages: more.pages })
  const find = async (query: string, most = 6, projectId = 'p') =>
    (await knowledge.find(projectId, query, most)).map(({ text }) => text)
  return { store, knowledge, add, find, [Symbol.dispose]: () => store.close() }
}
const code = (expected: string): unknown => expect.objectContaining({ code: expected })

test('a question finds the passages of its project, with their documents and places', async () => {
  using world = startKnowledge()
  const { knowledge, add, find } = world
  const lease = await add(
    'lease.md',
    '# Lease\n\nThe rent is 900 euros.\n\n## Notice\n\nThe notice period is three months.',
  )
  await add('survey.pdf', '[Page 1]\nThe roof is new.\n\n[Page 2]\nThe cellar is damp.', { pages: 2 })
  await add('other.txt', 'The cellar of another project is damp.', { projectId: 'q' })
  expect(knowledge.documents('p')).toMatchObject([
    { id: lease.id, name: 'lease.md', passages: 2 },
    { name: 'survey.pdf', pages: 2, passages: 2 },
  ])
  const [first] = await knowledge.find('p', 'how damp are the cellars?', 6)
  expect(first).toMatchObject({
    document: 'survey.pdf',
    place: { page: 2, line: 5 },
    text: 'The cellar is damp.',
  })
  expect((await knowledge.find('p', 'notice periods', 1))[0]).toMatchObject({
    id: `${lease.id}/1`,
    document: 'lease.md',
    place: { heading: 'Notice', line: 5 },
  })
  expect(await find('zebra')).toEqual([])
  // Documents that are added or removed later count at once.
  const zebra = await add('zebra.txt', 'A zebra has stripes.')
  expect(await find('zebra')).toEqual(['A zebra has stripes.'])
  expect([knowledge.remove(zebra.id), knowledge.remove(zebra.id)]).toEqual([true, false])
  expect(await find('zebra')).toEqual([])
  knowledge.removeProject('p')
  expect([await find('damp'), await find('damp', 6, 'q')]).toEqual([
    [],
    ['The cellar of another project is damp.'],
  ])
})

test('a sentence finds its own passage first, also in scripts without spaces', async () => {
  using world = startKnowledge()
  const sentences = ['東京の図書館は月曜日に休みます。', '京都の図書館は火曜日に休みます。', 'ห้องสมุดปิดวันจันทร์']
  for (const [at, sentence] of sentences.entries())
    await world.add(`${String(at)}.txt`, `${sentence}\n${'図書館 ห้องสมุด '.repeat(20)}`)
  for (const sentence of sentences) expect((await world.find(sentence))[0]).toContain(sentence)
})

test('at most three passages of one of several documents are found, and no copies', async () => {
  using world = startKnowledge()
  const text = Array.from(
    { length: 6 },
    (_, at) => `# Part ${'abcdef'[at] ?? ''}\notter ${'vwxyz'.repeat(at + 1)}`,
  )
  await world.add('a.md', text.join('\n'))
  await world.add('copy.md', text.join('\n'))
  const found = await world.knowledge.find('p', 'otter', 6)
  expect(new Set(found.map((passage) => passage.text)).size).toBe(found.length)
  for (const document of ['a.md', 'copy.md'])
    expect(found.filter((passage) => passage.document === document).length).toBeLessThanOrEqual(3)
})

test('passages of another project, and ids of nothing, are refused', async () => {
  using world = startKnowledge()
  const { knowledge } = world
  const { id } = await world.add('a.txt', 'One text.')
  const other = await world.add('b.txt', 'Another text.', { projectId: 'q' })
  expect(knowledge.passagesOf('p', [`${id}/0`, `${id}/0`])).toMatchObject([{ text: 'One text.' }])
  for (const wrong of [`${other.id}/0`, `${id}/1`, `${id}/00`, id, 'x/0', '../0', ''])
    expect(() => knowledge.passagesOf('p', [wrong]), wrong).toThrow(code('knowledge/passage-unknown'))
  // A chat without a project takes no passage along.
  expect(() => knowledge.passagesOf(undefined, [`${id}/0`])).toThrow(code('knowledge/passage-unknown'))
  expect(() => knowledge.read('x', { from: 0, limit: 1 })).toThrow(code('knowledge/document-unknown'))
})

test('a file that cannot be read leaves nothing behind', async () => {
  using world = startKnowledge()
  const { knowledge, add } = world
  await expect(add('a.txt', ' \n')).rejects.toEqual(code('attachment/empty'))
  await expect(add('a.pdf', '%PDF-1.7 not read')).rejects.toEqual(code('attachment/binary'))
  await expect(add('a.bin', '\u007fELF\u0002\u0001\u0001\0\0\0')).rejects.toEqual(code('attachment/binary'))
  await expect(add('a.txt', 'x'.repeat(4_000_001))).rejects.toEqual(code('attachment/too-large'))
  await expect(add('a.pdf', '[Page 1 has no text.]', { pages: 1 })).rejects.toEqual(code('attachment/empty'))
  expect(knowledge.documents('p')).toEqual([])
  await expect(add('a.txt', 'One text.', { projectId: 'none' })).rejects.toEqual(code('project/unknown'))
  expect(knowledge.documents('none')).toEqual([])
})

test('a document with a missing passage isn’t read as if it were complete', () => {
  using world = startKnowledge()
  const { store, knowledge } = world
  const id = store.knowledge.begin({ projectId: 'p', name: 'a.txt', bytes: 9 })
  store.knowledge.put(id, [{ number: 0, text: 'One text.', place: { line: 1 }, tokens: 3 }])
  store.knowledge.finish(id, 2)
  expect(knowledge.read(id, { from: 0, limit: 1 })).toHaveLength(1)
  expect(knowledge.read(id, { from: 2, limit: 1 })).toEqual([])
  expect(() => knowledge.read(id, { from: 0, limit: 9 })).toThrow(code('store/damaged'))
})

test('an index in progress ends with the core, and one that is not used leaves the memory', async () => {
  using world = startKnowledge()
  const { knowledge, store } = world
  await world.add('a.txt', 'An otter.')
  const read = vi.spyOn(store.knowledge, 'passages')
  const running = knowledge.find('p', 'otter', 1)
  knowledge[Symbol.dispose]()
  await expect(running).rejects.toEqual(code('request/canceled'))
  const outdated = knowledge.find('p', 'otter', 1)
  knowledge.remove('x')
  knowledge[Symbol.dispose]()
  await expect(outdated).rejects.toEqual(code('request/canceled'))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    expect(await world.find('otter')).toHaveLength(1)
    read.mockClear()
    await world.find('otter')
    const whileIndexed = read.mock.calls.length
    vi.advanceTimersByTime(10 * 60_000)
    read.mockClear()
    await world.find('otter')
    expect(read.mock.calls.length).toBeGreaterThan(whileIndexed)
  } finally {
    vi.useRealTimers()
  }
})

test('a question is answered from the documents as they are, although they change while they are indexed', async () => {
  using world = startKnowledge()
  const { knowledge, add, find } = world
  let time = 0
  // Each look at this clock uses up a slice, so that other work runs in between.
  const slow = vi.spyOn(performance, 'now').mockImplementation(() => (time += 100))
  try {
    const long = Array.from({ length: 500 }, (_, at) => `# Part ${String(at)}\nA beaver.`).join('\n')
    const beavers = await add('beavers.md', long)
    const whileAdded = find('otter')
    const otter = await add('otter.txt', 'An otter.')
    expect(await whileAdded).toEqual(['An otter.'])
    await add('otters.txt', 'Otters.')
    const whileRemoved = find('otter')
    knowledge.remove(otter.id)
    expect(await whileRemoved).toEqual(['Otters.'])
    knowledge.remove(beavers.id)
    const afterProject = find('otter')
    knowledge.removeProject('p')
    expect(await afterProject).toEqual([])
  } finally {
    slow.mockRestore()
  }
})

test('the contract bounds its inputs, and nothing leaves this computer', async () => {
  await using world = await startWorld()
  const before = world.outbound.length
  const call = (name: string, input: object) => world.call(`knowledge/${name}`, input)
  expect(await call('documents', { projectId: 'p' })).toEqual([])
  expect(await call('find', { projectId: 'p', query: 'otter' })).toEqual([])
  expect(await call('remove', { documentId: 'x' })).toEqual({ removed: false })
  for (const [name, input] of [
    ['find', { projectId: 'p', query: 'x'.repeat(100_001) }],
    ['find', { projectId: 'p', query: 'x', most: 21 }],
    ['find', { projectId: 'p'.repeat(65), query: 'x' }],
    ['read', { documentId: 'x', from: 0, limit: 101 }],
    ['add', { projectId: 'p', name: 'a', content: 'no file' }],
  ] as const)
    expect(await call(name, input), name).toMatchObject({ code: 'BAD_REQUEST' })
  expect(world.outbound.length).toBe(before)
})

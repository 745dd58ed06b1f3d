import { createLibrary } from '../../src/core/conversations/library/index.ts'
import { createStore } from '../../src/core/storage/index.ts'
import { atMost, type Row } from './report.ts'

const CONVERSATIONS = 5_000
const MESSAGES = 20
const WORDS_PER_MESSAGE = 100
const VOCABULARY = 60_000
const AIM_MS = 50

/**
 * The cost in the core of each key while a person types a question over sealed conversations. Every key
 * decrypts the shown texts again. The words have the frequencies of a language: a few appear almost
 * everywhere.
 */
export async function librarySearch(scale: number): Promise<Row[]> {
  const random = seeded(42)
  const vocabulary = Array.from({ length: VOCABULARY }, (_, index) => wordOf(random, index))
  const draw = () => vocabulary[Math.floor(VOCABULARY * random() ** 4)] ?? ''
  const store = createStore({ folder: null, key: new Uint8Array(32), now: Date.now })
  const conversations = Math.ceil(CONVERSATIONS * scale)
  for (let count = 0; count < conversations; count += 1) {
    const { id: conversationId } = store.conversations.create({
      title: `${draw()} ${draw()}`,
      private: true,
      model: 'private/a',
    })
    for (let message = 0; message < MESSAGES; message += 1) {
      store.messages.add({
        conversationId,
        role: message % 2 === 0 ? 'user' : 'assistant',
        text: Array.from({ length: WORDS_PER_MESSAGE }, draw).join(' '),
        state: 'complete',
      })
    }
  }
  const before = heap()
  using library = createLibrary(store, Date.now)
  const begun = performance.now()
  library.search('', 1)
  await library.ready()
  const buildSeconds = (performance.now() - begun) / 1_000
  const heapGrowth = heap() - before
  const keys: number[] = []
  for (const question of [
    `${draw()} ${draw()}`,
    `${vocabulary[0] ?? ''} ${vocabulary[1] ?? ''}`,
    `${draw()} ${draw()} ${draw()}`,
    '東京大学',
  ]) {
    for (let length = 1; length <= question.length; length += 1) {
      const at = performance.now()
      library.search(question.slice(0, length), 30)
      keys.push(performance.now() - at)
    }
  }
  store.close()
  keys.sort((a, b) => a - b)
  const [middle = NaN, worst = NaN] = [keys[keys.length >> 1], keys.at(-1)]
  const what = `${String(conversations)} conversations of ${String(MESSAGES)} messages`
  return [
    { what: `${what}: a key, the median`, value: middle, unit: 'ms', aim: atMost(middle, AIM_MS, 'ms') },
    { what: `${what}: a key, the slowest`, value: worst, unit: 'ms', aim: atMost(worst, AIM_MS, 'ms') },
    { what: `${what}: the index made, in slices`, value: buildSeconds, unit: 's' },
    {
      what: `${what}: the index held`,
      value: heapGrowth,
      unit: 'MB',
      note: globalThis.gc ? '' : 'run without --expose-gc: with what was not collected yet',
    },
  ]
}

export function heap(): number {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}

export function wordOf(random: () => number, index: number): string {
  const syllables = [
    'ka',
    'to',
    'mi',
    'ren',
    'so',
    'lu',
    'der',
    'ing',
    'pro',
    'con',
    'ta',
    'be',
    'fo',
    'st',
    'ra',
    'ne',
    'xi',
    'ou',
    'ex',
    'un',
  ]
  const word = Array.from(
    { length: 1 + Math.floor(random() * 4) },
    () => syllables[Math.floor(random() * syllables.length)],
  ).join('')
  return index % 7 === 0 ? `${word}${String(index)}` : word
}

export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

import { createKnowledge } from '../../src/core/knowledge/knowledge.ts'
import { createStore } from '../../src/core/storage/index.ts'
import { heap, seeded, wordOf } from './library-search.ts'
import { atMost, type Row } from './report.ts'

const PASSAGES = 10_000
const SENTENCES_PER_DOCUMENT = 1_500
const WORDS_PER_SENTENCE = 14
const VOCABULARY = 60_000
const INDEX_AIM_S = 20
const QUERY_AIM_MS = 30
const MEMORY_AIM_MB = 150
const PROJECT = 'project'

/**
 * The documents of one project: the time to index all passages, the times of queries with the decryption of their results, the memory
 * of the index, and how long indexing blocks other work. The words have the frequencies of a language.
 */
export async function knowledgeSearch(scale: number): Promise<Row[]> {
  const random = seeded(7)
  const vocabulary = Array.from({ length: VOCABULARY }, (_, index) => wordOf(random, index))
  const draw = () => vocabulary[Math.floor(VOCABULARY * random() ** 4)] ?? ''
  const sentence = () => `${Array.from({ length: WORDS_PER_SENTENCE }, draw).join(' ')}.`
  const store = createStore({ folder: null, key: new Uint8Array(32), now: Date.now })
  store.projects.put({ id: PROJECT, name: 'Bench', instructions: '', privateOnly: false })
  using knowledge = createKnowledge(store)
  const most = Math.ceil(PASSAGES * scale)
  let passages = 0
  for (let count = 0; passages < most; count += 1) {
    const lines = Array.from({ length: SENTENCES_PER_DOCUMENT }, (_, at) =>
      at % 40 === 0 ? `\n## ${draw()} ${draw()}\n` : sentence(),
    )
    const document = await knowledge.add(PROJECT, {
      name: `document ${String(count)}.md`,
      content: Buffer.from(lines.join('\n')),
    })
    passages += document.passages
  }
  const before = heap()
  const blocked = measureBlocking()
  const [begun, begunCpu] = [performance.now(), processorMs()]
  await knowledge.find(PROJECT, draw(), 6)
  const indexSeconds = (performance.now() - begun) / 1_000
  const indexCpuSeconds = (processorMs() - begunCpu) / 1_000
  const longestBlock = blocked()
  const memory = heap() - before
  const times: number[] = []
  const cpuTimes: number[] = []
  for (const query of [
    ...Array.from({ length: 60 }, () => `${draw()} ${draw()} ${draw()}`),
    ...Array.from({ length: 20 }, () => vocabulary.slice(0, 20).join(' ')),
    ...Array.from({ length: 20 }, () => Array.from({ length: 20 }, sentence).join(' ')),
  ]) {
    const [at, atCpu] = [performance.now(), processorMs()]
    await knowledge.find(PROJECT, query, 6)
    times.push(performance.now() - at)
    cpuTimes.push(processorMs() - atCpu)
  }
  store.close()
  times.sort((a, b) => a - b)
  cpuTimes.sort((a, b) => a - b)
  const [median = NaN, worst = NaN] = [times[times.length >> 1], times.at(-1)]
  const what = `${String(passages)} passages`
  return [
    {
      what: `${what}: the index made, in slices`,
      value: indexSeconds,
      unit: 's',
      aim: atMost(indexSeconds, INDEX_AIM_S, 's'),
    },
    { what: `${what}: its processor time, with collection`, value: indexCpuSeconds, unit: 's' },
    { what: `${what}: other work waits for the index, at most`, value: longestBlock, unit: 'ms' },
    {
      what: `${what}: a query, the median`,
      value: median,
      unit: 'ms',
      aim: atMost(median, QUERY_AIM_MS, 'ms'),
    },
    {
      what: `${what}: a query, the slowest`,
      value: worst,
      unit: 'ms',
      aim: atMost(worst, QUERY_AIM_MS, 'ms'),
    },
    {
      what: `${what}: processor time of a query, the median`,
      value: cpuTimes[cpuTimes.length >> 1] ?? NaN,
      unit: 'ms',
    },
    { what: `${what}: processor time of a query, the slowest`, value: cpuTimes.at(-1) ?? NaN, unit: 'ms' },
    {
      what: `${what}: the index held`,
      value: memory,
      unit: 'MB',
      aim: atMost(memory, MEMORY_AIM_MB, 'MB'),
      note: globalThis.gc ? '' : 'run without --expose-gc: with what was not collected yet',
    },
  ]
}

/** Of all threads of this process. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** @returns a function that ends the measurement, and returns the longest time in ms for which the event loop was blocked */
function measureBlocking(): () => number {
  let [last, longest] = [performance.now(), 0]
  let running = true
  const look = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (running) setImmediate(look)
  }
  setImmediate(look)
  return () => {
    running = false
    return longest
  }
}

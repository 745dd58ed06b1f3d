import { startOwnWorker } from '../../ui/own-worker.ts'
import type { Answered, Asked } from './colour-messages.ts'
import workerAddress from './colour-worker.ts?worker&url'

type Nodes = NonNullable<Answered['nodes']>

interface Wish extends Asked {
  readonly done: (nodes: Nodes) => void
}

/** Of one block. An answer's author chooses the code, and some codes keep a grammar busy for ever. */
const MOST_MS = 5_000
/** Without a wish, after which the thread ends: what its engine compiled is more than the colours of a conversation. */
const REST_MS = 10_000

/** The last that came is the first done: an answer is read at its end. */
const waiting: Wish[] = []
let asked: Wish | undefined
let thread: Worker | undefined
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Has a thread of its own colour code, so that no code can stop the window. `done` is not called where the language is not known, where
 * it takes too long and where the thread cannot be had: the code stays as it was written. Returns what takes the wish back.
 */
export function colourCode(language: string, text: string, done: (nodes: Nodes) => void): () => void {
  const wish = { language, text, done }
  waiting.push(wish)
  if (!asked) askNext()
  return () => {
    const at = waiting.indexOf(wish)
    if (at !== -1) waiting.splice(at, 1)
    // Its answer is on the way, and is for nobody.
    if (asked === wish) asked = { ...wish, done: () => undefined }
  }
}

function askNext(): void {
  clearTimeout(timer)
  asked = waiting.pop()
  if (!asked) {
    timer = setTimeout(end, REST_MS)
    return
  }
  const { language, text } = asked
  thread ??= begin()
  timer = setTimeout(endAndGoOn, MOST_MS)
  thread.postMessage({ language, text } satisfies Asked)
}

function begin(): Worker {
  const worker = startOwnWorker(workerAddress)
  worker.addEventListener('message', ({ data: { nodes } }: MessageEvent<Answered>) => {
    if (worker !== thread) return
    if (nodes) asked?.done(nodes)
    askNext()
  })
  worker.addEventListener('error', () => {
    if (worker === thread) endAndGoOn()
  })
  return worker
}

function end(): void {
  thread?.terminate()
  thread = undefined
}

function endAndGoOn(): void {
  end()
  askNext()
}

import { startOwnWorker } from '../../ui/own-worker.ts'
import workerAddress from './colour-worker.ts?worker&url'
import type { ElementContent } from 'hast'

/** A request to the worker that colors code. */
export interface Asked {
  readonly language: string
  readonly text: string
}

/** The text in colored parts; undefined if the language is unknown. */
export interface Answered {
  readonly nodes: ElementContent[] | undefined
}

type Nodes = NonNullable<Answered['nodes']>

interface Wish extends Asked {
  readonly done: (nodes: Nodes) => void
}

/** Time limit for one block. A model chooses the code, and some code keeps a grammar busy forever. */
const MOST_MS = 5_000
/**
 * The worker ends after this time without a request, because its compiled grammars use more memory than a
 * conversation's colored code.
 */
const REST_MS = 10_000

/** The last request is served first, because people read a reply at its end. */
const waiting: Wish[] = []
let asked: Wish | undefined
let thread: Worker | undefined
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Colors code in a worker, so that no code can freeze the window. If the language is unknown, the time runs out or the
 * worker can't start, `done` isn't called and the code stays plain.
 * @returns a function that cancels the request
 */
export function colourCode(language: string, text: string, done: (nodes: Nodes) => void): () => void {
  const wish = { language, text, done }
  waiting.push(wish)
  if (!asked) askNext()
  return () => {
    const at = waiting.indexOf(wish)
    if (at !== -1) waiting.splice(at, 1)
    // The result is already on its way; discard it.
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

import { parentPort } from 'node:worker_threads'
import { countTextTokens } from './text.ts'

/** The thread of `token-thread.ts`. It answers a request's number and texts with that number and their counts. */
const port = parentPort
port?.on('message', ({ id, texts }: { id: number; texts: readonly string[] }) => {
  void countAll(texts).then((counts) => port.postMessage(Uint32Array.of(id, ...counts)))
})

async function countAll(texts: readonly string[]): Promise<number[]> {
  const counts: number[] = []
  for (const text of texts) counts.push(await countTextTokens(text))
  return counts
}

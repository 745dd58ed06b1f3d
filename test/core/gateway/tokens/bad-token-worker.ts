import { parentPort } from 'node:worker_threads'

/** A thread that fails in the way that the text names. */
parentPort?.on('message', ({ texts: [way] }: { texts: readonly string[] }) => {
  if (way === 'unknown') parentPort?.postMessage('something else')
  if (way === 'ends') process.exit()
  if (way === 'throws') throw new Error('failed')
})

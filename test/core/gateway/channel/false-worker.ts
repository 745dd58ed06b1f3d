// A worker that is asked for setups and misbehaves. The fragment of its address selects the fault.
import { parentPort } from 'node:worker_threads'
import { prepareSetup, SETUP_BYTES, setupProof } from '../../../../src/ehbp/index.ts'

const way = new URL(import.meta.url).hash.slice(1)
const proof = setupProof.make()
if (way === 'proof') proof[40] = (proof[40] ?? 0) ^ 1
if (way === 'text') parentPort?.postMessage('not bytes')
else parentPort?.postMessage(proof)
if (way === 'unasked') parentPort?.postMessage(new Uint8Array(SETUP_BYTES))
parentPort?.on('message', ({ recipientPublicKey }: { recipientPublicKey: Uint8Array }) => {
  if (way === 'ends') process.exit(0)
  if (way === 'throws') throw new Error('it throws')
  const other = Buffer.from(recipientPublicKey)
  other[0] = (other[0] ?? 0) ^ 1
  parentPort?.postMessage(Buffer.concat([other, prepareSetup(recipientPublicKey)]))
})

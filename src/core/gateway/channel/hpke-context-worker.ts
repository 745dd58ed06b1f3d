import { parentPort } from 'node:worker_threads'
import { prepareSetup, SETUP_BYTES, setupProof } from '../../../ehbp/prepare.ts'

/**
 * A thread that prepares HPKE contexts, so that key agreement runs on another processor than the requests. It
 * first sends the result of its known-answer test. For a recipient's key and a count, it answers with that
 * key and the contexts in one buffer, which it transfers. Each module that it imports is in memory a second
 * time.
 */
const port = parentPort
if (port) {
  const proof = setupProof.make()
  port.postMessage(proof, [proof.buffer])
  port.on('message', ({ recipientPublicKey, count }: { recipientPublicKey: Uint8Array; count: number }) => {
    const answer = new Uint8Array(recipientPublicKey.byteLength + count * SETUP_BYTES)
    answer.set(recipientPublicKey)
    for (let at = recipientPublicKey.byteLength; at < answer.byteLength; at += SETUP_BYTES) {
      const setup = prepareSetup(recipientPublicKey)
      answer.set(setup, at)
      setup.fill(0)
    }
    port.postMessage(answer, [answer.buffer])
  })
}

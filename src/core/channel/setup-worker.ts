import { parentPort } from 'node:worker_threads'
import { prepareSetup, SETUP_BYTES, setupProof } from '../ehbp/prepare.ts'

/**
 * A thread that prepares setups, so that the agreement of keys runs on another processor than the requests. Its first word is
 * the proof that its cryptography is sound. Asked with a recipient's key and a count, it answers with that key and so many
 * setups in one buffer, whose memory it gives away. What it imports it holds in memory a second time: the portable
 * implementation stays out.
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

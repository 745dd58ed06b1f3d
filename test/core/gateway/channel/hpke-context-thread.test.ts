import { afterEach, describe, expect, it } from 'vitest'
import type { SetupPreparer } from '../../../../src/core/gateway/channel/hpke-context-pool.ts'
import { startSetupThread } from '../../../../src/core/gateway/channel/hpke-context-thread.ts'
import { createPreparedSealer, SETUP_BYTES } from '../../../../src/ehbp/index.ts'
import { encap, keySchedule } from '../../../../src/ehbp/hpke.ts'
import { native } from '../../../../src/ehbp/native.ts'
import { sequenceNonce } from '../../../../src/ehbp/protocol.ts'

let thread: SetupPreparer | undefined
afterEach(() => thread?.close())

const enclave = native.keyPair()

/** What the enclave reads of a frame that was sealed under this encapsulated key. */
function openedByEnclave(encapsulatedKey: Uint8Array, frame: Uint8Array): string | undefined {
  const secret = encap(
    native,
    { publicKey: encapsulatedKey, agree: () => enclave.agree(encapsulatedKey) },
    enclave.publicKey,
  )
  if (!secret) return undefined
  const context = keySchedule(native, secret)
  const opened = native.aead(context.key).open(sequenceNonce(context.baseNonce, 0), frame.subarray(4))
  return opened && Buffer.from(opened).toString()
}

describe('the thread that prepares setups', () => {
  it('prepares what the enclave can open, each under a key of its own', async () => {
    thread = startSetupThread()
    const batches = await Promise.all([
      thread.prepare(enclave.publicKey, 20),
      thread.prepare(enclave.publicKey, 5),
    ])
    expect(batches.map(({ byteLength }) => byteLength)).toEqual([20 * SETUP_BYTES, 5 * SETUP_BYTES])
    const keys = new Set<string>()
    for (const batch of batches) {
      for (let at = 0; at < batch.byteLength; at += SETUP_BYTES) {
        const sealer = createPreparedSealer(batch.slice(at, at + SETUP_BYTES))
        keys.add(sealer.encapsulatedKey)
        expect(
          openedByEnclave(Buffer.from(sealer.encapsulatedKey, 'hex'), sealer.seal(Buffer.from('hello'))),
        ).toBe('hello')
      }
    }
    expect(keys.size).toBe(25)
  })

  it.each([
    ['proof', 'its cryptography gives another answer than the known one'],
    ['text', 'it says something else'],
    ['unasked', 'it answers what nobody asked'],
    ['other-key', 'it prepares for another key'],
    ['ends', 'it ends'],
    ['throws', 'it fails'],
  ])('is not used where %s: %s', async (way) => {
    thread = startSetupThread(new URL(`./false-worker.ts#${way}`, import.meta.url))
    await expect(thread.prepare(enclave.publicKey, 1)).rejects.toThrow()
    await expect(thread.prepare(enclave.publicKey, 1)).rejects.toThrow()
  })

  it('refuses a key of low order, and does no more', async () => {
    thread = startSetupThread()
    await expect(thread.prepare(new Uint8Array(32), 1)).rejects.toThrow()
  })

  it('ends when it is closed', async () => {
    thread = startSetupThread()
    const asked = thread.prepare(enclave.publicKey, 1)
    thread.close()
    await expect(asked).rejects.toThrow('closed')
  })
})

import type * as cryptoModule from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { verifySavedEvidence } from '../../src/host/saved-evidence.ts'
import { sandboxProfile } from '../../src/sandbox/profile.ts'

const runtime = vi.hoisted(() => ({ everySignatureIsGood: true }))

vi.mock('node:crypto', async (load) => {
  const crypto = await load<typeof cryptoModule>()
  const verify = (
    algorithm: string | null | undefined,
    data: Uint8Array,
    key: cryptoModule.KeyObject,
    signature: Uint8Array,
  ): boolean => {
    return runtime.everySignatureIsGood || crypto.verify(algorithm, data, key, signature)
  }
  return { ...crypto, verify }
})

const profile = sandboxProfile('http://127.0.0.1:1')

it('judges no saved evidence where every signature is good to the runtime, and judges it once the runtime is right again', async () => {
  const saved = { evidence: Buffer.from('{}') }
  await expect(verifySavedEvidence(saved, profile)).rejects.toMatchObject({
    code: 'channel/crypto-unavailable',
  })
  runtime.everySignatureIsGood = false
  const { now } = await verifySavedEvidence(saved, profile)
  expect(now.good).toBe(false)
  expect(now.failure).toBeDefined()
})

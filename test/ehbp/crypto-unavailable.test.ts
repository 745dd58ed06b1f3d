import { expect, it, vi } from 'vitest'
import type * as nativeModule from '../../src/ehbp/native.ts'
import { createRequestSealer, knownAnswersHold } from '../../src/ehbp/index.ts'
import { codeOf } from './frames.ts'

vi.mock('../../src/ehbp/native.ts', async (load) => {
  const { native } = await load<typeof nativeModule>()
  return { native: { ...native, hmac: () => new Uint8Array(32) } }
})

it('seals nothing on a machine whose cryptography answers wrongly', () => {
  expect(knownAnswersHold()).toBe(false)
  expect(codeOf(() => createRequestSealer(Buffer.alloc(32, 9)))).toBe('ehbp/crypto-unavailable')
})

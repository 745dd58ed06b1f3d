import { describe, expect, it } from 'vitest'
import { createRequestSealer, knownAnswersHold } from '../../src/ehbp/index.ts'
import { givesKnownAnswers } from '../../src/ehbp/known-answers.ts'
import { native } from '../../src/ehbp/native.ts'
import type { Primitives } from '../../src/ehbp/primitives.ts'

const flip = (bytes: Uint8Array): Uint8Array => bytes.map((byte, index) => (index === 0 ? byte ^ 1 : byte))

const broken: [string, Partial<Primitives>][] = [
  ['an HMAC that is wrong by one bit', { hmac: (key, ...parts) => flip(native.hmac(key, ...parts)) }],
  [
    'an HMAC that leaves out its last part',
    { hmac: (key, ...parts) => native.hmac(key, ...parts.slice(0, -1)) },
  ],
  [
    'an agreement that is wrong by one bit',
    {
      keyPair: (key) => ({
        publicKey: native.keyPair(key).publicKey,
        agree: (peer) => flip(native.keyPair(key).agree(peer)),
      }),
    },
  ],
  [
    'an agreement that takes a low-order point',
    {
      keyPair: (key) => ({
        publicKey: native.keyPair(key).publicKey,
        agree: (peer) => (peer.some(Boolean) ? native.keyPair(key).agree(peer) : Buffer.alloc(32, 1)),
      }),
    },
  ],
  [
    'a pair whose public half is another',
    { keyPair: (key) => ({ publicKey: native.keyPair().publicKey, agree: native.keyPair(key).agree }) },
  ],
  ['a cipher with another key', { aead: () => native.aead(Buffer.alloc(32)) }],
  [
    'a cipher that ignores the nonce',
    {
      aead: (key) => ({
        open: native.aead(key).open,
        seal: (_nonce, plaintext, target, offset) =>
          native.aead(key).seal(Buffer.alloc(12), plaintext, target, offset),
      }),
    },
  ],
  [
    'a cipher that opens without the tag',
    {
      aead: (key) => ({
        seal: native.aead(key).seal,
        open: (nonce, ciphertext) =>
          native.aead(key).open(nonce, ciphertext) ?? Buffer.from('hello from test vector'),
      }),
    },
  ],
  [
    'a cipher that opens nothing',
    { aead: (key) => ({ seal: native.aead(key).seal, open: () => undefined }) },
  ],
  [
    'a missing primitive',
    {
      keyPair: () => {
        throw new Error('Unsupported curve')
      },
    },
  ],
]

describe('known answers', () => {
  it('hold here, and are asked before anything is sealed', () => {
    expect(knownAnswersHold()).toBe(true)
    expect(createRequestSealer(native.keyPair().publicKey).encapsulatedKey).toMatch(/^[0-9a-f]{64}$/)
  })

  it.each(broken)('are not given by %s', (_name, part) => {
    expect(givesKnownAnswers({ ...native, ...part })).toBe(false)
  })
})

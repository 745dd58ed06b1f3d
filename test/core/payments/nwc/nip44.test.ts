import { NWCClient } from '@getalby/sdk/nwc'
import fc from 'fast-check'
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { conversationKey, decrypt, encrypt } from '../../../../src/core/payments/nwc/nip44.ts'
import { publicKeyOf } from '../../../../src/sandbox/nwc/event.ts'
import * as sandbox from '../../../../src/sandbox/nwc/nip44.ts'

const scalar = (value: number) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
/** As long as a wallet's requests are. */
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 })
const OVERHEAD = 1 + 32 + 2 + 32

describe('encryption of NIP-44', () => {
  test('gives what the standard’s own example gives', () => {
    const key = conversationKey(scalar(1), publicKeyOf(scalar(2)))
    expect(Buffer.from(key).toString('hex')).toBe(
      'c41c775356fd92eadc63ff5a0dc1da211b268cbea22316767095b2871ea1412d',
    )
    const payload =
      'AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABee0G5VSK0/9YypIObAtDKfYEAjD35uVkHyB0F4DwrcNaCXlCWZKaArsGrY6M9wnuTMxWfp1RTN9Xga8no+kF5Vsb'
    expect(encrypt('a', key, scalar(1))).toBe(payload)
    expect(decrypt(payload, key)).toBe('a')
  })

  test('is read by the wallets’ own SDK and by the sandbox, and reads both', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (plain) => {
        const [ours, theirs] = [randomBytes(32), randomBytes(32)]
        const key = conversationKey(ours, publicKeyOf(theirs))
        const sdk = new NWCClient({
          walletPubkey: publicKeyOf(ours),
          relayUrls: ['wss://relay.example'],
          secret: theirs.toString('hex'),
        })
        Object.defineProperty(sdk, 'encryptionType', { value: 'nip44_v2' })
        const payload = encrypt(plain, key, randomBytes(32))
        expect(await sdk.decrypt(publicKeyOf(ours), payload)).toBe(plain)
        expect(decrypt(String(await sdk.encrypt(publicKeyOf(ours), plain)), key)).toBe(plain)
        const shared = sandbox.conversationKey(theirs, publicKeyOf(ours))
        expect(sandbox.decrypt(payload, shared)).toBe(plain)
        expect(decrypt(sandbox.encrypt(plain, shared, randomBytes(32)), key)).toBe(plain)
      }),
      { numRuns: 25 },
    )
  })

  // The lengths of the standard's test vectors (calc_padded_len), and its longest.
  test.each([
    [1, 32],
    [16, 32],
    [32, 32],
    [33, 64],
    [37, 64],
    [45, 64],
    [49, 64],
    [64, 64],
    [65, 96],
    [100, 128],
    [111, 128],
    [200, 224],
    [250, 256],
    [320, 320],
    [383, 384],
    [384, 384],
    [400, 448],
    [500, 512],
    [512, 512],
    [515, 640],
    [700, 768],
    [800, 896],
    [900, 1024],
    [1020, 1024],
    [65_535, 65_536],
  ])('pads %i bytes to %i', (length, padded) => {
    const key = randomBytes(32)
    const payload = encrypt('x'.repeat(length), key, randomBytes(32))
    expect(Buffer.from(payload, 'base64').length).toBe(OVERHEAD + padded)
    expect(decrypt(payload, key)).toBe('x'.repeat(length))
  })

  test.each([0, 65_536])('refuses a text of %i bytes', (length) => {
    expect(() => encrypt('x'.repeat(length), randomBytes(32), randomBytes(32))).toThrow(RangeError)
  })

  test('refuses a payload in which any one bit is changed, and one that is cut', () => {
    const key = randomBytes(32)
    const payload = Buffer.from(encrypt('{"method":"pay_invoice"}', key, randomBytes(32)), 'base64')
    fc.assert(
      fc.property(fc.nat(payload.length * 8 - 1), (bit) => {
        const changed = Buffer.from(payload)
        changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
        expect(() => decrypt(changed.toString('base64'), key)).toThrow()
      }),
    )
    for (let length = 0; length < payload.length; length++)
      expect(() => decrypt(payload.toString('base64', 0, length), key)).toThrow()
  })

  test('refuses a public key that is no point of the curve', () => {
    expect(() => conversationKey(scalar(2), 'f'.repeat(64))).toThrow()
  })
})

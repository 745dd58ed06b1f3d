import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { decryptWithPassphrase, sealUnderPassphrase } from '../../../../src/core/storage/vault/index.ts'

vi.unmock('../../../../src/core/storage/vault/vault-key.ts')

const FORMAT = 'sotto-accounts/1'
const PASSPHRASE = 'several words of mine'
const SECRET = 'a secret that is carried elsewhere'
const seal = (passphrase = PASSPHRASE) => sealUnderPassphrase(FORMAT, passphrase, Buffer.from(SECRET))
const open = async (text: string, passphrase = PASSPHRASE, format = FORMAT) => {
  const opened = await decryptWithPassphrase(format, passphrase, text)
  return typeof opened === 'string' ? opened : { plaintext: Buffer.from(opened).toString() }
}
interface Text {
  header: { format: string; kind: string; id: string; scrypt: { N: number; r: number; p: number } }
  check: string
  nonce: string
  sealed: string
  digest: string
}

let text: string
beforeAll(async () => {
  text = await seal()
})

/** As one who knows the format would change it: the digest fits. */
function tampered(change: (text: Text) => void): string {
  const object = JSON.parse(text) as Text
  change(object)
  const {
    format,
    kind,
    id,
    scrypt: { N, r, p },
  } = object.header
  object.digest = createHash('sha256')
    .update(JSON.stringify([format, kind, id, N, r, p]))
    .update(JSON.stringify([object.check, object.nonce, object.sealed]))
    .digest('hex')
  return JSON.stringify(object)
}
const flipped = (base64: string) => {
  const bytes = Buffer.from(base64, 'base64')
  bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0)
  return bytes.toString('base64')
}

it('opens by its passphrase, typed on whatever keyboard, and shows nothing of what it holds', async () => {
  expect(await open(text)).toEqual({ plaintext: SECRET })
  expect(text).not.toContain('secret')
  expect((JSON.parse(text) as Text).header.scrypt).toEqual({ N: 2 ** 17, r: 8, p: 1 })
  expect(await open(await seal('u\u0308ber'), '\u00fcber')).toEqual({ plaintext: SECRET })
})

it('never twice the same', async () => expect(await seal()).not.toBe(await seal()))

it('overwrites what it was given', async () => {
  const plaintext = Buffer.from(SECRET)
  await sealUnderPassphrase(FORMAT, PASSPHRASE, plaintext)
  expect(plaintext.every((byte) => byte === 0)).toBe(true)
})

describe('tells apart', () => {
  it('another passphrase', async () =>
    expect(await open(text, 'several words of yours')).toBe('wrong-passphrase'))
  it('damage anywhere, before a passphrase is tried', async () => {
    const whole = Buffer.from(text)
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const damaged = Buffer.from(whole)
        damaged.writeUInt8(damaged.readUInt8(at) ^ change, at)
        expect(await open(damaged.toString('latin1'), 'not even the passphrase')).toBe('damaged')
      }),
    )
  })
  it.each([
    ['nothing', ''],
    ['no object', '[]'],
    ['another thing', '{"accounts":[]}'],
  ])('%s', async (_kind, other) => expect(await open(other)).toBe('damaged'))
  it('what holds something else, also where that was written over', async () => {
    expect(await open(text, PASSPHRASE, 'sotto-else/1')).toBe('damaged')
    expect(
      await open(
        tampered(({ header }) => {
          header.format = 'sotto-else/1'
        }),
        PASSPHRASE,
        'sotto-else/1',
      ),
    ).toBe('damaged')
  })
  it('what was changed with a digest that fits', async () => {
    expect(
      await open(
        tampered((changed) => {
          changed.sealed = flipped(changed.sealed)
        }),
      ),
    ).toBe('damaged')
    expect(
      await open(
        tampered((changed) => {
          changed.nonce = flipped(changed.nonce)
        }),
      ),
    ).toBe('damaged')
  })
  it.each([[2 ** 13], [2 ** 21], [2 ** 14 + 1]])(
    'a guess made cheap or a memory made full: N of %i',
    async (N) => {
      expect(
        await open(
          tampered(({ header }) => {
            header.scrypt.N = N
          }),
        ),
      ).toBe('damaged')
    },
  )
})

import fc from 'fast-check'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { isSameConnection, readNwcConnection } from '../../../../src/core/payments/nwc/index.ts'
import { publicKeyOf } from '../../../../src/sandbox/nwc/event.ts'
import { SottoError } from '../../../../src/shared/errors.ts'

const wallet = publicKeyOf(Buffer.alloc(32, 1))
const secret = '11'.repeat(32)
const relay = encodeURIComponent('wss://relay.example/v1')
const good = `nostr+walletconnect://${wallet}?relay=${relay}&secret=${secret}`

function refusal(text: string): SottoError {
  try {
    readNwcConnection(text)
  } catch (error) {
    if (error instanceof SottoError) return error
    throw error
  }
  throw new Error(`taken: ${text}`)
}

describe('a connection', () => {
  test.each([
    ['as wallets give it', good],
    ['with what else wallets add', `${good}&lud16=me%40example.org&name=x`],
    ['without the slashes', good.replace('://', ':')],
    ['of the older scheme', good.replace('nostr+walletconnect', 'nostrwalletconnect')],
    ['with the line end that was copied along', ` ${good}\n`],
    ['whose relay is not encoded', good.replace(relay, 'wss://relay.example/v1')],
  ])('%s is read', (_, text) => {
    const connection = readNwcConnection(text)
    expect(connection.publicKey).toBe(wallet)
    expect(connection.relays).toEqual(['wss://relay.example/v1'])
    expect(connection.relayHosts).toEqual(['relay.example'])
    expect(connection.clientPublicKey).toBe(publicKeyOf(Buffer.from(secret, 'hex')))
    let seen: Uint8Array | undefined
    expect(connection.withSecret((bytes) => Buffer.from((seen = bytes)).toString('hex'))).toBe(secret)
    // The bytes that the callback received are zeroed afterwards.
    expect(seen).toEqual(Buffer.alloc(32))
    expect(readNwcConnection(connection.revealText())).toMatchObject({
      publicKey: wallet,
      relays: ['wss://relay.example/v1'],
    })
  })

  test('may have several relays, each once', () => {
    const { relays } = readNwcConnection(
      good.replace(
        '&secret',
        `&relay=${encodeURIComponent('wss://other.example:7000')}&relay=${relay}&secret`,
      ),
    )
    expect(relays).toEqual(['wss://relay.example/v1', 'wss://other.example:7000/'])
  })

  test.each(['ws://127.0.0.1:7000', 'ws://[::1]:7000', 'ws://localhost:7000'])(
    'may use a relay without TLS at %s',
    (address) => {
      expect(readNwcConnection(good.replace(relay, encodeURIComponent(address))).relays).toEqual([
        `${address}/`,
      ])
    },
  )

  test.each([
    ['nothing', ''],
    ['an address of the web', 'https://relay.example'],
    ['another scheme', good.replace('nostr+walletconnect', 'nostr+walletauth')],
    ['a scheme in front', `x${good}`],
    ['a short public key', good.replace(wallet, wallet.slice(2))],
    ['a public key in capitals', good.replace(wallet, wallet.toUpperCase())],
    ['a public key that is no point', good.replace(wallet, 'ff'.repeat(32))],
    ['a port behind the key', good.replace(wallet, `${wallet}:80`)],
    ['a user before the key', good.replace(wallet, `me@${wallet}`)],
    ['a path', good.replace('?', '/path?')],
    ['a fragment', `${good}#x`],
    ['no secret', good.replace(/&secret=.*/, '')],
    ['an empty secret', good.replace(secret, '')],
    ['a short secret', good.replace(secret, secret.slice(2))],
    ['a secret in capitals that other readers refuse', good.replace(secret, 'AB'.repeat(32))],
    ['two secrets', `${good}&secret=${'22'.repeat(32)}`],
    ['the same secret twice', `${good}&secret=${secret}`],
    ['a secret of nought', good.replace(secret, '00'.repeat(32))],
    ['a secret beyond the group’s order', good.replace(secret, 'ff'.repeat(32))],
    ['no relay', good.replace(`relay=${relay}&`, '')],
    ['an empty relay', good.replace(relay, '')],
    ['a relay that is no address', good.replace(relay, 'relay')],
    ['a relay in the open', good.replace(relay, encodeURIComponent('ws://relay.example'))],
    [
      'a relay in the open whose name a resolver may ask a server for',
      good.replace(relay, encodeURIComponent('ws://relay.localhost')),
    ],
    [
      'one relay in the open among others',
      good.replace('&secret', `&relay=${encodeURIComponent('ws://10.0.0.1')}&secret`),
    ],
    [
      'a relay that looks like loopback',
      good.replace(relay, encodeURIComponent('ws://127.0.0.1.evil.example')),
    ],
    ['a relay with a user', good.replace(relay, encodeURIComponent('wss://me:you@relay.example'))],
    ['a relay of the web', good.replace(relay, encodeURIComponent('https://relay.example'))],
    ['a space within', good.replace('&secret', ' &secret')],
    ['a line end within', good.replace('&secret', '\n&secret')],
    ['more than 2 KB', `${good}&lud16=${'x'.repeat(2048)}`],
    [
      'eleven relays',
      good.replace(
        '&secret',
        `${Array.from({ length: 11 }, (_, at) => `&relay=wss%3A%2F%2Fr${String(at)}.example`).join('')}&secret`,
      ),
    ],
  ])('with %s is refused, and the error repeats none of it', (_, text) => {
    const error = refusal(text)
    expect(error.code).toBe('wallet/connection-invalid')
    expect(`${inspect(error)} ${JSON.stringify(error)} ${JSON.stringify(error.details)}`).not.toContain(
      secret,
    )
  })

  test('doesn’t reveal its secret when it is printed', () => {
    const connection = readNwcConnection(good)
    expect(
      `${inspect(connection, { showHidden: true, depth: 10 })} ${JSON.stringify(connection)} ${JSON.stringify(Object.getOwnPropertyDescriptors(connection))}`,
    ).not.toContain(secret)
  })

  test('is the same connection if it spends with the same key, even with other relays', () => {
    const one = readNwcConnection(good)
    expect(isSameConnection(one, readNwcConnection(good.replace('relay.example', 'other.example')))).toBe(
      true,
    )
    expect(isSameConnection(one, readNwcConnection(good.replace(secret, '22'.repeat(32))))).toBe(false)
  })

  test('is refused or read for any text, and read again with the same result', () => {
    const piece = fc.constantFrom(
      'nostr+walletconnect:',
      '//',
      wallet,
      '?',
      '&',
      'relay=',
      relay,
      'secret=',
      secret,
      ' ',
      '#',
      '@',
      '%00',
      'wss://x',
      'lud16=',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
          fc.string({ maxLength: 200 }),
          fc.string({ maxLength: 200 }).map((text) => good + text),
        ),
        (text) => {
          try {
            const connection = readNwcConnection(text)
            expect(readNwcConnection(connection.revealText()).revealText()).toBe(connection.revealText())
            expect(connection.relays.every((address) => address.startsWith('wss://'))).toBe(true)
          } catch (error) {
            expect(error).toMatchObject({ code: 'wallet/connection-invalid' })
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})

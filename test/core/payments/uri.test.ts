import { createHash, randomBytes } from 'node:crypto'
import { base58, bech32, bech32m } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { requireAddress, type AddressCoin } from '../../../src/core/payments/address.ts'
import {
  addressUri,
  coinsOf,
  lightningUri,
  unitsOf,
  type PaymentNetwork,
} from '../../../src/core/payments/uri.ts'
import { testAddress } from '../../../src/sandbox/payment/addresses.ts'
import { coinsOf as sandboxCoins } from '../../../src/sandbox/payment/methods.ts'

const coins: AddressCoin[] = ['btc', 'ltc', 'lbtc', 'xmr']

/** An address of this version, with a valid checksum (Base58Check). */
function base58check(...parts: readonly (number | Uint8Array)[]): string {
  const payload = Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.of(part) : part)))
  const twice = createHash('sha256').update(createHash('sha256').update(payload).digest()).digest()
  return base58.encode(Buffer.concat([payload, twice.subarray(0, 4)]))
}
const hash = Buffer.alloc(20, 0x80)
const blindingKey = Buffer.concat([Buffer.of(2), Buffer.alloc(32, 0x80)])
const witness = (prefix: string, version = 0, program: Uint8Array = hash) =>
  (version === 0 ? bech32 : bech32m).encode(prefix, [version, ...bech32.toWords(program)])

/** Addresses as they are in use, each valid only for its coin and network. */
const real: Record<AddressCoin, Record<PaymentNetwork, string[]>> = {
  btc: {
    bitcoin: [
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
      '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    ],
    regtest: [
      witness('bcrt'),
      witness('bcrt', 1, randomBytes(32)),
      base58check(111, hash),
      base58check(196, hash),
    ],
  },
  ltc: {
    bitcoin: [
      witness('ltc'),
      witness('ltc', 0, randomBytes(32)),
      base58check(48, hash),
      base58check(50, hash),
    ],
    regtest: ['rltc1qlkp8904tzjyd8qwzjl550k040qz08ulaeajgcn', 'rltc1qmr46t4ca5wh35k6mczdzrkepqw2d8ne92hnush'],
  },
  lbtc: {
    bitcoin: [
      'lq1qqf8er278e6nyvuwtgf39e6ewvdcnjupn9a86rzpx655y5lhkt0walu3djf9cklkxd3ryld97hu8h3xepw7sh2rlu7q45dcew5',
      'LQ1QQVXK052KF3QTKXMRAKX50A9GC3SMQAD2YNC54HZNTJT980KFEJ9KKFE0247RP5H4YZMDFTSAHHW64UY8PZFE7CPG4FGYKM7CV',
      'lq1pqgpec4sq2mav432r8ukrr80d59rfpjv6qlqc5jrmwl5u5l2qazsh0astupq4jfr7r58sxp4kfvxy3nm49e9x4ecs9jurmwp45xmmavhejmcdcajegnpt',
      'ex1q7c2nrxek8wclh9m8v4yanm2e0g0gx48j7zjm9x',
      base58check(57, hash),
      base58check(39, hash),
      base58check(12, 39, blindingKey, hash),
      base58check(12, 57, blindingKey, hash),
    ],
    regtest: [witness('ert'), base58check(235, hash), base58check(4, 75, blindingKey, hash)],
  },
  xmr: {
    bitcoin: [
      '888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H',
    ],
    regtest: [],
  },
}
for (const coin of coins)
  for (let at = 0; at < 20; at += 1) real[coin].regtest.push(testAddress(coin, randomBytes))

const every = coins.flatMap((coin) =>
  (['bitcoin', 'regtest'] as const).flatMap((network) =>
    real[coin][network].map((address) => ({ coin, network, address })),
  ),
)
/** The regtest networks of Bitcoin and Litecoin share the older version 111. Money there has no value. */
const inBoth = (address: string) => address === base58check(111, hash)

describe('addresses', () => {
  test.each(every)('of $coin on $network: $address', ({ coin, network, address }) => {
    expect(() => requireAddress(coin, network, address)).not.toThrow()
    for (const other of coins) {
      for (const elsewhere of ['bitcoin', 'regtest'] as const) {
        if ((other === coin && elsewhere === network) || inBoth(address)) continue
        expect(() => requireAddress(other, elsewhere, address), `${other} ${elsewhere}`).toThrow(
          expect.objectContaining({
            code: expect.stringMatching(/^payment\/(wrong-network|invoice-invalid)$/) as string,
          }),
        )
      }
    }
  })

  test('of the same form begin as wallets know them', () => {
    expect(base58check(12, 39, blindingKey, hash)).toMatch(/^VJL/)
    expect([base58check(48, hash)[0], base58check(50, hash)[0], base58check(57, hash)[0]]).toEqual([
      'L',
      'M',
      'Q',
    ])
    expect(testAddress('xmr', randomBytes)).toMatch(/^5/)
  })

  test('of Litecoin that look like Bitcoin’s are not taken', () => {
    expect(() => requireAddress('ltc', 'bitcoin', base58check(5, hash))).toThrow(
      expect.objectContaining({ code: 'payment/wrong-network' }),
    )
  })

  test('with one character changed, missing or too many are none', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...every),
        fc.nat(),
        fc.constantFrom(...'023456789acdefghjklmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'.split('')),
        fc.constantFrom('change', 'remove', 'add'),
        ({ coin, network, address }, where, letter, how) => {
          const at = where % address.length
          const changed =
            address.slice(0, at) +
            (how === 'remove' ? '' : how === 'add' ? letter + (address[at] ?? '') : letter) +
            address.slice(at + 1)
          fc.pre(changed.toLowerCase() !== address.toLowerCase())
          expect(() => requireAddress(coin, network, changed), changed).toThrow(
            expect.objectContaining({ code: expect.stringMatching(/^payment\//) as string }),
          )
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test.each([
    '',
    '1',
    'bc1',
    'bc1q',
    'VJL',
    '4',
    '4'.repeat(95),
    '1'.repeat(95),
    'é'.repeat(95),
    '\n',
    'bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4 ',
    'x'.repeat(10_000),
    `lq1${'q'.repeat(10_000)}`,
  ])('that are none: %j', (address) => {
    for (const coin of coins)
      for (const network of ['bitcoin', 'regtest'] as const)
        expect(() => requireAddress(coin, network, address)).toThrow(
          expect.objectContaining({ code: expect.stringMatching(/^payment\//) as string }),
        )
  })
})

const payable = fc.constantFrom(...every)
const amount = fc.bigInt({ min: 1n, max: 2_100_000_000_000_000n })
const anyText = fc.string({ unit: 'binary', maxLength: 60 })
const names = {
  btc: ['bitcoin:', 'amount', 'label'],
  ltc: ['litecoin:', 'amount', 'label'],
  lbtc: ['liquidnetwork:', 'amount', 'label'],
  xmr: ['monero:', 'tx_amount', 'recipient_name'],
} as const

describe('payment addresses for QR codes', () => {
  test('say to another reader what was meant, and nothing more', () => {
    fc.assert(
      fc.property(payable, amount, fc.option(anyText), ({ coin, network, address }, units, label) => {
        const uri = addressUri({
          coin,
          network,
          address,
          units,
          ...(label !== null && { label }),
        })
        expect(uri).toMatch(/^[\x21-\x7e]+$/)
        // The URI as a browser reads it, with an independent parser.
        const read = new URL(uri)
        const [scheme, amountName, labelName] = names[coin]
        expect([read.protocol, read.pathname, read.hash]).toEqual([scheme, address, ''])
        expect([...read.searchParams.keys()]).toEqual([
          amountName,
          ...(coin === 'lbtc' ? ['assetid'] : []),
          ...(label === null ? [] : [labelName]),
        ])
        expect(read.searchParams.get(labelName)).toBe(label?.toWellFormed() ?? null)
        // The amount is exact, without floats: shifted by the coin’s decimal places, the text is the whole number
        // again.
        const text = read.searchParams.get(amountName) ?? ''
        expect(text).toMatch(/^(0|[1-9]\d*)(\.\d{0,11}[1-9])?$/)
        const [whole = '', fraction = ''] = text.split('.')
        expect(BigInt(whole + fraction.padEnd(coin === 'xmr' ? 12 : 8, '0'))).toBe(units)
      }),
      { numRuns: 1_000 },
    )
  })

  test('in words: nothing has an exponent, and a space is %20', () => {
    const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
    expect(addressUri({ coin: 'btc', network: 'bitcoin', address, units: 1n })).toBe(
      `bitcoin:${address}?amount=0.00000001`,
    )
    expect(
      addressUri({
        coin: 'btc',
        network: 'bitcoin',
        address,
        units: 12_345n,
        label: 'A & B+c = 50%',
      }),
    ).toBe(`bitcoin:${address}?amount=0.00012345&label=A%20%26%20B%2Bc%20%3D%2050%25`)
    expect(
      addressUri({ coin: 'lbtc', network: 'bitcoin', address: real.lbtc.bitcoin[0] ?? '', units: 100_000n }),
    ).toBe(
      `liquidnetwork:${real.lbtc.bitcoin[0] ?? ''}?amount=0.001&assetid=6f0279e9ed041c3d710a9f57d0c02928416460c4b722ae3457a11eec381c526d`,
    )
    expect(
      addressUri({
        coin: 'xmr',
        network: 'bitcoin',
        address: real.xmr.bitcoin[0] ?? '',
        units: 123_400_000_000n,
      }),
    ).toBe(`monero:${real.xmr.bitcoin[0] ?? ''}?tx_amount=0.1234`)
    expect(
      addressUri({
        coin: 'ltc',
        network: 'bitcoin',
        address: real.ltc.bitcoin[0] ?? '',
        units: 100_000_000n,
      }),
    ).toBe(`litecoin:${real.ltc.bitcoin[0] ?? ''}?amount=1`)
  })

  test('are not made of nothing, nor for another network', () => {
    const [address = ''] = real.btc.bitcoin
    expect(() => addressUri({ coin: 'btc', network: 'bitcoin', address, units: 0n })).toThrow(
      expect.objectContaining({ code: 'payment/no-amount' }),
    )
    expect(() => addressUri({ coin: 'btc', network: 'bitcoin', address, units: -1n })).toThrow(
      expect.objectContaining({ code: 'payment/no-amount' }),
    )
    expect(() => addressUri({ coin: 'btc', network: 'regtest', address, units: 1n })).toThrow(
      expect.objectContaining({ code: 'payment/wrong-network' }),
    )
    expect(() =>
      addressUri({ coin: 'btc', network: 'bitcoin', address: `${address}?amount=1&x=`, units: 1n }),
    ).toThrow(expect.objectContaining({ code: 'payment/invoice-invalid' }))
  })
})

describe('amounts of coins', () => {
  test('are the same here and there, and come back', () => {
    fc.assert(
      fc.property(fc.constantFrom(...coins), fc.bigInt({ min: 1n, max: 10n ** 20n }), (coin, units) => {
        expect(coinsOf(coin, units)).toBe(sandboxCoins(coin === 'lbtc' ? 'btc' : coin, units))
        expect(unitsOf(coin, coinsOf(coin, units))).toBe(units)
        expect(
          unitsOf(coin, `${coinsOf(coin, units)}${coinsOf(coin, units).includes('.') ? '' : '.'}000`),
        ).toBe(units)
      }),
    )
  })

  test.each([
    '',
    '0',
    '0.0',
    '0.00000000',
    '-1',
    '1e-8',
    '1.5e3',
    '.5',
    '1.',
    '1,5',
    ' 1',
    '0x10',
    '1'.repeat(50),
    '0.000000001',
    '1.123456789',
  ])('that are none of a bitcoin: %j', (text) => {
    expect(unitsOf('btc', text)).toBeNull()
  })

  test('of monero have twelve places', () => {
    expect([
      unitsOf('xmr', '0.000000000001'),
      unitsOf('xmr', '0.0000000000001'),
      unitsOf('btc', '21000000'),
    ]).toEqual([1n, null, 2_100_000_000_000_000n])
  })
})

describe('Lightning', () => {
  const rest = '1pj4eysmpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypq'
  test('goes in capitals, and is read in either', () => {
    expect(lightningUri(`lnbc20u${rest}`, 'bitcoin')).toBe(`LIGHTNING:LNBC20U${rest.toUpperCase()}`)
    expect(lightningUri(`lnbc${rest}`, 'bitcoin')).toBe(`LIGHTNING:LNBC${rest.toUpperCase()}`)
    expect(lightningUri(`lnbcrt20u${rest}`, 'regtest')).toBe(`LIGHTNING:LNBCRT20U${rest.toUpperCase()}`)
    // The alphanumeric mode of QR codes (ISO/IEC 18004) has only these characters.
    expect(lightningUri(`lnbc20u${rest}`, 'bitcoin')).toMatch(/^[0-9A-Z $%*+\-./:]+$/)
  })

  test.each([
    ['bitcoin', 'lnbcrt20u'],
    ['bitcoin', 'lntb20u'],
    ['bitcoin', 'lntbs20u'],
    ['bitcoin', 'lnbcrt'],
    ['regtest', 'lnbc20u'],
    ['regtest', 'lnbc'],
    ['regtest', 'lntb20u'],
  ] as const)('on %s is not %s…', (network, start) => {
    expect(() => lightningUri(`${start}${rest}`, network)).toThrow(
      expect.objectContaining({ code: 'payment/wrong-network' }),
    )
  })

  test.each([
    `LNBC20U${rest.toUpperCase()}`,
    'lnbc',
    '',
    `lnbc20u${rest}\n`,
    `lnbc20u${rest}?x=1`,
    `lnbc20u${rest}${'q'.repeat(5_000)}`,
  ])('is none: %j', (invoice) => {
    expect(() => lightningUri(invoice, 'bitcoin')).toThrow(
      expect.objectContaining({ code: 'payment/invoice-invalid' }),
    )
  })
})

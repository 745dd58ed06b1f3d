import { bech32 } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { provesPayment, readInvoice } from '../../../src/core/payments/invoice.ts'
import { encodeInvoice } from '../../../src/sandbox/payment/bolt11.ts'
import { mintInvoice, nodeKey } from './mint-invoice.ts'

const refused: unknown = expect.objectContaining({ code: 'payment/invoice-invalid' })
const payee = '03e7156ae33b0a208d0744199163177e909e80176e55d97a2f221ede0f934dd9ad'
const hash = '0001020304050607080900010203040506070809000102030405060708090102'
const mintedAt = 1_496_314_658_000

/** The examples of BOLT 11, with the values that it lists for them. */
const examples = {
  donation:
    'lnbc1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdpl2pkx2ctnv5sxxmmwwd5kgetjypeh2ursdae8g6twvus8g6rfwvs8qun0dfjkxaq8rkx3yf5tcsyz3d73gafnh3cax9rn449d9p5uxz9ezhhypd0elx87sjle52x86fux2ypatgddc6k63n7erqz25le42c4u4ecky03ylcqca784w',
  coffee:
    'lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpuaztrnwngzn3kdzw5hydlzf03qdgm2hdq27cqv3agm2awhz5se903vruatfhq77w3ls4evs3ch9zw97j25emudupq63nyw24cg27h2rspfj9srp',
  nonsense:
    'lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdpquwpc4curk03c9wlrswe78q4eyqc7d8d0xqzpuyk0sg5g70me25alkluzd2x62aysf2pyy8edtjeevuv4p2d5p76r4zkmneet7uvyakky2zr4cusd45tftc9c5fh0nnqpnl2jfll544esqchsrny',
  hashed:
    'lnbc20m1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqhp58yjmdan79s6qqdhdzgynm4zwqd5d7xmw5fk98klysy043l2ahrqscc6gd6ql3jrc5yzme8v4ntcewwz5cnw92tz0pc8qcuufvq7khhr8wpald05e92xw006sq94mg8v2ndf4sefvf9sygkshp5zfem29trqq2yxxz7',
  testnet:
    'lntb20m1pvjluezhp58yjmdan79s6qqdhdzgynm4zwqd5d7xmw5fk98klysy043l2ahrqspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqfpp3x9et2e20v6pu37c5d9vax37wxq72un98kmzzhznpurw9sgl2v0nklu2g4d0keph5t7tj9tcqd8rexnd07ux4uv2cjvcqwaxgj7v4uwn5wmypjd5n69z2xm3xgksg28nwht7f6zspwp3f9t',
  pico: 'lnbc9678785340p1pwmna7lpp5gc3xfm08u9qy06djf8dfflhugl6p7lgza6dsjxq454gxhj9t7a0sd8dgfkx7cmtwd68yetpd5s9xar0wfjn5gpc8qhrsdfq24f5ggrxdaezqsnvda3kkum5wfjkzmfqf3jkgem9wgsyuctwdus9xgrcyqcjcgpzgfskx6eqf9hzqnteypzxz7fzypfhg6trddjhygrcyqezcgpzfysywmm5ypxxjemgw3hxjmn8yptk7untd9hxwg3q2d6xjcmtv4ezq7pqxgsxzmnyyqcjqmt0wfjjq6t5v4khxxqyjw5qcqp2rzjq0gxwkzc8w6323m55m4jyxcjwmy7stt9hwkwe2qxmy8zpsgg7jcuwz87fcqqeuqqqyqqqqlgqqqqn3qq9qn07ytgrxxzad9hc4xt3mawjjt8znfv8xzscs7007v9gh9j569lencxa8xeujzkxs0uamak9aln6ez02uunw6rd2ht2sqe4hz8thcdagpleym0j',
  beans:
    'lnbc25m1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5vdhkven9v5sxyetpdeessp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygs9q5sqqqqqqqqqqqqqqqpqsq67gye39hfg3zd8rgc80k32tvy9xk2xunwm5lzexnvpx6fd77en8qaq424dxgt56cag2dpt359k3ssyhetktkpqh24jqnjyw6uqd08sgptq44qu',
}

describe('the examples of BOLT 11', () => {
  test.each([
    [
      'donation',
      {
        network: 'bitcoin',
        amountMsat: null,
        timestamp: mintedAt,
        expiresAt: mintedAt + 3_600_000,
        paymentHash: hash,
        payee,
        description: 'Please consider supporting this project',
      },
    ],
    [
      'coffee',
      {
        network: 'bitcoin',
        amountMsat: 250_000_000n,
        timestamp: mintedAt,
        expiresAt: mintedAt + 60_000,
        paymentHash: hash,
        payee,
        description: '1 cup coffee',
      },
    ],
    [
      'nonsense',
      {
        network: 'bitcoin',
        amountMsat: 250_000_000n,
        timestamp: mintedAt,
        expiresAt: mintedAt + 60_000,
        paymentHash: hash,
        payee,
        description: 'ナンセンス 1杯',
      },
    ],
    [
      'hashed',
      {
        network: 'bitcoin',
        amountMsat: 2_000_000_000n,
        timestamp: mintedAt,
        expiresAt: mintedAt + 3_600_000,
        paymentHash: hash,
        payee,
      },
    ],
    [
      'testnet',
      {
        network: 'testnet',
        amountMsat: 2_000_000_000n,
        timestamp: mintedAt,
        expiresAt: mintedAt + 3_600_000,
        paymentHash: hash,
        payee,
      },
    ],
    [
      'beans',
      {
        network: 'bitcoin',
        amountMsat: 2_500_000_000n,
        timestamp: mintedAt,
        expiresAt: mintedAt + 3_600_000,
        paymentHash: hash,
        payee,
        description: 'coffee beans',
      },
    ],
  ] as const)('%s', (name, read) => {
    expect(readInvoice(examples[name])).toEqual(read)
    expect(readInvoice(examples[name].toUpperCase())).toEqual(read)
  })

  test('an amount in pico-bitcoin is a whole number of millisatoshis, but not of satoshis', () => {
    expect(readInvoice(examples.pico)).toMatchObject({
      amountMsat: 967_878_534n,
      timestamp: 1_572_468_703_000,
      expiresAt: 1_572_468_703_000 + 604_800_000,
      paymentHash: '462264ede7e14047e9b249da94fefc47f41f7d02ee9b091815a5506bc8abf75f',
      payee,
    })
  })

  test.each([
    [
      'a checksum that does not hold',
      'lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdpquwpc4curk03c9wlrswe78q4eyqc7d8d0xqzpuyk0sg5g70me25alkluzd2x62aysf2pyy8edtjeevuv4p2d5p76r4zkmneet7uvyakky2zr4cusd45tftc9c5fh0nnqpnl2jfll544esqchsrnt',
    ],
    ['no readable part', examples.nonsense.slice('lnbc2500u1'.length)],
    ['mixed case', `LNBC2500u1${examples.nonsense.slice('lnbc2500u1'.length)}`],
    [
      'a signature that no key made',
      'lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpuaxtrnwngzn3kdzw5hydlzf03qdgm2hdq27cqv3agm2awhz5se903vruatfhq77w3ls4evs3ch9zw97j25emudupq63nyw24cg27h2rspk28uwq',
    ],
    [
      'too short',
      'lnbc1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdpl2pkx2ctnv5sxxmmwwd5kgetjypeh2ursdae8g6na6hlh',
    ],
    [
      'a multiplier that is none',
      'lnbc2500x1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpujr6jxr9gq9pv6g46y7d20jfkegkg4gljz2ea2a3m9lmvvr95tq2s0kvu70u3axgelz3kyvtp2ywwt0y8hkx2869zq5dll9nelr83zzqqpgl2zg',
    ],
    [
      'less than a millisatoshi',
      'lnbc2500000001p1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpu7hqtk93pkf7sw55rdv4k9z2vj050rxdr6za9ekfs3nlt5lr89jqpdmxsmlj9urqumg0h9wzpqecw7th56tdms40p2ny9q4ddvjsedzcplva53s',
    ],
    ['nothing', ''],
    ['something else', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['too long', `lnbc1${'q'.repeat(5000)}`],
  ])('%s is refused', (_, text) => {
    expect(() => readInvoice(text)).toThrow(refused)
  })
})

describe('an invoice', () => {
  test('from the sandbox is read as it was encoded', () => {
    const paymentHash = Buffer.alloc(32, 7)
    const invoice = encodeInvoice(
      {
        amountMsat: 14_000n,
        timestamp: 1_790_000_000,
        paymentHash,
        paymentSecret: Buffer.alloc(32, 1),
        description: 'a clip',
        expirySeconds: 300,
      },
      nodeKey,
    )
    expect(readInvoice(invoice)).toEqual({
      network: 'regtest',
      amountMsat: 14_000n,
      timestamp: 1_790_000_000_000,
      expiresAt: 1_790_000_300_000,
      paymentHash: paymentHash.toString('hex'),
      payee,
      description: 'a clip',
    })
  })

  test.each([
    ['two payment hashes', { more: [[1, bech32.toWords(Buffer.alloc(32, 9))]] }],
    ['two ends', { expirySeconds: 60, more: [[6, [1]]] }],
    [
      'another key than the one that signed',
      {
        more: [
          [
            19,
            bech32.toWords(
              Buffer.from('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798', 'hex'),
            ),
          ],
        ],
      },
    ],
    [
      'a recovery id that is none',
      { tamper: (signature: Buffer) => Buffer.from([...signature.subarray(0, 64), 4]) },
    ],
    ['a signature of zeros', { tamper: () => Buffer.alloc(65) }],
    ['another network', { prefix: 'lnxyz' }],
    ['an amount beyond all bitcoin', { amount: '99999999999999' }],
  ] as const)('with %s is refused', (_, minting) => {
    expect(() => readInvoice(mintInvoice(minting).invoice)).toThrow(refused)
  })

  test('that names the key of its signature is read, and one without a payment hash is refused', () => {
    expect(
      readInvoice(mintInvoice({ more: [[19, bech32.toWords(Buffer.from(payee, 'hex'))]] }).invoice).payee,
    ).toBe(payee)
    expect(() => readInvoice(mintInvoice({ paymentHash: Buffer.alloc(31) }).invoice)).toThrow(refused)
  })

  test('without an amount differs from one with the amount zero', () => {
    expect(readInvoice(mintInvoice({ amount: '' }).invoice).amountMsat).toBeNull()
    expect(readInvoice(mintInvoice({ amount: '0n' }).invoice).amountMsat).toBe(0n)
  })

  test('with an expiry beyond any date expires after 366 days', () => {
    const { expiresAt, timestamp } = readInvoice(
      mintInvoice({ more: [[6, Array.from({ length: 30 }, () => 31)]] }).invoice,
    )
    expect(expiresAt - timestamp).toBe(366 * 86_400_000)
  })

  test('with any changed character is refused', () => {
    const { invoice } = mintInvoice()
    const letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
    fc.assert(
      fc.property(fc.nat(invoice.length - 1), fc.constantFrom(...Array.from(letters)), (at, letter) => {
        const changed = invoice.slice(0, at) + letter + invoice.slice(at + 1)
        if (changed === invoice) return
        expect(() => readInvoice(changed)).toThrow(refused)
      }),
    )
  })
})

test('a preimage proves the payment of its own hash, in only one spelling', () => {
  const { preimage, paymentHash } = mintInvoice()
  expect(provesPayment(preimage, paymentHash)).toBe(true)
  for (const other of [
    '',
    preimage.toUpperCase(),
    `${preimage}00`,
    preimage.slice(2),
    '00'.repeat(32),
    ` ${preimage}`,
  ])
    expect(provesPayment(other, paymentHash)).toBe(false)
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  limitNames,
  limitsDraftOf,
  readLimits,
} from '../../src/renderer/features/wallet/connection/limits-draft.ts'
import { budgetFor, readTerms } from '../../src/renderer/features/wallet/connection/topup-terms.ts'
import { fileNameOf, shownTypeOf } from '../../src/renderer/features/wallet/purchases/media-type.ts'
import {
  emptyDraft,
  readDraft,
  type PurchaseDraft,
} from '../../src/renderer/features/wallet/purchases/purchase-draft.ts'
import { statusText } from '../../src/renderer/features/wallet/purchases/purchase-status.ts'
import { askSentence, isHighFee } from '../../src/renderer/features/wallet/purchases/purchase-words.ts'
import { formatSats } from '../../src/renderer/ui/format/money.ts'
import { picoUsdAt, readSats } from '../../src/renderer/ui/format/sats.ts'
import { purchaseAskSchema } from '../../src/shared/contract/purchases.ts'
import { decimalSats } from '../../src/shared/format-money.ts'
import { spendingLimitsSchema } from '../../src/shared/lightning.ts'
import { purchaseStatus } from '../../src/shared/purchase-status.ts'
import { paymentStates } from '../../src/shared/purchase.ts'

const anyText = fc
  .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 40 })
  .map((points) => String.fromCodePoint(...points))
const draft = (part: Partial<PurchaseDraft> = {}): PurchaseDraft => ({
  ...emptyDraft,
  model: 'sandbox/painter',
  prompt: 'A room',
  ...part,
})

describe('sats', () => {
  test('are exact, and parse back to the same amount', () => {
    expect([
      decimalSats('0'),
      decimalSats('1'),
      decimalSats('53250'),
      decimalSats('1000'),
      formatSats('1000'),
      formatSats('1234567000'),
      formatSats('1500'),
    ]).toEqual(['0', '0.001', '53.25', '1', '1 sat', '1,234,567 sats', '1.5 sats'])
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 18n), (msat) => {
        expect(readSats(decimalSats(msat.toString()))).toBe(msat.toString())
        expect(readSats(formatSats(msat.toString()).replace(/ sats?$/, ''))).toBe(msat.toString())
      }),
    )
  })

  test.each(['', ' ', '-1', '1,5', '1.2345', '1e3', '0x10', '1 00', 'many', '١٢', '0,250', '0 250'])(
    '“%s” is not a valid amount',
    (text) => {
      expect(readSats(text)).toBeUndefined()
    },
  )

  test('in dollars are rounded up at the known rate', () => {
    expect([
      picoUsdAt('800000000', '1'),
      picoUsdAt('800000001', '1'),
      picoUsdAt('800000000', '53000'),
      picoUsdAt('800000000', '0'),
    ]).toEqual(['800000', '800001', '42400000000', '0'])
  })

  test('have a high fee above 5 sats and 2 %', () => {
    expect(isHighFee({ amountMsat: '53000', feeMsat: '5000' })).toBe(false)
    expect(isHighFee({ amountMsat: '53000', feeMsat: '5001' })).toBe(true)
    expect(isHighFee({ amountMsat: '10000000', feeMsat: '200000' })).toBe(false)
    expect(isHighFee({ amountMsat: '10000000', feeMsat: '200001' })).toBe(true)
    expect(isHighFee({ amountMsat: '1' })).toBe(false)
  })
})

describe('the form of the spending limits', () => {
  const limits = { perPayment: '5000000', perDay: '20000000', perHostAndDay: '0', automaticUpTo: '1500' }

  test('is parsed into its limits, including 0', () => {
    expect(readLimits(limitsDraftOf(limits))).toEqual({ limits })
  })

  test('names the fields that are invalid', () => {
    const { faults = {} } = readLimits({ ...limitsDraftOf(limits), perDay: '', automaticUpTo: 'x' })
    expect(Object.keys(faults)).toEqual(['perDay', 'automaticUpTo'])
  })

  test('gives limits that the contract accepts, for any input', () => {
    fc.assert(
      fc.property(
        fc.tuple(...limitNames.map(() => fc.oneof(fc.string({ maxLength: 24 }), fc.nat().map(String)))),
        ([perPayment = '', perDay = '', perHostAndDay = '', automaticUpTo = '']) => {
          const read = readLimits({ perPayment, perDay, perHostAndDay, automaticUpTo })
          if (read.limits) expect(spendingLimitsSchema.safeParse(read.limits).success).toBe(true)
        },
      ),
    )
  })
})

describe('the terms of an automatic top-up', () => {
  test('must be within the specification’s limits', () => {
    expect(readTerms('5', '0.01')).toEqual({ threshold: '5', amount: '0.01' })
    expect(readTerms(' $10.00', '007.50')).toEqual({ threshold: '10.00', amount: '7.50' })
    expect(readTerms('4.99', '0.00').faults).toEqual({
      threshold: 'Enter $5.00 or more.',
      amount: 'Enter more than 0.',
    })
    for (const text of ['', '1,5', '10.001', '1000000', '1e2', '-5'])
      expect(Object.keys(readTerms(text, text).faults ?? {})).toEqual(['threshold', 'amount'])
  })

  test('suggest the amount times the expected number of top-ups', () => {
    expect(budgetFor('12.50', '3')).toBe('37500000000000')
    for (const topups of ['0', '', '1.5', 'x', '1000']) expect(budgetFor('10', topups)).toBeUndefined()
    expect(budgetFor('', '3')).toBeUndefined()
  })
})

describe('the form of a purchase', () => {
  test('gives the request for the service, with only the filled fields', () => {
    expect(readDraft(draft(), 4)).toEqual({
      ask: { endpoint: 'images/generations', body: { model: 'sandbox/painter', prompt: 'A room' } },
    })
    expect(
      readDraft(
        draft({
          count: '4',
          size: ' 16:9 ',
          quality: 'high',
          imageUrl: 'https://pictures.example/a.png',
          duration: '5',
        }),
        4,
      ),
    ).toEqual({
      ask: {
        endpoint: 'images/generations',
        body: {
          model: 'sandbox/painter',
          prompt: 'A room',
          size: '16:9',
          quality: 'high',
          image_url: 'https://pictures.example/a.png',
          n: 4,
        },
      },
    })
    expect(readDraft(draft({ endpoint: 'videos', size: '9:16', duration: '8', count: '3' }), 4)).toEqual({
      ask: {
        endpoint: 'videos',
        body: { model: 'sandbox/painter', prompt: 'A room', aspect_ratio: '9:16', duration: '8' },
      },
    })
    expect(
      readDraft(draft({ endpoint: 'data', path: ' /api/websearch/search ', input: '{"query":"sea"}' }), 4),
    ).toEqual({
      ask: { endpoint: 'data', method: 'POST', path: '/api/websearch/search', input: { query: 'sea' } },
    })
    expect(readDraft(draft({ prompt: '', imageUrl: 'https://pictures.example/a.png' }), 4).ask).toBeDefined()
  })

  test.each([
    [{ model: ' ' }, ['model']],
    [{ prompt: ' ' }, ['prompt']],
    [{ count: '5' }, ['count']],
    [{ count: '0' }, ['count']],
    [{ count: '1.5' }, ['count']],
    [{ imageUrl: 'http://pictures.example/a.png' }, ['imageUrl']],
    [{ endpoint: 'videos', prompt: '', imageUrl: 'https://pictures.example/a.png' }, ['prompt']],
    [{ endpoint: 'images/edits' }, ['image']],
    [{ endpoint: 'images/edits', image: new File([], 'a.png') }, ['image']],
    [{ endpoint: 'data', path: '/api/../keys' }, ['path']],
    [{ endpoint: 'data', path: 'api/x' }, ['path']],
    [{ endpoint: 'data', path: '/api/x?y=1' }, ['path']],
    [{ endpoint: 'data', path: '/api//x' }, ['path']],
    [{ endpoint: 'data', path: '/api/%2e%2e' }, ['path']],
    [{ endpoint: 'data', path: '/api/x', input: '[]' }, ['input']],
    [{ endpoint: 'data', path: '/api/x', input: '{"a":1,"a":2}' }, ['input']],
    [{ endpoint: 'data', path: '/api/x', input: '{' }, ['input']],
  ] as const)('%j has errors in %j', (part, fields) => {
    expect(Object.keys(readDraft(draft(part), 4).faults ?? {})).toEqual(fields)
  })

  test('gives a request that the contract accepts, for any input', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('images/generations' as const, 'videos' as const, 'data' as const),
        fc.string({ maxLength: 30 }),
        fc.oneof(fc.json(), fc.string()),
        fc.string({ maxLength: 10 }),
        (endpoint, text, input, path) => {
          const { ask } = readDraft(
            draft({ endpoint, model: text, prompt: text, size: text, path: `/api/${path}`, input }),
            4,
          )
          if (ask) expect(purchaseAskSchema.safeParse(ask).success).toBe(true)
        },
      ),
    )
  })
})

describe('the status of a purchase', () => {
  test('has a text for every state, and states that nothing was paid only if that is certain', () => {
    for (const state of paymentStates) {
      const { name, means = '' } = statusText[state]
      expect(name).not.toBe('')
      expect(/nothing was paid/i.test(means)).toBe(['failed', 'expired', 'declined'].includes(state))
      if (['paying', 'held', 'unknown'].includes(state))
        expect(`${name} ${means}`).not.toMatch(/fail|expire/i)
    }
  })

  test('changes when a price expires, and shows a job until it ends', () => {
    const part = { expiresAt: 1000 }
    expect([
      purchaseStatus({ ...part, state: 'quoted' }, 999),
      purchaseStatus({ ...part, state: 'quoted' }, 1000),
      purchaseStatus({ ...part, state: 'paying' }, 2000),
    ]).toEqual(['quoted', 'run-out', 'paying'])
    for (const state of ['paid', 'delivered'] as const)
      expect(
        (['pending', 'failed', 'completed'] as const).map((status) =>
          purchaseStatus({ ...part, state, job: { id: 'g', status } }),
        ),
      ).toEqual(['making', 'not-made', state])
    expect(purchaseStatus({ ...part, state: 'undelivered', job: { id: 'g', status: 'pending' } })).toBe(
      'undelivered',
    )
  })

  test('includes every reason for a confirmation', () => {
    expect(askSentence([])).toBeUndefined()
    expect(askSentence(['first-host', 'no-lookup'])).toBe(
      'You’ll confirm in a system dialog or your terminal because Sotto hasn’t paid this host before and your wallet can’t report the outcome of a payment.',
    )
  })
})

describe('a delivered file', () => {
  const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

  test('is shown as the type of its first bytes', () => {
    const known: readonly (readonly [string, string | undefined])[] = [
      ['\x89PNG\r\n\x1a\n0000', 'image/png'],
      ['\xff\xd8\xff\xe0', 'image/jpeg'],
      ['RIFF0000WEBP', 'image/webp'],
      ['GIF89a', 'image/gif'],
      ['\0\0\0\x18ftypisom', 'video/mp4'],
      ['\0\0\0\x18ftypavif', 'image/avif'],
      ['\x1a\x45\xdf\xa3', 'video/webm'],
      ['<svg xmlns="', undefined],
      ['<!doctype ht', undefined],
      ['RIFF0000WAVE', undefined],
      ['\0\0\0\x18ftypqt  ', undefined],
      ['%PDF-1.7', undefined],
      ['', undefined],
      ['\x89PN', undefined],
    ]
    for (const [head, type] of known) expect(shownTypeOf(bytes(head)), head).toBe(type)
  })

  test('has a name that any file system accepts, for any subject', () => {
    expect(fileNameOf('sandbox/Painter', Date.UTC(2026, 10, 22), 0, 'image/png')).toBe(
      'sotto-sandbox-painter-2026-11-22.png',
    )
    expect(fileNameOf('../../etc/passwd', Date.UTC(2026, 10, 22), 1, undefined)).toBe(
      'sotto-etc-passwd-2026-11-22-2.bin',
    )
    fc.assert(
      fc.property(anyText, (subject) => {
        expect(fileNameOf(subject, 0, 0, 'application/json')).toMatch(
          /^sotto-[a-z0-9-]{1,41}-1970-01-01\.json$/,
        )
      }),
    )
  })
})

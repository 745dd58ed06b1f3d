import { describe, expect, it } from 'vitest'
import { storedTextSchema, localizedTextSchema } from '../../src/shared/localized-text-schema.ts'
import { renderEnglish, inLanguage, msg, type Translate } from '../../src/shared/localized-text.ts'

describe('a sentence in English', () => {
  it('is the text of the code with its placeholders filled', () => {
    expect(renderEnglish(msg('The recording is empty.'))).toBe('The recording is empty.')
    expect(
      renderEnglish(
        msg('The service returned status {status}: “{message}”.', { status: 402, message: 'no $1 {status}' }),
      ),
    ).toBe('The service returned status 402: “no $1 {status}”.')
  })
  it('has plurals', () => {
    const renderCount = (count: number) =>
      renderEnglish(
        msg('{count, plural, one {# payment was} other {# payments were}} made within one minute.', {
          count,
        }),
      )
    expect([renderCount(1), renderCount(0), renderCount(2000)]).toEqual([
      '1 payment was made within one minute.',
      '0 payments were made within one minute.',
      '2,000 payments were made within one minute.',
    ])
  })
  it('formats amounts, and joins sentences and lists', () => {
    const cost = { usd: '12345000000' }
    expect(
      renderEnglish(
        msg('The request can cost up to {cost}. The budget of {whole} is used up.', {
          cost,
          whole: { usd: '1234500000000000' },
        }),
      ),
    ).toBe('The request can cost up to $0.013. The budget of $1,234.50 is used up.')
    expect(
      renderEnglish([
        ...msg('Pay {amount}.', { amount: { msat: '1234567' } }),
        ...msg('Do more: {more}.', { more: [...msg('read'), ...msg('spend')] }),
      ]),
    ).toBe('Pay 1,234.567 sats. Do more: read; spend.')
  })
  it('never rounds a remaining amount up', () => {
    const left = { usd: '19900000000', round: 'down' } as const
    expect(
      renderEnglish(
        msg('The request can cost up to {cost}. {left} of {whole} remains.', {
          cost: { usd: '19950000000' },
          left,
          whole: { usd: '1000000000000' },
        }),
      ),
    ).toBe('The request can cost up to $0.02. $0.019 of $1.00 remains.')
  })
  it('replaces control characters, line breaks and direction marks in values', () => {
    expect(renderEnglish(msg('Switch to the service {name}?', { name: 'a\n\u001b[2J\u202eb\ud800' }))).toBe(
      'Switch to the service a��[2J�b�?',
    )
  })
  it('can’t be built at run time', () => {
    const name: string = 'x'
    // @ts-expect-error -- no literal: no catalogue could hold it
    expect(() => msg(name)).not.toThrow()
    // @ts-expect-error -- the same, from a template
    expect(() => msg(`It is ${name}.`)).not.toThrow()
    // @ts-expect-error -- its place has to be filled
    expect(() => msg('It is {name}.')).not.toThrow()
    // @ts-expect-error -- by its name
    expect(() => msg('It is {name}.', { other: name })).not.toThrow()
  })
})

describe('a sentence in another language', () => {
  const german: Record<string, (values: Readonly<Record<string, string | number>>) => string> = {
    'The maximum is {max} {currency}.': ({ max, currency }) =>
      `Angenommen werden bis zu ${String(max)} ${String(currency)}.`,
    'It costs {cost}.': ({ cost }) => `Es kostet ${String(cost)}.`,
    'Do: {more}.': ({ more }) => `Tun: ${String(more)}.`,
    spend: () => 'ausgeben',
  }
  const translate: Translate = (english, values) => german[english]?.(values)

  it('comes from the catalog, with amounts formatted for the language, also in nested sentences', () => {
    expect(
      inLanguage(msg('The maximum is {max} {currency}.', { max: '5', currency: 'USD' }), 'de', translate),
    ).toBe('Angenommen werden bis zu 5 USD.')
    expect(inLanguage(msg('It costs {cost}.', { cost: { usd: '1500000000000' } }), 'de', translate)).toBe(
      'Es kostet 1,50\u00a0$.',
    )
    expect(inLanguage(msg('It costs {cost}.', { cost: { msat: '1234500' } }), 'de', translate)).toBe(
      'Es kostet 1.234,5 sats.',
    )
    expect(
      inLanguage(msg('It costs {cost}.', { cost: { usd: '1500000000000' } }), 'he', () => undefined),
    ).toBe('It costs \u200f1.50\u00a0\u200f$.')
    expect(inLanguage(msg('Do: {more}.', { more: [...msg('spend'), ...msg('read')] }), 'de', translate)).toBe(
      'Tun: ausgeben; read.',
    )
  })
  it('is English if the catalog doesn’t have it, and has no spaces in scripts without spaces', () => {
    expect(inLanguage([...msg('The keychain is locked.'), ...msg('spend')], 'de', translate)).toBe(
      'The keychain is locked. ausgeben',
    )
    const joined = (locale: string): string =>
      inLanguage([...msg('spend'), ...msg('spend')], locale, translate)
    for (const locale of ['ja', 'ja-JP', 'zh-Hans', 'zh-Hant', 'zh-TW'])
      expect(joined(locale), locale).toBe('ausgebenausgeben')
    for (const locale of ['ko', 'ko-KR', 'he', 'he-IL'])
      expect(joined(locale), locale).toBe('ausgeben ausgeben')
  })
})

describe('the schema of a sentence', () => {
  it('limits its form and size', () => {
    const message = [
      ...msg('Pay {amount} to {host}.', { amount: { msat: '1' }, host: 'x' }),
      ...msg('Do: {more}.', { more: msg('spend') }),
    ]
    expect(localizedTextSchema.parse(JSON.parse(JSON.stringify(message)))).toEqual(message)
    for (const bad of [
      'The recording is empty.',
      [{ english: 7 }],
      [{ english: 'x', more: 1 }],
      [{ english: 'x'.repeat(1001) }],
      [{ english: 'x', values: { a: { usd: '1.5' } } }],
      Array.from({ length: 61 }, () => ({ english: 'x' })),
    ]) {
      expect(localizedTextSchema.safeParse(bad).success).toBe(false)
    }
  })
  it('accepts the plain text of older records', () => {
    expect(renderEnglish(storedTextSchema.parse('The service returned status 402: “{x}”.'))).toBe(
      'The service returned status 402: “{x}”.',
    )
    expect(storedTextSchema.parse(msg('The recording is empty.'))).toEqual(msg('The recording is empty.'))
  })
})

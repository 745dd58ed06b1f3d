import { I18nProvider } from '@lingui/react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codedFailure } from '../../src/renderer/ui/failure.ts'
import { fromCore, spoken, translatedFailure } from '../../src/renderer/ui/language/core-sentences.ts'
import { directionOf, useLanguage } from '../../src/renderer/ui/language/language.ts'
import { i18n, Trans } from '../../src/renderer/ui/language/runtime.tsx'
import { readPreferences } from '../../src/renderer/ui/preferences.ts'
import { matchLanguage } from '../../src/shared/match-language.ts'
import { msg } from '../../src/shared/localized-text.ts'

describe('the language of a system', () => {
  it.each([
    [['de-AT'], 'de'],
    [['es-MX', 'en'], 'es'],
    [['nl', 'de'], 'de'],
    [['fr-CA'], 'fr'],
    [['pt-PT'], 'pt-BR'],
    [['ja-JP'], 'ja'],
    [['zh-CN'], 'zh-Hans'],
    [['en-GB', 'de'], 'en'],
    [['zh'], 'zh-Hans'],
    [['zh-SG'], 'zh-Hans'],
    [['zh-TW', 'de'], 'zh-Hant'],
    [['zh-HK'], 'zh-Hant'],
    [['zh-MO'], 'zh-Hant'],
    [['zh-Hant-CN'], 'zh-Hant'],
    [['ko-KR'], 'ko'],
    [['he-IL'], 'he'],
    [['iw'], 'he'],
    [['iw-IL', 'de'], 'he'],
    [['ar', 'fr'], 'fr'],
    [['x'], 'en'],
    [['not a tag', ''], 'en'],
    [[], 'en'],
    [['ar-XB'], 'en'],
  ] as const)('%s is %s', (preferred, tag) => expect(matchLanguage(preferred)).toBe(tag))
  it.each([
    ['de', 'ltr'],
    ['ja', 'ltr'],
    ['ko', 'ltr'],
    ['zh-Hant', 'ltr'],
    ['he', 'rtl'],
    ['fa', 'rtl'],
  ] as const)('%s is written %s', (tag, direction) => expect(directionOf(tag)).toBe(direction))
})

describe('saved preferences', () => {
  it('are read', () =>
    expect(
      readPreferences(
        '{"language":"de","density":"compact","textSize":"large","sidebar":"closed","sidebarWidth":300}',
      ),
    ).toEqual({
      language: 'de',
      density: 'compact',
      textSize: 'large',
      sidebar: 'closed',
      sidebarWidth: 300,
    }))
  it('are read from a version without a text size and a sidebar that can be closed or resized', () =>
    expect(readPreferences('{"language":"de","density":"compact"}')).toEqual({
      language: 'de',
      density: 'compact',
      textSize: 'medium',
      sidebar: 'open',
      sidebarWidth: 264,
    }))
  it.each([
    null,
    undefined,
    '',
    '{',
    '7',
    'null',
    '[]',
    '{"language":"xx","density":"huge","textSize":"2rem","sidebar":1}',
    '{"sidebarWidth":219}',
    '{"sidebarWidth":361}',
    '{"sidebarWidth":300.5}',
    '{"sidebarWidth":"300"}',
    '{"language":"ar-XB"}',
    '{"language":"iw"}',
    '{"__proto__":{"language":"de"}}',
    '{"language":{"de":1}}',
  ])('are the defaults for %s', (text) => {
    expect(readPreferences(text)).toEqual({
      language: 'system',
      density: 'comfortable',
      textSize: 'medium',
      sidebar: 'open',
      sidebarWidth: 264,
    })
  })
})

describe('untrusted text in a sentence', () => {
  const hostile = ['\\u202e evil', '\\x41', '<0>taken</0>', '<0/>', '%__lingui_octothorpe__%', '{name}', '#']
  it.each(hostile)('is unchanged in a text: %s', (name) => {
    expect(i18n._({ id: 'test.text', message: 'Edit {name}?', values: { name } })).toBe(`Edit ${name}?`)
  })
  it.each(hostile)('is unchanged between elements: %s', (name) => {
    const element = createElement(Trans, {
      id: 'test.elements',
      message: 'Open <0>it</0>: {name}',
      values: { name },
      components: { 0: createElement('a', { href: '#' }) },
    })
    const escaped = name.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    expect(renderToStaticMarkup(createElement(I18nProvider, { i18n }, element))).toBe(
      `Open <a href="#">it</a>: ${escaped}`,
    )
  })
})

it('a sentence of the core that no catalog has is shown unchanged', () => {
  expect(fromCore('Port 4000 is taken.')).toBe('Port 4000 is taken.')
  expect(fromCore('constructor')).toBe('constructor')
})

describe('the texts of the core in a German window', () => {
  beforeAll(async () => {
    const { messages } = await import('../../src/shared/languages/de.po')
    i18n.loadAndActivate({ locale: 'de', messages })
    useLanguage.setState({ tag: 'de' })
  })
  afterAll(() => {
    i18n.loadAndActivate({ locale: 'en', messages: {} })
    useLanguage.setState({ tag: 'en' })
  })

  it('are German in every detail of a failure, and quote the service unchanged', () => {
    const { says, detail, remedy } = translatedFailure({
      ...codedFailure('service/insufficient-balance'),
      detail: msg('The service returned status {status}: “{message}”.', {
        status: 402,
        message: 'no \\u0041 <0/> {status} # left',
      }),
    })
    expect(detail).toBe('Der Dienst hat Status 402 gesendet: „no \\u0041 <0/> {status} # left“.')
    expect([says, remedy]).not.toEqual([
      codedFailure('service/insufficient-balance').says,
      codedFailure('service/insufficient-balance').remedy,
    ])
  })
  it('have German plurals and amounts', () => {
    expect(
      spoken(
        msg('{count, plural, one {# payment was} other {# payments were}} made within one minute.', {
          count: 1,
        }),
      ),
    ).toBe('1 Zahlung wurde innerhalb einer Minute ausgeführt.')
    expect(
      spoken(
        msg('The table has more than {most, plural, one {# column} other {# columns}}.', { most: 2000 }),
      ),
    ).toBe('Die Tabelle hat mehr als 2.000 Spalten.')
    expect(
      spoken(
        msg('Your balance is below {bound}. Requests may soon be refused. Add funds in Wallet.', {
          bound: { usd: '1500000000000' },
        }),
      ),
    ).toContain('unter 1,50\u00a0$')
    expect(
      spoken(
        msg('Raise Sotto’s spending limits for the connected wallet: {more}?', {
          more: msg('pay up to {most} per payment', { most: { msat: '20000000' } }),
        }),
      ),
    ).toBe('Sottos Ausgabenlimits für die verbundene Wallet erhöhen: bis zu 20.000 sats pro Zahlung zahlen?')
  })
  it('remain English if a failure of an older record contains only a text', () => {
    expect(spoken(msg('{words}', { words: 'The service returned status 402.' }))).toBe(
      'The service returned status 402.',
    )
  })
})

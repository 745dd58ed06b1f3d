import { I18nProvider } from '@lingui/react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { fromCore } from '../../src/renderer/ui/language/core-sentences.ts'
import { directionOf } from '../../src/renderer/ui/language/language.ts'
import { i18n, Trans } from '../../src/renderer/ui/language/runtime.tsx'
import { readPreferences } from '../../src/renderer/ui/preferences.ts'
import { matchLanguage } from '../../src/shared/match-language.ts'

describe('the language of a system', () => {
  it.each([
    [['de-AT'], 'de'], [['es-MX', 'en'], 'es'], [['nl', 'de'], 'de'], [['fr-CA'], 'fr'], [['pt-PT'], 'pt-BR'], [['ja-JP'], 'ja'], [['zh-CN'], 'zh-Hans'], [['zh-TW', 'de'], 'de'], [['en-GB', 'de'], 'en'],
    [['x'], 'en'], [['not a tag', ''], 'en'], [[], 'en'], [['ar-XB'], 'en'],
  ] as const)('%s is %s', (preferred, tag) => expect(matchLanguage(preferred)).toBe(tag))
  it.each([['de', 'ltr'], ['ja', 'ltr'], ['ar-XB', 'rtl'], ['he', 'rtl'], ['fa', 'rtl']] as const)('%s is written %s', (tag, direction) => expect(directionOf(tag)).toBe(direction))
})

describe('preferences that were kept', () => {
  it('are read', () => expect(readPreferences('{"language":"de","density":"compact"}')).toEqual({ language: 'de', density: 'compact' }))
  it.each([null, undefined, '', '{', '7', 'null', '[]', '{"language":"xx","density":"huge"}', '{"__proto__":{"language":"de"}}', '{"language":{"de":1}}'])('%s is as if nothing had been chosen', (text) => {
    expect(readPreferences(text)).toEqual({ language: 'system', density: 'comfortable' })
  })
})

describe('a stranger’s text in a sentence', () => {
  const hostile = ['\\u202e evil', '\\x41', '<0>taken</0>', '<0/>', '%__lingui_octothorpe__%', '{name}', '#']
  it.each(hostile)('stays what it is in a text: %s', (name) => {
    expect(i18n._({ id: 'test.text', message: 'Edit {name}?', values: { name } })).toBe(`Edit ${name}?`)
  })
  it.each(hostile)('stays what it is between elements: %s', (name) => {
    const element = createElement(Trans, { id: 'test.elements', message: 'Open <0>it</0>: {name}', values: { name }, components: { 0: createElement('a', { href: '#' }) } })
    const escaped = name.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    expect(renderToStaticMarkup(createElement(I18nProvider, { i18n }, element))).toBe(`Open <a href="#">it</a>: ${escaped}`)
  })
})

it('a sentence of the core that no catalogue has stays as it was written', () => {
  expect(fromCore('Port 4000 is taken.')).toBe('Port 4000 is taken.')
  expect(fromCore('constructor')).toBe('constructor')
})

import { describe, expect, test } from 'vitest'
import type { Conversation } from '../../src/shared/conversation.ts'
import type { Model } from '../../src/shared/model.ts'
import type { Status } from '../../src/shared/status.ts'
import { isChat, modelFor, needsConsent, refusalOf } from '../../src/renderer/features/chat/choose-model.ts'
import {
  compareWords,
  estimateWords,
  historyTokens,
  tokensOf,
} from '../../src/renderer/features/chat/estimate.ts'
import { SpokenProgress } from '../../src/renderer/features/chat/spoken-progress.ts'

const model = (id: string, more: Partial<Model> = {}): Model => ({
  id,
  name: id,
  private: id.startsWith('private/'),
  ...more,
})
const models = [
  model('b/open'),
  model('private/z'),
  model('private/a'),
  model('x/image', { type: 'image' }),
  model('a/open', { type: 'chat', provider: 'Acme' }),
]
const conversation = (more: Partial<Conversation>): Conversation => ({
  id: 'c',
  title: '',
  private: true,
  model: 'private/z',
  createdAt: 0,
  updatedAt: 0,
  ...more,
})
const service: Status['service'] = {
  profileId: 'p',
  name: 'P',
  kind: 'service',
  baseUrl: 'https://a.example',
  revision: 'B',
  hasPolicy: true,
  trust: 'built-in',
  openChat: 'forwarded',
}

describe('the choice of a model', () => {
  test('excludes models that aren’t for chat', () => {
    expect(models.filter(isChat).map(({ id }) => id)).toEqual(['b/open', 'private/z', 'private/a', 'a/open'])
  })

  test('prefers the selected model, then the conversation’s, then the last used, then the first private one', () => {
    expect(modelFor(models, 'a/open', conversation({}), [])).toBe('a/open')
    expect(modelFor(models, undefined, conversation({}), [])).toBe('private/z')
    expect(modelFor(models, undefined, undefined, [conversation({ model: 'b/open' })])).toBe('b/open')
    expect(modelFor(models, undefined, undefined, [conversation({ model: 'gone' })])).toBe('private/z')
    expect(modelFor(undefined, undefined, undefined, undefined)).toBeUndefined()
  })

  test('needs consent in a private conversation before every reply of a model that the service can read', () => {
    expect(needsConsent('a/open', conversation({}))).toBe(true)
    expect(needsConsent('a/open', conversation({ private: false }))).toBe(false)
    expect(needsConsent('a/open', undefined)).toBe(false)
    expect(needsConsent('private/a', conversation({}))).toBe(false)
    expect(refusalOf('a/open', service)).toBeUndefined()
    expect(refusalOf('private/a', service)).toBeUndefined()
  })

  test('refuses every private model without a policy, or in Revision A', () => {
    expect(refusalOf('private/a', { ...service, hasPolicy: false })).toMatch(/policy/)
    expect(refusalOf('private/a', { ...service, revision: 'A' })).toMatch(/Revision A/)
  })
})

describe('the estimate', () => {
  const priced = model('a/open', { inputPerMillion: '1000000000000', outputPerMillion: '2000000000000' })

  test('shows an unknown price as unknown, never as free', () => {
    expect(estimateWords(undefined, { prompt: 9 })).toBe('Price not reported')
    expect(estimateWords(model('a/open', { inputPerMillion: '1' }), { prompt: 9 })).toBe('Price not reported')
    expect(
      estimateWords(model('a/open', { inputPerMillion: '-1', outputPerMillion: '-1' }), { prompt: 9 }),
    ).toBe('Price not reported')
  })

  test('counts each earlier message once', () => {
    expect(tokensOf('one two three '.repeat(100))).toBe(305)
    expect(tokensOf('€')).toBe(5)
    expect(historyTokens([])).toBe(0)
    expect(estimateWords(priced, { prompt: 1001 })).toBe('Estimate: <$0.01')
    expect(estimateWords(priced, { prompt: 20_001 })).toBe('Estimate: $0.022')
  })

  test('shows the expected cost first, then the cost of the longest reply', () => {
    const bounded = { ...priced, contextLength: 20_000 }
    expect(estimateWords(bounded, { prompt: 943 })).toBe('Estimate: <$0.01 (up to $0.041)')
    expect(estimateWords(bounded, { prompt: 9943 })).toBe('Estimate: $0.012 (up to $0.05)')
    expect(estimateWords(bounded, { prompt: 9943, maxTokens: 2000 })).toBe('Estimate: $0.012 (up to $0.014)')
    expect(estimateWords(bounded, { prompt: 943, maxTokens: 2000 })).toBe('Estimate: <$0.01')
    expect(estimateWords(bounded, { prompt: 9943, maxTokens: 100 })).toBe('Estimate: up to $0.011')
  })

  test('includes the price of a search, and is unknown if that price isn’t listed', () => {
    const searching = { prompt: 48, searching: true }
    expect(estimateWords({ ...priced, webSearch: '20000000000' }, searching)).toBe(
      'Estimate: $0.022, plus tokens for search results',
    )
    expect(estimateWords({ ...priced, webSearch: '20000000000', contextLength: 20_000 }, searching)).toBe(
      'Estimate: $0.022 (up to $0.08)',
    )
    for (const unknown of [priced, { ...priced, webSearch: '-1' }])
      expect(estimateWords(unknown, { prompt: 9, searching: true })).toBe('Search price not reported')
  })

  test('of several models is the sum, and is unknown if one price is unknown', () => {
    const one = { ...priced, contextLength: 10_000 }
    const ask = { prompt: 8943, maxTokens: undefined, searching: false }
    expect(compareWords([one, one], ask)).toBe('Estimate for all: $0.022 (up to $0.058)')
    expect(compareWords([one, one], { ...ask, maxTokens: 100 })).toBe('Estimate for all: up to $0.019')
    expect(compareWords([one, priced], ask)).toBe('Estimate for all: $0.022; maximum unknown')
    for (const unknown of [
      undefined,
      model('b/open'),
      model('b/open', { inputPerMillion: '-1', outputPerMillion: '-1' }),
    ])
      expect(compareWords([one, unknown], ask)).toBe('Price unknown: not every model reports one')
    expect(compareWords([one], { ...ask, searching: true })).toBe(
      'Price unknown: not every model reports one',
    )
    expect(
      compareWords(
        [
          { ...one, webSearch: '20000000000' },
          { ...one, private: true },
        ],
        { ...ask, searching: true },
      ),
    ).toBe('Estimate for all: $0.042 (up to $0.079)')
  })

  test('shows that a request is free', () => {
    expect(
      estimateWords(model('a/open', { inputPerMillion: '0', outputPerMillion: '0' }), { prompt: 14 }),
    ).toBe('Free')
  })
})

describe('the announcements of a streaming reply', () => {
  test('are whole sentences, limited in number over time, and immediate at the end', () => {
    let now = 0
    const announcements: string[] = []
    const spoken = new SpokenProgress(
      (text) => announcements.push(text),
      () => now,
    )
    spoken.stage('proving')
    for (let word = 0; word < 50; word++) spoken.text('word ')
    expect(announcements).toEqual(['Verifying the enclave…'])
    spoken.text('end. Next')
    expect(announcements).toHaveLength(2)
    expect(announcements[1]).toMatch(/end\.$/)
    spoken.text(' one. Another. ')
    expect(announcements).toHaveLength(2)
    now = 10_000
    spoken.text('Third')
    expect(announcements[2]).toBe('Next one. Another.')
    spoken.end('Reply complete. Sealed')
    expect(announcements.at(-1)).toBe('Reply complete. Sealed')
  })
})

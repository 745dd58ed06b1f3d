import { describe, expect, test } from 'vitest'
import type { Conversation } from '../../src/shared/conversation.ts'
import type { Model } from '../../src/shared/model.ts'
import type { Status } from '../../src/shared/status.ts'
import { isChat, modelFor, needsConsent, refusalOf } from '../../src/renderer/features/chat/choose-model.ts'
import { compareWords, estimateWords, historyTokens, tokensOf } from '../../src/renderer/features/chat/estimate.ts'
import { SpokenProgress } from '../../src/renderer/features/chat/spoken-progress.ts'

const model = (id: string, more: Partial<Model> = {}): Model => ({ id, name: id, private: id.startsWith('private/'), ...more })
const models = [model('b/open'), model('private/z'), model('private/a'), model('x/image', { type: 'image' }), model('a/open', { type: 'chat', provider: 'Acme' })]
const conversation = (more: Partial<Conversation>): Conversation => ({ id: 'c', title: '', private: true, model: 'private/z', createdAt: 0, updatedAt: 0, ...more })
const service: Status['service'] = { profileId: 'p', name: 'P', kind: 'service', baseUrl: 'https://a.example', revision: 'B', hasPolicy: true, trust: 'built-in' }

describe('choosing a model', () => {
  test('what is not for chat is left out', () => {
    expect(models.filter(isChat).map(({ id }) => id)).toEqual(['b/open', 'private/z', 'private/a', 'a/open'])
  })

  test('what was picked wins, then the conversation, then the last used, then the first private one', () => {
    expect(modelFor(models, 'a/open', conversation({}), [])).toBe('a/open')
    expect(modelFor(models, undefined, conversation({}), [])).toBe('private/z')
    expect(modelFor(models, undefined, undefined, [conversation({ model: 'b/open' })])).toBe('b/open')
    expect(modelFor(models, undefined, undefined, [conversation({ model: 'gone' })])).toBe('private/z')
    expect(modelFor(undefined, undefined, undefined, undefined)).toBeUndefined()
  })

  test('a private conversation asks before every answer of a model that the service can read', () => {
    expect(needsConsent('a/open', conversation({}))).toBe(true)
    expect(needsConsent('a/open', conversation({ private: false }))).toBe(false)
    expect(needsConsent('a/open', undefined)).toBe(false)
    expect(needsConsent('private/a', conversation({}))).toBe(false)
    expect(refusalOf('a/open', service)).toBeUndefined()
    expect(refusalOf('private/a', service)).toBeUndefined()
  })

  test('without a policy, or under Revision A, every private model is refused', () => {
    expect(refusalOf('private/a', { ...service, hasPolicy: false })).toMatch(/policy/)
    expect(refusalOf('private/a', { ...service, revision: 'A' })).toMatch(/Revision A/)
  })
})

describe('the estimate', () => {
  const priced = model('a/open', { inputPerMillion: '1000000000000', outputPerMillion: '2000000000000' })

  test('an unknown price is unknown and never nothing', () => {
    expect(estimateWords(undefined, 0, 'x')).toBe('Price not reported')
    expect(estimateWords(model('a/open', { inputPerMillion: '1' }), 0, 'x')).toBe('Price not reported')
    expect(estimateWords(model('a/open', { inputPerMillion: '-1', outputPerMillion: '-1' }), 0, 'x')).toBe('Price not reported')
  })

  test('counts what was said before, and errs upwards', () => {
    expect(tokensOf('x'.repeat(300))).toBe(108)
    expect(tokensOf('€')).toBe(9)
    expect(historyTokens([])).toBe(0)
    expect(estimateWords(priced, 892, 'x'.repeat(300))).toBe('About $0.001 to send, $0.002 per 1,000 reply tokens')
    expect(estimateWords(priced, 0, '')).toBe('Under $0.0001 to send, $0.002 per 1,000 reply tokens')
  })

  test('a search has its own price, and one that is not listed makes the price unknown', () => {
    expect(estimateWords({ ...priced, webSearch: '20000000000' }, 0, 'x'.repeat(276), true)).toBe('About $0.021 to send with the search, plus tokens for its results; $0.002 per 1,000 reply tokens')
    for (const unknown of [priced, { ...priced, webSearch: '-1' }]) expect(estimateWords(unknown, 0, 'x', true)).toBe('Search price not reported')
  })

  test('of several models the sum is told, at the most too, and one unknown price makes it unknown', () => {
    const one = { ...priced, contextLength: 1000 }
    const ask = { history: 892, text: 'x'.repeat(300), maxTokens: undefined, searching: false }
    expect(compareWords([one, one], ask)).toBe('About $0.002 to send to all, up to $0.006 with the longest replies')
    expect(compareWords([one, one], { ...ask, maxTokens: 100 })).toBe('About $0.002 to send to all, up to $0.0024 with the longest replies')
    expect(compareWords([one, priced], ask)).toBe('About $0.002 to send to all; maximum reply cost unknown')
    for (const unknown of [undefined, model('b/open'), model('b/open', { inputPerMillion: '-1', outputPerMillion: '-1' })]) expect(compareWords([one, unknown], ask)).toBe('Price unknown: not every model reports one')
    expect(compareWords([one], { ...ask, searching: true })).toBe('Price unknown: not every model reports one')
    expect(compareWords([{ ...one, webSearch: '20000000000' }, { ...one, private: true }], { ...ask, searching: true })).toBe('About $0.022 to send to all, up to $0.026 with the longest replies')
  })

  test('says so where nothing is charged', () => {
    expect(estimateWords(model('a/open', { inputPerMillion: '0', outputPerMillion: '0' }), 5, 'x')).toBe('Free')
  })
})

describe('what is spoken of an answer that comes', () => {
  test('whole sentences, at most one in a while, and the end at once', () => {
    let now = 0
    const said: string[] = []
    const spoken = new SpokenProgress((text) => said.push(text), () => now)
    spoken.stage('proving')
    for (let word = 0; word < 50; word++) spoken.text('word ')
    expect(said).toEqual(['Verifying the enclave…'])
    spoken.text('end. Next')
    expect(said).toHaveLength(2)
    expect(said[1]).toMatch(/end\.$/)
    spoken.text(' one. Another. ')
    expect(said).toHaveLength(2)
    now = 10_000
    spoken.text('Third')
    expect(said[2]).toBe('Next one. Another.')
    spoken.end('Reply complete. Sealed')
    expect(said.at(-1)).toBe('Reply complete. Sealed')
  })
})

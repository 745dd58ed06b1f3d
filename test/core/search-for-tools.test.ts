import { expect, it } from 'vitest'
import { createWebSearch } from '../../src/core/search-for-tools.ts'
import { runWebSearch } from '../../src/core/tools/web-search.ts'
import { SottoError } from '../../src/shared/errors.ts'
import type { Model } from '../../src/shared/model.ts'
import type { Receipt } from '../../src/shared/receipt.ts'

const model = (id: string, prices: Partial<Model>): Model => ({ id, name: id, private: false, ...prices })
const prices = { inputPerMillion: '1', outputPerMillion: '1', webSearch: '5' }

const signal = new AbortController().signal

it('a search whose answer ends early fails, with the receipt of what it cost', async () => {
  const receipt: Receipt = {
    id: 'search',
    model: 'cheap',
    privacy: 'forwarded',
    caller: { kind: 'window' },
    outcome: 'interrupted',
    at: 1,
    service: 'sandbox',
    path: '/v1/chat/completions',
    bytesSent: 1,
    bytesReceived: 1,
    cost: '5',
  }
  const search = createWebSearch({
    models: {
      all: () => Promise.resolve([model('cheap', prices)]),
      find: () => Promise.reject(new Error('not used')),
    },
    chat: () =>
      Promise.resolve({
        privacy: 'forwarded',
        receiptId: 'search',
        model: 'cheap',
        contentType: 'text/event-stream',
        timing: { addedMs: 0, proofMs: undefined, sealMs: undefined },
        body: (async function* () {
          yield await Promise.resolve({ text: '', events: ['waiting'] as const, done: false })
          throw new SottoError('service/interrupted')
        })(),
        receipt: () => receipt,
      }),
  })
  const result = await runWebSearch({ query: 'q' }, search, { signal, projectId: undefined })
  expect(result).toEqual({
    text: 'The search failed (service/interrupted).',
    images: [],
    failed: true,
    receipt,
  })
})

it('a search goes to the cheapest priced model, and counts towards the budget of the chat’s project', async () => {
  const asked: unknown[] = []
  const search = createWebSearch({
    models: {
      all: () =>
        Promise.resolve([
          model('dear', { ...prices, webSearch: '9' }),
          model('unpriced', { inputPerMillion: '0', outputPerMillion: '0' }),
          model('private/model', { ...prices, private: true, webSearch: '0' }),
          model('cheap', prices),
        ]),
      find: () => Promise.reject(new Error('not used')),
    },
    chat: (request) => {
      asked.push(request)
      return Promise.reject(new SottoError('budget/exceeded'))
    },
  })
  await expect(search.search('query', { signal, projectId: 'p' })).rejects.toMatchObject({
    code: 'project/budget-exceeded',
  })
  await search.search('query', { signal, projectId: undefined }).catch(() => undefined)
  expect(asked).toMatchObject([
    { budgetOwner: 'project/p', body: { model: 'cheap', messages: [{ role: 'user', content: 'query' }] } },
    { body: { model: 'cheap' } },
  ])
  expect(asked[1]).not.toHaveProperty('budgetOwner')
})

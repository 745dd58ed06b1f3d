import { expect, it } from 'vitest'
import { createWebSearch } from '../../src/core/search-for-tools.ts'
import { runWebSearch } from '../../src/core/tools/web-search.ts'
import { SottoError } from '../../src/shared/errors.ts'
import type { Model } from '../../src/shared/model.ts'

const model = (id: string, prices: Partial<Model>): Model => ({ id, name: id, private: false, ...prices })
const prices = { inputPerMillion: '1', outputPerMillion: '1', webSearch: '5' }

const signal = new AbortController().signal

it('a search whose answer ends early fails, with the receipt of what it cost', async () => {
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
        receipt: () => undefined,
      }),
  })
  const result = await runWebSearch({ query: 'q' }, search, { signal, projectId: undefined })
  expect(result).toEqual({
    text: 'The search failed (service/interrupted).',
    images: [],
    failed: true,
    receiptId: 'search',
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
  // The request may have cost something before it failed.
  const failed = {
    ...search,
    search: () => Promise.reject(new SottoError('service/timeout', { receiptId: 'r' })),
  }
  expect(await runWebSearch({ query: 'q' }, failed, { signal, projectId: undefined })).toMatchObject({
    failed: true,
    receiptId: 'r',
  })
  expect(asked).toMatchObject([
    { budgetOwner: 'project/p', body: { model: 'cheap', messages: [{ role: 'user', content: 'query' }] } },
    { body: { model: 'cheap' } },
  ])
  expect(asked[1]).not.toHaveProperty('budgetOwner')
})

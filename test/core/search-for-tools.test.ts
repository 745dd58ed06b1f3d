import { expect, it } from 'vitest'
import { createWebSearch } from '../../src/core/search-for-tools.ts'
import { SottoError } from '../../src/shared/errors.ts'
import type { Model } from '../../src/shared/model.ts'

const model = (id: string, prices: Partial<Model>): Model => ({ id, name: id, private: false, ...prices })
const prices = { inputPerMillion: '1', outputPerMillion: '1', webSearch: '5' }

const signal = new AbortController().signal

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

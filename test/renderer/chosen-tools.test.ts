// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest'

/** The choice that the core has saved. */
let saved: readonly string[] = []
/** The calls that the core hasn't answered yet. */
const pending: { readonly save: () => void; readonly refuse: () => void }[] = []

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: {
    tools: {
      chosen: () => Promise.resolve({ sources: saved }),
      choose: ({ sources }: { sources: readonly string[] }) =>
        new Promise((resolve, reject) => {
          const save = () => {
            saved = sources
            resolve({ sources })
          }
          pending.push({ save, refuse: () => reject(new TypeError('no connection')) })
        }),
    },
  },
}))

const { currentScope } = await import('../../src/renderer/data/service-scope.tsx')
const { loadAnswer, readAnswer } = await import('../../src/renderer/data/use-answer.ts')
const { chosenTools, turnTool } = await import('../../src/renderer/features/chat/tools/chosen-tools.ts')

const scope = currentScope()
const shown = () => readAnswer(scope, chosenTools('c'))?.sources

beforeEach(async () => {
  saved = ['calculator']
  pending.length = 0
  scope.client.clear()
  await loadAnswer(scope, chosenTools('c'))
})

test('two switches that are turned before the core has saved the first are both turned', async () => {
  const turns = [turnTool(scope, 'c', 'web-search'), turnTool(scope, 'c', 'files')]
  expect(shown()).toEqual(['calculator', 'web-search', 'files'])
  for (const { save } of pending) save()
  await Promise.all(turns)
  expect(saved).toEqual(['calculator', 'web-search', 'files'])
})

test('a choice that the core refuses is taken back', async () => {
  const turn = turnTool(scope, 'c', 'calculator')
  expect(shown()).toEqual([])
  pending[0]?.refuse()
  await expect(turn).rejects.toThrow('no connection')
  await loadAnswer(scope, chosenTools('c'))
  expect(shown()).toEqual(['calculator'])
})

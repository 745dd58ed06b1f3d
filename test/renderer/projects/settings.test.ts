// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { draftOfBudget, readBudget } from '../../../src/renderer/features/projects/budget-fields.tsx'
import { draftOfParameters, readParameters } from '../../../src/renderer/ui/parameter-fields.tsx'

test('an amount in dollars is a budget, and an empty field is none', () => {
  const budget = { picoUsd: '2500000000000', period: 'week' } as const
  expect(draftOfBudget(budget)).toEqual({ amount: '2.5', period: 'week' })
  expect(readBudget(draftOfBudget(budget))).toEqual(budget)
  expect(readBudget({ amount: '$ 3', period: 'day' })).toEqual({ picoUsd: '3000000000000', period: 'day' })
  expect(readBudget(draftOfBudget(undefined))).toBeNull()
})

test('other text than an amount is a fault of the budget', () => {
  for (const amount of ['-1', '1,5', 'two', '1 2'])
    expect(readBudget({ amount, period: 'day' }), amount).toBe('faulty')
})

test('valid parameters are accepted, and a value that a service would refuse is a fault', () => {
  const parameters = { temperature: 0.5, maxTokens: 400, reasoningEffort: 'low' } as const
  expect(readParameters(draftOfParameters(parameters))).toEqual(parameters)
  expect(readParameters(draftOfParameters({}))).toEqual({})
  for (const wrong of [{ temperature: '3' }, { maxTokens: '4,000' }, { topP: 'x' }])
    expect(readParameters({ ...draftOfParameters({}), ...wrong }), JSON.stringify(wrong)).toBeUndefined()
})

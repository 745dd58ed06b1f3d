// @vitest-environment happy-dom
import { getEventIteratorSchemaDetails, isContractProcedure, type AnySchema } from '@orpc/contract'
import { act, cleanup, render } from '@testing-library/react'
import fc from 'fast-check'
import { createElement, Fragment, useEffect, useEffectEvent, useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { contract } from '../../../src/shared/contract/sotto-contract.ts'
import type { Status } from '../../../src/shared/status.ts'

vi.mock('../../../src/renderer/ui/api.ts', () => ({ api: {} }))

const { setStatus } = await import('../../../src/renderer/ui/status-store.ts')
const { currentScope, ServiceScope } = await import('../../../src/renderer/data/service-scope.tsx')
const { readAnswer, useAnswer, writeAnswer } = await import('../../../src/renderer/data/use-answer.ts')
const { useAction } = await import('../../../src/renderer/ui/use-action.ts')
const { useWatch } = await import('../../../src/renderer/data/use-watch.ts')

interface Mark {
  readonly of: string
}

/** Calls that the core hasn't answered, each with what answers it. */
let pending: (() => void)[] = []
let service = 'one'

/** Answers with the service that was in use when it was asked. */
function ask(): Promise<Mark> {
  const of = service
  return new Promise((resolve) => pending.push(() => resolve({ of })))
}

async function* stream(): AsyncGenerator<Mark> {
  for (;;) yield await ask()
}

function AnswerView({ name }: { readonly name: string }) {
  return createElement('p', undefined, useAnswer({ key: [name], ask }).data?.of)
}

function CallView() {
  const [data, setData] = useState<Mark>()
  const { run } = useAction(async () => setData(await ask()))
  const first = useEffectEvent(run)
  useEffect(() => void first(), [])
  return createElement('p', undefined, data?.of)
}

function WatchView({ name }: { readonly name: string }) {
  const { data } = useWatch<Mark, Mark>(
    name,
    () => Promise.resolve(stream()),
    (_, mark) => mark,
  )
  return createElement('p', undefined, data?.of)
}

interface Procedure {
  readonly name: string
  readonly live: boolean
}

function isSchema(value: unknown): value is AnySchema {
  return typeof value === 'object' && value !== null && '~standard' in value
}

/** Every procedure of the contract, so that a new one is covered when it is added. */
function proceduresOf(part: unknown, path: readonly string[] = []): readonly Procedure[] {
  if (isContractProcedure(part)) {
    const output: unknown = part['~orpc'].outputSchema
    const live = isSchema(output) && getEventIteratorSchemaDetails(output) !== undefined
    return [{ name: path.join('.'), live }]
  }
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, each]) => proceduresOf(each, [...path, key]))
}

const procedures = proceduresOf(contract)

async function use(profileId: string): Promise<void> {
  service = profileId
  // The tests need only the parts by which services differ.
  const status = {
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: false },
    vault: { state: 'open' },
  } as Status
  await act(async () => {
    setStatus(status)
    await new Promise(setImmediate)
  })
}

function shownMarks(): readonly string[] {
  return [...document.querySelectorAll('p')]
    .map(({ textContent }) => textContent)
    .filter((text) => text !== '')
}

function cachedMarks(): readonly unknown[] {
  const { client } = currentScope()
  const queries = client.getQueryCache().getAll()
  const mutations = client.getMutationCache().getAll()
  return [...queries, ...mutations].map(({ state }) => state.data).filter((data) => data !== undefined)
}

afterEach(() => {
  cleanup()
  pending = []
})

test('the contract has procedures of both kinds', () => {
  expect(procedures.filter(({ live }) => live).length).toBeGreaterThan(8)
  expect(procedures.filter(({ live }) => !live).length).toBeGreaterThan(100)
})

test.each(procedures)('no late answer of $name reaches the screen or the cache', async ({ name, live }) => {
  const step = fc.oneof(
    fc.record({ use: fc.constantFrom('one', 'two', 'three') }),
    fc.record({ answer: fc.nat({ max: 9 }) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 8 }), async (steps) => {
      await use('one')
      const { unmount } = render(
        createElement(
          ServiceScope,
          undefined,
          live
            ? createElement(WatchView, { name })
            : createElement(
                Fragment,
                undefined,
                createElement(AnswerView, { name }),
                createElement(CallView),
              ),
        ),
      )
      await act(() => new Promise(setImmediate))
      for (const each of steps) {
        if ('use' in each) await use(each.use)
        else
          await act(async () => {
            pending.splice(each.answer % Math.max(1, pending.length), 1)[0]?.()
            await new Promise(setImmediate)
          })
        for (const mark of shownMarks()) expect(mark).toBe(service)
        for (const mark of cachedMarks()) expect(mark).toEqual({ of: service })
      }
      // The page shows the answer of the current service, regardless of late answers.
      for (const answer of pending.splice(0)) answer()
      await act(() => new Promise(setImmediate))
      expect(new Set(shownMarks())).toEqual(new Set([service]))
      unmount()
      pending = []
    }),
    { numRuns: 1 },
  )
})

test('what is written for a service that was left is not in the cache of the next', async () => {
  await use('one')
  const left = currentScope()
  const question = { key: ['prices'], ask }
  writeAnswer(left, question, () => ({ of: 'one' }))
  expect(readAnswer(left, question)).toEqual({ of: 'one' })
  await use('two')
  expect(readAnswer(left, question)).toBeUndefined()
  writeAnswer(left, question, () => ({ of: 'one' }))
  expect(readAnswer(currentScope(), question)).toBeUndefined()
  await use('one')
  expect(readAnswer(currentScope(), question)).toBeUndefined()
})

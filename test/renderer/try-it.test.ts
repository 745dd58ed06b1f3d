import { beforeEach, expect, test, vi } from 'vitest'
import type { Status } from '../../src/shared/status.ts'
import { draw, elements } from './drawn-hook.ts'

const { answers } = vi.hoisted(() => {
  const answers: ((answer: unknown) => void)[] = []
  return { answers }
})

vi.mock('react', async () => (await import('./drawn-hook.ts')).hooks)
vi.mock('zustand', async () => {
  const { createStore } = await import('zustand/vanilla')
  return {
    create: () => (first: () => unknown) => {
      const store = createStore(first)
      return Object.assign((chosen: (state: unknown) => unknown = (state) => state) => chosen(store.getState()), store)
    },
  }
})
vi.mock('../../src/renderer/ui/api.ts', () => ({ api: { localApi: { try: () => new Promise((answer) => answers.push(answer)) } } }))

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { useReceipts } = await import('../../src/renderer/ui/receipt-store.ts')
const { findTool, tools } = await import('../../src/renderer/features/local-api/tools/index.ts')
const { TryIt } = await import('../../src/renderer/features/local-api/tool-pages/try-it.tsx')

/** Only what tells one service from another is of use here. */
const status = (profileId: string): Status => ({ service: { profileId, baseUrl: 'https://a.example' }, account: { connected: true }, vault: { state: 'open' } }) as Status
const isPress = (value: unknown): value is () => void => typeof value === 'function'
const settled = () => new Promise(setImmediate)
const answer = { status: 200, durationMs: 1, receipt: { id: 'receipt' } }

beforeEach(() => {
  setStatus(status('one'))
  answers.length = 0
})

function drawn() {
  const tool = findTool(tools[0]?.id)
  if (!tool) throw new Error('There is a tool.')
  const panel = draw(() => TryIt({ tool, model: undefined, modelId: 'open/m', secret: 'secret' }))
  const press = () => { for (const { onClick } of elements(panel.shown())) if (isPress(onClick)) onClick() }
  return { panel, press, shown: () => [...elements(panel.shown())].some((each) => 'trial' in each) }
}

test('what a tool was answered at a service that was left says nothing of the next', async () => {
  const { panel, press, shown } = drawn()
  press()
  answers[0]?.(answer)
  await settled()
  expect(shown()).toBe(true)
  setStatus(status('two'))
  panel.again()
  expect(shown()).toBe(false)
})

test('nor does its receipt, where the answer comes late', async () => {
  const { panel, press, shown } = drawn()
  press()
  setStatus(status('two'))
  panel.again()
  answers[0]?.(answer)
  await settled()
  expect([shown(), Object.keys(useReceipts.getState().receipts)]).toEqual([false, []])
})

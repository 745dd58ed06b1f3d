import { beforeEach, expect, test, vi } from 'vitest'
import type { Prompt } from '../../src/shared/prompt.ts'
import type { Status } from '../../src/shared/status.ts'

/** Lists of prompts that wait for the test's answer, in the order in which they were asked for. */
const lists: {
  readonly answer: (prompts: readonly Prompt[]) => void
  readonly refuse: (reason: unknown) => void
}[] = []

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: { prompts: { list: () => new Promise((answer, refuse) => lists.push({ answer, refuse })) } },
}))

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { loadPrompts, usePrompts } = await import('../../src/renderer/features/chat/prompts/prompt-store.ts')

const use = (profileId: string) =>
  setStatus({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: false },
    vault: { state: 'open' },
  } as Status)
const prompt = (id: string) => ({ id, name: id, text: '' }) as Prompt

beforeEach(() => {
  use('one')
  lists.length = 0
  usePrompts.setState(usePrompts.getInitialState(), true)
})

test('prompts that were loading from the previous service are discarded', async () => {
  const old = loadPrompts()
  use('two')
  const fresh = loadPrompts()
  lists[1]?.answer([prompt('new')])
  lists[0]?.answer([prompt('old')])
  await Promise.all([old, fresh])
  expect(usePrompts.getState().prompts?.map(({ id }) => id)).toEqual(['new'])
})

test('a failure at the previous service isn’t shown at the next one', async () => {
  const failing = loadPrompts()
  lists[0]?.refuse(new Error('gone'))
  await failing
  expect(usePrompts.getState().failure).toBeDefined()
  const late = loadPrompts()
  use('two')
  expect(usePrompts.getState().failure).toBeUndefined()
  lists[1]?.refuse(new Error('gone'))
  await late
  expect(usePrompts.getState().failure).toBeUndefined()
})

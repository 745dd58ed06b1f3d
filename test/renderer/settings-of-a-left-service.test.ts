import { beforeEach, expect, test, vi } from 'vitest'
import type { Status } from '../../src/shared/status.ts'
import { draw, elements } from './drawn-hook.ts'

const { asked, waits } = vi.hoisted(() => {
  const asked: ((answer: unknown) => void)[] = []
  return { asked, waits: () => new Promise((answer) => asked.push(answer)) }
})

vi.mock('react', async () => (await import('./drawn-hook.ts')).hooks)
vi.mock('zustand', async () => {
  const { createStore } = await import('zustand/vanilla')
  return {
    create: () => (first: () => unknown) => {
      const store = createStore(first)
      return Object.assign((chosen: (state: unknown) => unknown) => chosen(store.getState()), store)
    },
  }
})
vi.mock('../../src/renderer/ui/api.ts', () => ({ api: { accounts: { balance: waits }, diagnostics: { contacts: waits } } }))
for (const part of ['appearance', 'desktop', 'log', 'sandbox', 'service', 'updates', 'vault']) vi.doMock(`../../src/renderer/features/settings/${part}-section.tsx`, () => ({}))
vi.mock('../../src/renderer/features/settings/changes-page.tsx', () => ({}))
vi.mock('../../src/renderer/ui/route.ts', () => ({}))

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { Balance } = await import('../../src/renderer/features/settings/settings-room.tsx')
const { ContactsSection } = await import('../../src/renderer/features/settings/contacts-section.tsx')

/** Only what tells one service from another is of use here. */
const status = (profileId: string): Status => ({ service: { profileId, baseUrl: 'https://a.example' }, account: { connected: true }, vault: { state: 'open' } }) as Status
const isPress = (value: unknown): value is () => void => typeof value === 'function'
const settled = () => new Promise(setImmediate)

beforeEach(() => {
  setStatus(status('one'))
  asked.length = 0
})

test('a balance that was told of is never shown for the next service', async () => {
  const drawn = draw(() => Balance())
  const shown = () => JSON.stringify([...elements(drawn.shown())].map(({ children }) => children)).includes('$5')
  const ask = () => { for (const { onClick } of elements(drawn.shown())) if (isPress(onClick)) onClick() }
  ask()
  asked[0]?.({ picoUsd: '5000000000000' })
  await settled()
  expect(shown()).toBe(true)
  setStatus(status('two'))
  drawn.again()
  expect(shown()).toBe(false)
  ask()
  setStatus(status('one'))
  drawn.again()
  asked[1]?.({ picoUsd: '5000000000001' })
  await settled()
  expect(JSON.stringify(drawn.shown())).not.toContain('0000001')
})

test('what Sotto connects to is that of the service which was changed to', async () => {
  const drawn = draw(() => ContactsSection())
  const hosts = () => [...elements(drawn.shown())].map(({ name }) => name).filter(Boolean)
  asked[0]?.([{ host: 'one.example', use: 'service', loopback: false }])
  await settled()
  expect(hosts()).toEqual(['one.example'])
  setStatus(status('two'))
  drawn.again()
  asked[1]?.([{ host: 'two.example', use: 'service', loopback: false }])
  await settled()
  expect(hosts()).toEqual(['two.example'])
})

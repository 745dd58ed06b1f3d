// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { createElement } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { ServiceKey } from '../../src/shared/service-key.ts'
import type { Status } from '../../src/shared/status.ts'
import { drawInPage, settled } from './in-page.ts'

const { serviceKeys } = vi.hoisted(() => ({
  serviceKeys: { list: vi.fn(), create: vi.fn(), rotate: vi.fn() },
}))
vi.mock('../../src/renderer/ui/api.ts', () => ({ api: { serviceKeys }, inDesktop: true }))

const { ServiceScope, currentScope } = await import('../../src/renderer/data/service-scope.tsx')
const { readScopedState, setScopedState } = await import('../../src/renderer/data/use-answer.ts')
const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { KeysTab } = await import('../../src/renderer/features/developer/keys/keys-tab.tsx')
const { localKeys } = await import('../../src/renderer/features/developer/local-api-store.ts')
const { createKey, madeKey, rotateKey } =
  await import('../../src/renderer/features/developer/service-keys/keys-store.ts')

const key = (name: string): ServiceKey => ({ id: name, name, inUse: false })
const list = (...names: string[]) => ({ keys: names.map(key), unreadable: 0 })

/** The tests need only the parts by which services differ. */
const status = (profileId: string): Status =>
  ({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: true, creditIdMasked: 'c' },
    vault: { state: 'open' },
  }) as Status
const isListed = (name: string) => screen.queryAllByText(name).length > 0
const show = () => drawInPage(createElement(ServiceScope, undefined, createElement(KeysTab)))

beforeEach(() => {
  setStatus(status('before'))
  setStatus(status('one'))
  setScopedState(currentScope(), localKeys, () => [])
  vi.resetAllMocks()
  serviceKeys.list.mockResolvedValue(list('editor'))
})

test('the keys remain in view while they are refreshed, and after a failure', async () => {
  show()
  expect(screen.getByText('Loading keys…')).toBeDefined()
  await settled()
  serviceKeys.list.mockRejectedValueOnce(new Error('gone'))
  fireEvent.click(screen.getByText('Refresh'))
  expect(isListed('editor')).toBe(true)
  await settled()
  expect(isListed('editor')).toBe(true)
  expect(screen.getByText(/Sotto isn’t responding/)).toBeDefined()
  serviceKeys.list.mockResolvedValueOnce(list('editor', 'agent'))
  fireEvent.click(screen.getByText('Try again'))
  await settled()
  expect(isListed('agent')).toBe(true)
  expect(screen.queryByText(/Sotto isn’t responding/)).toBeNull()
})

test('revoked keys are loaded only when they are shown', async () => {
  show()
  await settled()
  fireEvent.click(screen.getByLabelText('Show revoked'))
  expect(isListed('editor')).toBe(true)
  await settled()
  expect(serviceKeys.list.mock.calls.map(([input]: unknown[]) => input)).toEqual([
    { includeRevoked: false },
    { includeRevoked: true },
  ])
})

test('a dialog and the keys end with their service', async () => {
  show()
  await settled()
  fireEvent.keyDown(screen.getByLabelText('Actions for editor'), { key: 'Enter' })
  fireEvent.click(screen.getByRole('menuitem', { name: 'Revoke' }))
  expect(screen.getByRole('alertdialog')).toBeDefined()
  serviceKeys.list.mockResolvedValue(list('agent'))
  act(() => setStatus(status('two')))
  await settled()
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(isListed('editor')).toBe(false)
  expect(isListed('agent')).toBe(true)
})

test.each([
  ['created', () => createKey({ name: 'Program', cap: null, resetPeriod: null, expiresAt: null })],
  ['rotated', () => rotateKey(key('editor'))],
])('the secret of a key that is %s is shown only at its own service', async (_, change) => {
  for (const next of ['one', 'two']) {
    setStatus(status('one'))
    let answer: (answer: unknown) => void = () => undefined
    const coming = new Promise((resolve) => {
      answer = resolve
    })
    serviceKeys.create.mockReturnValueOnce(coming)
    serviceKeys.rotate.mockReturnValueOnce(coming)
    const changing = change()
    setStatus(status(next))
    answer({ key: key('new'), secret: 'sk-made', revoked: true })
    await changing
    expect(readScopedState(currentScope(), madeKey)?.secret.value).toBe(
      next === 'one' ? 'sk-made' : undefined,
    )
  }
})

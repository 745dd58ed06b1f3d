import { expect, test, vi } from 'vitest'
import { draw, elements } from './drawn-hook.ts'

const { view, examine, report } = vi.hoisted(() => ({ view: vi.fn<() => Promise<unknown>>(), examine: vi.fn<() => Promise<unknown>>(), report: vi.fn<() => Promise<unknown>>() }))

vi.mock('react', async () => (await import('./drawn-hook.ts')).hooks)
vi.mock('../../src/renderer/ui/api.ts', () => ({ api: { vault: { view, examine }, diagnostics: { report } } }))
vi.mock('../../src/renderer/ui/status-store.ts', () => ({ refreshStatus: () => Promise.resolve() }))
vi.mock('../../src/renderer/features/settings/vault-dialogs.tsx', () => ({ VaultDialog: () => null }))

const { VaultSection } = await import('../../src/renderer/features/settings/vault-section.tsx')

const settled = () => new Promise(setImmediate)

test('the vault that could be read again is said no longer to be unreadable', async () => {
  const given: Parameters<typeof VaultSection>[0] = { vault: { kind: 'memory', state: 'open' } }
  view.mockRejectedValueOnce(new TypeError('fetch failed'))
  const drawn = draw(() => VaultSection(given))
  const failed = () => [...elements(drawn.shown())].some((each) => 'failure' in each)
  await settled()
  expect(failed()).toBe(true)
  view.mockResolvedValueOnce({ asked: 'auto', keychain: 'usable' })
  given.vault = { kind: 'file', state: 'open' }
  drawn.again()
  await settled()
  expect(failed()).toBe(false)
})

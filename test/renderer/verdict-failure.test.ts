import { beforeEach, expect, test, vi } from 'vitest'
import type { Status } from '../../src/shared/status.ts'

const current = vi.fn<() => Promise<unknown>>()
const verify = vi.fn<() => Promise<unknown>>()

vi.mock('../../src/renderer/ui/api.ts', () => ({
  inDesktop: true,
  api: { privacy: { current: () => current(), verify: () => verify() } },
}))

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { readVerdict, refreshVerdict, verifyNow } = await import('../../src/renderer/ui/verdict-store.ts')

const failure = () => readVerdict().failure?.code

beforeEach(() => {
  // Only that the vault is open matters here. The service before it leaves no verdict.
  for (const profileId of ['before', 'one'])
    setStatus({
      service: { profileId, baseUrl: 'https://a.example' },
      account: { connected: false },
      vault: { state: 'open' },
    } as Status)
})

test('an unreachable Sotto is shown as an error until it responds', async () => {
  current.mockRejectedValueOnce(new TypeError('fetch failed'))
  await refreshVerdict()
  expect(failure()).toBe('window/unreachable')
  current.mockResolvedValueOnce(null)
  await refreshVerdict()
  expect(failure()).toBeUndefined()
})

test('a failed verification stays shown until the next one', async () => {
  verify.mockRejectedValueOnce(new TypeError('fetch failed'))
  await verifyNow()
  current.mockResolvedValueOnce(null)
  await refreshVerdict()
  expect(failure()).toBe('window/unreachable')
})

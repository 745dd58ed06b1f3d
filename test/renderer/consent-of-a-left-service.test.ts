import { beforeEach, expect, test, vi } from 'vitest'
import type { Status } from '../../src/shared/status.ts'

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: { consents: { preview: () => Promise.resolve({ consentId: 'consent' }) } },
}))

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { askConsent, useConsent } = await import('../../src/renderer/ui/consent-store.ts')

/** The tests need only the parts by which services differ. */
const status = (profileId: string): Status =>
  ({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: false },
    vault: { state: 'open' },
  }) as Status
const settled = () => new Promise(setImmediate)

beforeEach(() => setStatus(status('one')))

test('what would be exposed to one service is never allowed to the next', async () => {
  const answered = vi.fn()
  void askConsent({ conversationId: 'one', purpose: 'continue', model: 'open/a' }).then(answered)
  await settled()
  expect(useConsent.getState().asking?.preview).toEqual({ consentId: 'consent' })
  setStatus(status('two'))
  await settled()
  expect(useConsent.getState().asking).toBeUndefined()
  expect(answered).toHaveBeenCalledWith(null)
})

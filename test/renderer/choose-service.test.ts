import { beforeEach, expect, test, vi } from 'vitest'
import type { Status } from '../../src/shared/status.ts'

/** The service in use, as the door answers. */
let answers = 'one'
/** The tests need only the parts by which services differ. */
const status = (profileId: string): Status =>
  ({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: false },
    vault: { state: 'open' },
  }) as Status

vi.mock('../../src/renderer/ui/api.ts', () => ({
  inDesktop: true,
  api: {
    app: { status: () => Promise.resolve(status(answers)) },
    profiles: { choose: () => Promise.resolve(status('one')) },
  },
}))

const { setStatus, useStatus } = await import('../../src/renderer/ui/status-store.ts')
const { chooseService } = await import('../../src/renderer/ui/service/use-services.ts')

beforeEach(() => {
  answers = 'one'
  setStatus(status('one'))
  vi.useFakeTimers()
})

test('is over once the chosen service answers', async () => {
  const chosen = chooseService('two')
  await vi.advanceTimersByTimeAsync(1000)
  answers = 'two'
  await vi.advanceTimersByTimeAsync(1000)
  await chosen
  expect(useStatus.getState().status?.service.profileId).toBe('two')
})

test('fails where the former service is all that answers, so that nothing meant for the chosen one goes there', async () => {
  const chosen = expect(chooseService('two')).rejects.toMatchObject({
    failure: { code: 'service/unavailable' },
  })
  await vi.advanceTimersByTimeAsync(60_000)
  await chosen
  expect(useStatus.getState().status?.service.profileId).toBe('one')
})

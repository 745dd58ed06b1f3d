import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Status } from '../../src/shared/status.ts'

/** Calls that wait for the test's answer, in the order in which they were made. */
const waiting: ((answer: unknown) => void)[] = []
const waits = () => new Promise((answer) => waiting.push(answer))
const verify = vi.fn(() => Promise.resolve({}))

vi.mock('../../src/renderer/ui/api.ts', () => ({
  inDesktop: true,
  api: {
    privacy: {
      choices: waits,
      setAskBeforeNewRelease: waits,
      verify,
      history: () => Promise.resolve([]),
      trust: () => Promise.resolve({}),
      current: () => Promise.resolve({}),
    },
  },
}))

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { useVerdict } = await import('../../src/renderer/ui/verdict-store.ts')
const { refreshPrivacy, setAskBeforeNewRelease, usePrivacy } =
  await import('../../src/renderer/features/privacy/privacy-store.ts')

/** Only what tells one service from another is of use here. */
const status = (profileId: string): Status =>
  ({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: false },
    vault: { state: 'open' },
  }) as Status
const chosen = (askBeforeNewRelease: boolean) => ({ askBeforeNewRelease, pins: [], freshEvidence: null })
const asks = () => usePrivacy.getState().choices?.askBeforeNewRelease

beforeEach(() => {
  setStatus(status('one'))
  usePrivacy.setState({ history: undefined, choices: undefined, trust: undefined, failure: undefined })
  waiting.length = 0
  verify.mockClear()
})

describe('what is chosen', () => {
  test('stays when what stood before is answered late', async () => {
    const asked = refreshPrivacy()
    const change = setAskBeforeNewRelease(true)
    waiting[1]?.(chosen(true))
    await change
    waiting[0]?.(chosen(false))
    await asked
    expect(asks()).toBe(true)
    expect(usePrivacy.getState().history).toEqual([])
  })

  test('for a service that was left is neither shown at the next nor judged there', async () => {
    const change = setAskBeforeNewRelease(true)
    setStatus(status('two'))
    await vi.waitFor(() => expect(useVerdict.getState().verdict).toBeTruthy())
    waiting[0]?.(chosen(true))
    await change
    expect(asks()).toBeUndefined()
    expect(verify).not.toHaveBeenCalled()
  })
})

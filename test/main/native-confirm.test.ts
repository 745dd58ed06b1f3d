import { beforeEach, describe, expect, it, vi } from 'vitest'
import { allowsLink, createNativeConfirm } from '../../src/main/native-confirm.ts'
import type { SottoError } from '../../src/shared/errors.ts'
import { msg } from '../../src/shared/localized-text.ts'

const CANCEL = 0
const ALLOW = 1
const HOUR = 3_600_000

const dialogs = vi.hoisted(() => ({
  showMessageBox: vi.fn<(options: unknown) => Promise<{ response: number }>>(),
}))
vi.mock('electron', () => ({ dialog: dialogs, app: {} }))

const question = msg('Switch to the service X?')
const coded = (code: string, retryAfterSeconds: number) =>
  expect.objectContaining({
    code,
    details: expect.objectContaining({ retryAfterSeconds }) as object,
  }) as SottoError

beforeEach(() => void dialogs.showMessageBox.mockReset())

function desktop() {
  const clock = { now: 0 }
  const confirm = createNativeConfirm(
    () => null,
    () => clock.now,
  )
  const press = (response: number) => void dialogs.showMessageBox.mockResolvedValue({ response })
  const ask = (from = 'window', signal?: AbortSignal) => confirm.ask({ says: question, from }, signal)
  return { clock, confirm, press, ask, shown: () => dialogs.showMessageBox.mock.calls.length }
}

describe('createNativeConfirm', () => {
  it('shows no dialog right after a refusal, for 1, 2, 4 … seconds, until one is allowed', async () => {
    const { clock, press, ask, shown } = desktop()
    press(CANCEL)
    for (const seconds of [1, 2, 4]) {
      await expect(ask()).resolves.toBe(false)
      await expect(ask()).rejects.toEqual(coded('confirm/too-soon', seconds))
      clock.now += seconds * 1000
    }
    expect(shown()).toBe(3)
    press(ALLOW)
    await expect(ask()).resolves.toBe(true)
    press(CANCEL)
    await expect(ask()).resolves.toBe(false)
    await expect(ask()).rejects.toEqual(coded('confirm/too-soon', 1))
  })

  it('shows at most five dialogs an hour that are refused or aborted', async () => {
    const { clock, press, ask, shown } = desktop()
    press(CANCEL)
    for (let asked = 0; asked < 4; asked++) {
      await expect(ask()).resolves.toBe(false)
      clock.now += 60_000
    }
    dialogs.showMessageBox.mockRejectedValueOnce(new DOMException('given up', 'AbortError'))
    await expect(ask()).resolves.toBe(false)
    clock.now += 60_000
    await expect(ask()).rejects.toEqual(coded('confirm/too-many', 55 * 60))
    expect(shown()).toBe(5)
    clock.now = HOUR
    press(ALLOW)
    for (let asked = 0; asked < 10; asked++) await expect(ask()).resolves.toBe(true)
  })

  it('doesn’t delay other callers', async () => {
    const { press, ask } = desktop()
    press(CANCEL)
    await ask('window')
    press(ALLOW)
    await expect(ask('cli')).resolves.toBe(true)
  })

  it('doesn’t count a dialog that was not shown because another was open or the caller had left', async () => {
    const { press, ask, shown } = desktop()
    const open = Promise.withResolvers<{ response: number }>()
    dialogs.showMessageBox.mockReturnValueOnce(open.promise)
    const first = ask()
    for (let asked = 0; asked < 6; asked++) await expect(ask()).resolves.toBe(false)
    for (let asked = 0; asked < 6; asked++)
      await expect(ask('window', AbortSignal.abort())).resolves.toBe(false)
    open.resolve({ response: ALLOW })
    await expect(first).resolves.toBe(true)
    press(ALLOW)
    await expect(ask()).resolves.toBe(true)
    expect(shown()).toBe(2)
  })
})

it('a link that is limited is refused without another dialog', async () => {
  const { confirm, press, ask, shown } = desktop()
  press(CANCEL)
  for (let opened = 0; opened < 20; opened++)
    await expect(allowsLink(confirm, question, 'link')).resolves.toBe(false)
  expect(shown()).toBe(1)
  press(ALLOW)
  await expect(ask()).resolves.toBe(true)
})

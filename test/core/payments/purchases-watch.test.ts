import { afterEach, expect, test, vi } from 'vitest'
import { clientOf } from '../../../src/cli/client.ts'
import type { PaymentRecord } from '../../../src/core/payments/index.ts'
import { Records } from '../../../src/core/payments/records.ts'
import { SottoError } from '../../../src/shared/errors.ts'
import { startWorld } from '../../world.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test('a window that can’t get the purchases gets the reason at once, and leaves no reader of changes behind', async () => {
  await using world = await startWorld()
  const signals: AbortSignal[] = []
  vi.spyOn(Records.prototype, 'changes').mockImplementation(function (this: Records, signal) {
    signals.push(signal)
    vi.spyOn(this.journal, 'list').mockImplementation(() => {
      throw new SottoError('store/damaged')
    })
    return unchanged(signal)
  })
  await expect((await clientOf(world.core).purchases.watch()).next()).rejects.toThrow()
  expect(signals).toMatchObject([{ aborted: true }])
}, 10_000)

/** Reads changes of which there are none until the signal is aborted. */
async function* unchanged(signal: AbortSignal): AsyncGenerator<PaymentRecord, void> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  yield* []
}

import { afterEach, expect, test, vi } from 'vitest'

const { pending } = vi.hoisted(() => ({
  pending: vi.fn<() => Promise<object | null>>(),
}))
vi.mock('../../src/renderer/ui/api.ts', () => ({ api: { confirmations: { pending } }, inDesktop: false }))

const { confirmable, useConfirmation } = await import('../../src/renderer/ui/confirmation-store.ts')

const question = { id: 'q1', says: { text: 'Revoke the key?' } }

afterEach(() => {
  vi.useRealTimers()
})

test('an action that ends leaves the question of another one, which can still be canceled', async () => {
  vi.useFakeTimers()
  pending.mockResolvedValue(null)
  const payment = Promise.withResolvers<string>()
  const slow = confirmable(() => payment.promise)
  pending.mockResolvedValue(question)
  const revoke = confirmable(
    (signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
  )
  await vi.advanceTimersByTimeAsync(500)
  expect(useConfirmation.getState().pending).toEqual(question)
  payment.resolve('paid')
  expect(await slow).toBe('paid')
  expect(useConfirmation.getState().pending).toEqual(question)
  useConfirmation.getState().abandon()
  await expect(revoke).rejects.toMatchObject({ failure: { code: 'confirm/refused' } })
  expect(useConfirmation.getState().pending).toBeNull()
})

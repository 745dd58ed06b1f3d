import { beforeEach, expect, test, vi } from 'vitest'

vi.mock('../../src/renderer/ui/api.ts', () => ({ api: {}, endInPassing: () => undefined }))
vi.mock('../../src/renderer/features/chat/prose-parser.ts', () => ({
  preloadMarkdown: () => Promise.resolve(),
}))
vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('location', { hash: '' })

const { offerUndo, undoRemoval, useRemoval } = await import('../../src/renderer/features/chat/removal.ts')
const { useChat } = await import('../../src/renderer/features/chat/chat-store.ts')

beforeEach(() => {
  useRemoval.setState({ last: undefined })
  useChat.setState({ unsent: {} })
})

test('a removal is taken back once, however often that is pressed', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const undo = vi.fn(() => promise)
  offerUndo({ id: 'Deleted.' }, 30_000, undo)
  const pressed = [undoRemoval(), undoRemoval()]
  resolve(undefined)
  await Promise.all(pressed)
  expect(undo).toHaveBeenCalledTimes(1)
  expect(useRemoval.getState().last).toBeUndefined()
})

test('what is removed while another is taken back can be taken back too', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  offerUndo({ id: 'First deleted.' }, 30_000, () => promise)
  const pressed = undoRemoval()
  offerUndo({ id: 'Second deleted.' }, 30_000, () => Promise.resolve())
  resolve(undefined)
  await pressed
  expect(useRemoval.getState().last?.message.id).toBe('Second deleted.')
})

test('what could not be taken back can be tried again', async () => {
  const undo = vi.fn(() => Promise.reject(new Error('gone')))
  offerUndo({ id: 'Deleted.' }, 30_000, undo)
  await undoRemoval()
  await undoRemoval()
  expect(undo).toHaveBeenCalledTimes(2)
})

import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Message } from '../../src/shared/conversation.ts'
import type { Status } from '../../src/shared/status.ts'

/** The change that waits for the test's answer. */
let answer: (answer: unknown) => void = () => undefined
const waits = () =>
  new Promise((resolve) => {
    answer = resolve
  })
const never = () => new Promise(() => undefined)

vi.mock('../../src/renderer/ui/api.ts', () => ({
  inDesktop: true,
  endInPassing: () => undefined,
  api: {
    conversations: {
      list: never,
      fork: waits,
      remove: waits,
      restore: waits,
      get: waits,
      rename: waits,
      pin: waits,
      configure: waits,
      move: waits,
    },
    folders: { list: never, create: waits, rename: waits, remove: waits },
    prompts: { save: waits },
    models: { list: never },
  },
}))
vi.mock('../../src/renderer/features/chat/prose-parser.ts', () => ({
  preloadMarkdown: () => Promise.resolve(),
}))
vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('location', { hash: '' })

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const chat = await import('../../src/renderer/features/chat/chat-store.ts')
const folders = await import('../../src/renderer/features/chat/folder-store.ts')
const { fork } = await import('../../src/renderer/features/chat/branches.ts')
const prompts = await import('../../src/renderer/features/chat/prompts/prompt-store.ts')
const { removeConversation, removeMessage, undoRemoval, useRemoval } =
  await import('../../src/renderer/features/chat/removal.ts')

/** The tests need only the parts by which services differ. */
const status = (profileId: string): Status =>
  ({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: false },
    vault: { state: 'open' },
  }) as Status

beforeEach(() => setStatus(status('one')))

describe('a change in progress', () => {
  const folder = { id: 'folder', name: 'Plans', collapsed: false }
  const message: Message = {
    id: 'q',
    conversationId: 'one',
    role: 'user',
    text: '',
    state: 'complete',
    createdAt: 0,
  }
  const whole = {
    conversation: { id: 'one', title: '', updatedAt: 1 },
    messages: [],
    removed: true,
    undoMs: 30_000,
  }

  test.each([
    [
      'a title',
      () => chat.renameConversation('one', 'Plans'),
      { id: 'one', updatedAt: 1 },
      () => chat.useChat.getState().conversations,
    ],
    [
      'a pin',
      () => chat.pinConversation('one', true),
      { id: 'one', updatedAt: 1 },
      () => chat.useChat.getState().conversations,
    ],
    [
      'parameters',
      () => chat.configureConversation('one', '', {}, undefined),
      { id: 'one', updatedAt: 1 },
      () => chat.useChat.getState().conversations,
    ],
    [
      "a conversation's folder",
      () => folders.moveConversation('one', 'folder'),
      { id: 'one', updatedAt: 1 },
      () => chat.useChat.getState().conversations,
    ],
    ['a folder', () => folders.createFolder('Plans'), folder, () => folders.useFolders.getState().folders],
    [
      "a folder's name",
      () => folders.renameFolder('folder', 'Plans'),
      folder,
      () => folders.useFolders.getState().folders,
    ],
    ['a fork', () => fork('one'), whole, () => chat.useChat.getState().conversations],
    [
      'what is left of a conversation',
      () => removeMessage(message),
      whole,
      () => chat.useChat.getState().conversations,
    ],
    [
      'a prompt',
      () => prompts.savePrompt({ name: 'Plan', text: 'Plan.' }),
      { id: 'prompt', name: 'Plan', text: 'Plan.' },
      () => prompts.usePrompts.getState().prompts,
    ],
  ])('is shown only at its own service: %s', async (_, change, answered, shown) => {
    const changing = change()
    setStatus(status('two'))
    answer(answered)
    await changing
    expect(shown()).toBeUndefined()
  })

  test('a conversation that was deleted at the previous service can’t be restored at this one', async () => {
    const removal = removeConversation('one', 'Plans')
    setStatus(status('two'))
    answer(whole)
    await removal
    expect(useRemoval.getState().last).toBeUndefined()
  })

  test.each([
    [
      'conversation',
      () => removeConversation('one', 'Plans'),
      whole,
      () => chat.useChat.getState().conversations,
    ],
    ['folder', () => folders.removeFolder(folder), folder, () => folders.useFolders.getState().folders],
  ])('a restored %s is shown only at its own service', async (_, remove, answered, shown) => {
    const removal = remove()
    answer(answered)
    await removal
    const undone = undoRemoval()
    setStatus(status('two'))
    answer(answered)
    await undone
    expect(shown()).toBeUndefined()
  })

  test('that fails is reported only at its own service', async () => {
    const removal = removeConversation('one', 'Plans')
    setStatus(status('two'))
    answer(Promise.reject(new Error('gone')))
    await removal
    expect(chat.useChat.getState().unsent).toEqual({})
  })

  test('a folder that was deleted at the previous service can’t be restored at this one', async () => {
    const removal = folders.removeFolder(folder)
    setStatus(status('two'))
    answer(undefined)
    await removal
    expect(useRemoval.getState().last).toBeUndefined()
  })

  test('is shown if the service stays the same', async () => {
    const change = folders.createFolder('Plans')
    answer(folder)
    await change
    expect(folders.useFolders.getState().folders).toEqual([folder])
  })
})

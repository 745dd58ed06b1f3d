import { beforeEach, expect, test, vi } from 'vitest'
import type { Message } from '../../src/shared/conversation.ts'
import { draw, elements } from './drawn-hook.ts'

vi.mock('react', async () => (await import('./drawn-hook.ts')).hooks)
vi.mock('zustand', async () => {
  const { createStore } = await import('zustand/vanilla')
  return {
    createStore,
    create: () => (first: () => unknown) => {
      const store = createStore(first)
      return Object.assign(
        (chosen: (state: unknown) => unknown = (state) => state) => chosen(store.getState()),
        store,
      )
    },
  }
})
vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: { models: { favourites: () => new Promise(() => undefined) } },
  endInPassing: () => undefined,
}))
vi.mock('../../src/renderer/features/chat/prose-parser.ts', () => ({
  wantProseParser: () => Promise.resolve(),
}))
vi.mock('../../src/renderer/ui/lazy-part.tsx', () => ({ lazyPart: () => () => null }))
vi.mock('../../src/renderer/ui/button.tsx', () => ({ Button: () => null }))
vi.mock('../../src/renderer/ui/failure-note.tsx', () => ({ FailureNote: () => null }))
vi.mock('../../src/renderer/ui/privacy-mark.tsx', () => ({ privacyWord: {} }))
vi.mock('../../src/renderer/ui/switch.tsx', () => ({ Switch: () => null }))
vi.mock('../../src/renderer/features/chat/model-section.tsx', () => ({ Section: () => null }))
vi.mock('../../src/renderer/features/chat/composer.tsx', () => ({ Composer: () => null }))
vi.mock('../../src/renderer/features/chat/chat-parts.tsx', () => ({ ChatParts: () => null }))
vi.mock('../../src/renderer/features/chat/conversation-dialogs.tsx', () => ({ OpenDialog: () => null }))
vi.mock('../../src/renderer/features/chat/damaged-note.tsx', () => ({ DamagedNote: () => null }))
vi.mock('../../src/renderer/features/chat/thread.tsx', () => ({ Thread: () => null }))
vi.mock('../../src/renderer/features/chat/undo-bar.tsx', () => ({ UndoBar: () => null }))
vi.mock('../../src/renderer/features/chat/attachments/drafts.ts', () => ({ keepDrafts: () => undefined }))
vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('requestAnimationFrame', () => 0)
vi.stubGlobal('location', { hash: '' })

const { addLive, useChat } = await import('../../src/renderer/features/chat/chat-store.ts')
const { LiveAnswer } = await import('../../src/renderer/features/chat/live-answer.ts')
const { ModelPanel } = await import('../../src/renderer/features/chat/model-panel.tsx')
const { QuestionEditor } = await import('../../src/renderer/features/chat/question-editor.tsx')
const { ChatRoom } = await import('../../src/renderer/features/chat/chat-room.tsx')

/** What is pressed in what was drawn. */
function press(drawn: unknown, key: string, isComposing: boolean): void {
  for (const each of elements(drawn)) {
    const pressed = each['onKeyDown']
    if (typeof pressed === 'function')
      Reflect.apply(pressed, undefined, [
        { key, nativeEvent: { isComposing }, preventDefault: () => undefined },
      ])
  }
}

const message: Message = {
  id: 'q',
  conversationId: 'c',
  role: 'user',
  text: 'なぜ',
  state: 'complete',
  createdAt: 0,
}

beforeEach(() => useChat.setState(useChat.getInitialState(), true))

test('Enter that ends what is being composed picks no model, and the next one does', () => {
  useChat.setState({ models: [{ id: 'open/a', name: '甲', private: false }] })
  const picked = vi.fn()
  const panel = draw(() =>
    ModelPanel({
      draft: '',
      model: undefined,
      conversation: undefined,
      onPick: picked,
      onDone: () => undefined,
    }),
  )
  press(panel.shown(), 'Enter', true)
  expect(picked).not.toHaveBeenCalled()
  press(panel.shown(), 'Enter', false)
  expect(picked).toHaveBeenCalledWith('open/a')
})

test('Escape that ends what is being composed leaves an edited question as it is, and the next one puts it away', () => {
  const closed = vi.fn()
  const editor = draw(() => QuestionEditor({ message, text: 'どう', onClose: closed }))
  press(editor.shown(), 'Escape', true)
  expect(closed).not.toHaveBeenCalled()
  press(editor.shown(), 'Escape', false)
  expect(closed).toHaveBeenCalledOnce()
})

test('Escape that ends what is being composed stops no answer, and the next one does', () => {
  const stopped = vi.fn()
  addLive('c', { answerId: 'a', answer: new LiveAnswer(0), stop: stopped })
  const room = draw(() => ChatRoom({ conversationId: 'c' }))
  press(room.shown(), 'Escape', true)
  expect(stopped).not.toHaveBeenCalled()
  press(room.shown(), 'Escape', false)
  expect(stopped).toHaveBeenCalledOnce()
})

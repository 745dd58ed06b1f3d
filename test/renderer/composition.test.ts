// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { createElement } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Message } from '../../src/shared/conversation.ts'
import { drawInPage } from './in-page.ts'

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: { models: { favourites: () => new Promise(() => undefined) } },
  endInPassing: () => undefined,
}))
vi.mock('../../src/renderer/features/chat/prose-parser.ts', () => ({
  preloadMarkdown: () => Promise.resolve(),
}))
vi.mock('../../src/renderer/ui/lazy-component.tsx', () => ({ lazyComponent: () => () => null }))
vi.mock('../../src/renderer/ui/failure-note.tsx', () => ({ FailureNote: () => null }))
vi.mock('../../src/renderer/ui/privacy-mark.tsx', () => ({ privacyWord: {} }))
vi.mock('../../src/renderer/ui/switch.tsx', () => ({ Switch: () => null }))
vi.mock('../../src/renderer/features/chat/model-section.tsx', () => ({ Section: () => null }))
vi.mock('../../src/renderer/features/chat/composer.tsx', () => ({ Composer: () => null }))
vi.mock('../../src/renderer/features/chat/chat-parts.tsx', () => ({ ChatParts: () => null }))
vi.mock('../../src/renderer/features/chat/conversation-dialogs.tsx', () => ({ OpenDialog: () => null }))
vi.mock('../../src/renderer/features/chat/thread.tsx', () => ({ Thread: () => null }))
vi.mock('../../src/renderer/features/chat/attachments/drafts.ts', () => ({ keepDrafts: () => undefined }))

const { addLive, useChat } = await import('../../src/renderer/features/chat/chat-store.ts')
const { LiveAnswer } = await import('../../src/renderer/features/chat/live-answer.ts')
const { ModelPanel } = await import('../../src/renderer/features/chat/model-panel.tsx')
const { QuestionEditor } = await import('../../src/renderer/features/chat/question-editor.tsx')
const { ChatView } = await import('../../src/renderer/features/chat/chat-view.tsx')

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
  drawInPage(
    createElement(ModelPanel, {
      draft: '',
      model: undefined,
      conversation: undefined,
      onPick: picked,
      onDone: () => undefined,
    }),
  )
  const field = screen.getByRole('combobox')
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
  expect(picked).not.toHaveBeenCalled()
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(picked).toHaveBeenCalledWith('open/a')
})

test('Escape that ends what is being composed leaves an edited question as it is, and the next one puts it away', () => {
  const closed = vi.fn()
  drawInPage(createElement(QuestionEditor, { message, text: 'どう', onClose: closed }))
  const field = screen.getByRole('textbox')
  fireEvent.keyDown(field, { key: 'Escape', isComposing: true })
  expect(closed).not.toHaveBeenCalled()
  fireEvent.keyDown(field, { key: 'Escape' })
  expect(closed).toHaveBeenCalledOnce()
})

test('Escape that ends what is being composed stops no answer, and the next one does', () => {
  const stopped = vi.fn()
  addLive('c', { answerId: 'a', answer: new LiveAnswer(0), stop: stopped })
  drawInPage(createElement(ChatView, { conversationId: 'c' }))
  const heading = screen.getByRole('heading')
  fireEvent.keyDown(heading, { key: 'Escape', isComposing: true })
  expect(stopped).not.toHaveBeenCalled()
  fireEvent.keyDown(heading, { key: 'Escape' })
  expect(stopped).toHaveBeenCalledOnce()
})

test.each([
  ['while composing', { key: 'Enter', isComposing: true }],
  // Safari ends the composition before this key.
  ['after the composition ended', { key: 'Enter', isComposing: false, keyCode: 229 }],
])('Enter of an input method %s picks no model', (_, press) => {
  useChat.setState({ models: [{ id: 'open/a', name: '甲', private: false }] })
  const picked = vi.fn()
  drawInPage(
    createElement(ModelPanel, {
      draft: '',
      model: undefined,
      conversation: undefined,
      onPick: picked,
      onDone: () => undefined,
    }),
  )
  fireEvent.keyDown(screen.getByRole('combobox'), press)
  expect(picked).not.toHaveBeenCalled()
})

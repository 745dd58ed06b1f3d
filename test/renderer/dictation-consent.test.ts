import { beforeEach, expect, test, vi } from 'vitest'
import { draw, elements } from './drawn-hook.ts'

vi.mock('react', async () => (await import('./drawn-hook.ts')).hooks)
vi.mock('zustand', async () => {
  const { createStore } = await import('zustand/vanilla')
  return {
    createStore,
    create: () => (first: () => unknown) => {
      const store = createStore(first)
      return Object.assign((chosen: (state: unknown) => unknown = (state) => state) => chosen(store.getState()), store)
    },
  }
})
vi.mock('../../src/renderer/ui/api.ts', () => ({ api: {}, endInPassing: () => undefined }))
vi.mock('../../src/renderer/features/chat/prose-parser.ts', () => ({ wantProseParser: () => Promise.resolve() }))
vi.mock('../../src/renderer/ui/button.tsx', () => ({ IconButton: 'button' }))
vi.mock('../../src/renderer/ui/lazy-part.tsx', () => ({ lazyPart: () => 'section' }))
vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('location', { hash: '' })

const { compareModels, NEW, useChat } = await import('../../src/renderer/features/chat/chat-store.ts')
const { ComposerDictation, MicTool } = await import('../../src/renderer/features/chat/voice/mic-tool.tsx')

const composer = { model: 'open/a' }
const dictated = () => [...elements(draw(() => ComposerDictation({ draft: NEW, conversation: undefined, model: composer.model, focusText: () => undefined })).shown())][0]

beforeEach(() => {
  useChat.setState(useChat.getInitialState(), true)
  composer.model = 'open/a'
  for (const { onClick } of elements(draw(() => MicTool({ draft: NEW })).shown())) if (typeof onClick === 'function') Reflect.apply(onClick, undefined, [])
})

test('what is said for a model that the service reads is not asked about', () => {
  expect(dictated()).toMatchObject({ chatModel: 'open/a', keptPrivate: false })
})

test('what is said is asked about once a private model was picked for it', () => {
  composer.model = 'private/z'
  expect(dictated()).toMatchObject({ chatModel: 'private/z', keptPrivate: true })
})

test('what is said is asked about where one of several models that are to answer is private', () => {
  compareModels(NEW, ['open/b', 'private/z'])
  expect(dictated()).toMatchObject({ chatModel: 'private/z', keptPrivate: true })
})

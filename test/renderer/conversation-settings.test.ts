import { expect, test, vi } from 'vitest'
import { draw, elements } from './drawn-hook.ts'

/** The parameters that were kept last. */
let kept: unknown

vi.mock('react', async () => (await import('./drawn-hook.ts')).hooks)
vi.mock('zustand', async () => {
  const { createStore } = await import('zustand/vanilla')
  return {
    create: () => (first: () => unknown) => {
      const store = createStore(first)
      return Object.assign((chosen: (state: unknown) => unknown = (state) => state) => chosen(store.getState()), store)
    },
  }
})
vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: { conversations: { configure: ({ parameters }: { parameters: unknown }) => { kept = parameters; return Promise.reject(new Error('gone')) } } },
  endInPassing: () => undefined,
}))
vi.mock('../../src/renderer/features/chat/prose-parser.ts', () => ({ wantProseParser: () => Promise.resolve() }))
for (const part of ['button', 'dialog', 'failure-note', 'field', 'select-field', 'text-area-field']) vi.doMock(`../../src/renderer/ui/${part}.tsx`, () => ({ Button: 'button', Dialog: 'dialog', DialogActions: 'footer', FailureNote: 'p', Field: 'input', SelectField: 'select', TextAreaField: 'textarea' }))
vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('location', { hash: '' })

const { SettingsDialog } = await import('../../src/renderer/features/chat/conversation-settings.tsx')

function call(drawn: unknown, name: string, given: unknown, label?: string): void {
  for (const each of elements(drawn)) {
    const handler = each[name]
    if (typeof handler === 'function' && (label === undefined || each['label'] === label)) Reflect.apply(handler, undefined, [given])
  }
}

test.each([['4096', 4096], ['4,096', undefined], ['4,000', undefined], ['4.000', undefined]])('of %j tokens an answer has at most %j', async (written, most) => {
  kept = undefined
  const dialog = draw(() => SettingsDialog({ conversation: { id: 'c', title: '', private: false, model: 'open/a', createdAt: 0, updatedAt: 0 }, close: () => undefined }))
  call(dialog.shown(), 'onChange', { target: { value: written } }, 'Most tokens of an answer')
  call(dialog.shown(), 'onSubmit', { preventDefault: () => undefined })
  await new Promise(setImmediate)
  expect(kept).toEqual(most === undefined ? undefined : { maxTokens: most })
})

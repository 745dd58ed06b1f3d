import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AnswerDraft } from '../../../../src/core/conversations/answer/answer-draft.ts'
import type { MessagePatch } from '../../../../src/core/storage/index.ts'
import type { Message } from '../../../../src/shared/conversation.ts'
import { SottoError } from '../../../../src/shared/errors.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

function written() {
  const saved: MessagePatch[] = []
  const disk = { full: false }
  const refuse = () => {
    throw new Error('not asked for')
  }
  const draft = new AnswerDraft(
    {
      of: refuse,
      readable: refuse,
      get: refuse,
      add: refuse,
      insert: refuse,
      update: (id, patch): Message => {
        if (disk.full) throw new SottoError('store/unwritable')
        saved.push(patch)
        return {
          id,
          conversationId: 'c',
          role: 'assistant',
          text: '',
          state: 'complete',
          createdAt: 0,
          ...patch,
        }
      },
    },
    'm',
  )
  return { saved, disk, draft, add: (text: string) => draft.append({ text, reasoning: '' }, {}) }
}

it('saves new text within a second, also if no more follows', () => {
  const { saved, add, draft } = written()
  draft.went('sealed')
  add('a')
  expect(saved).toEqual([{ text: 'a', privacy: 'sealed' }])
  vi.advanceTimersByTime(100)
  add('b')
  add('c')
  expect(saved).toHaveLength(1)
  vi.advanceTimersByTime(150)
  expect(saved.at(-1)?.text).toBe('abc')
  vi.advanceTimersByTime(10_000)
  expect(saved).toHaveLength(2)
})

it('writes the end of a reply when the disk accepts it again', () => {
  const { saved, disk, add, draft } = written()
  add('a')
  disk.full = true
  vi.advanceTimersByTime(100)
  add('b')
  // A timer can't report an error to anyone, so the end reports it.
  vi.advanceTimersByTime(1000)
  expect(() => draft.end('interrupted', { errorCode: 'store/unwritable' })).toThrow(
    expect.objectContaining({ code: 'store/unwritable' }),
  )
  vi.advanceTimersByTime(10_000)
  expect(saved).toHaveLength(1)
  disk.full = false
  vi.advanceTimersByTime(2000)
  expect(saved.at(-1)).toMatchObject({ text: 'ab', state: 'interrupted', errorCode: 'store/unwritable' })
  vi.advanceTimersByTime(10_000)
  expect(saved).toHaveLength(2)
})

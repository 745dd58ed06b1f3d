import { expect, test } from 'vitest'
import type { Message } from '../../src/shared/conversation.ts'
import { whoRead } from '../../src/renderer/features/chat/who-read.ts'

const message = (id: string, parentId: string | null, part: Partial<Message> = {}): Message => ({
  id,
  parentId,
  conversationId: 'c',
  role: 'user',
  text: id,
  state: 'complete',
  createdAt: 0,
  ...part,
})
const answer = (id: string, parentId: string, privacy: Message['privacy']): Message =>
  message(id, parentId, { role: 'assistant', ...(privacy && { privacy, receiptId: `r-${id}` }) })
const of = (messages: readonly Message[]) =>
  Object.fromEntries(messages.map(({ id }) => [id, whoRead(messages, id)?.privacy]))

test('a question takes its privacy from its reply, and a reply has its own', () => {
  expect(of([message('q', null), answer('a', 'q', 'sealed')])).toEqual({ q: 'sealed', a: undefined })
  expect(of([message('q', null), answer('a', 'q', 'refused')])).toEqual({ q: 'refused', a: undefined })
  expect(of([message('q', null), answer('a', 'q', undefined)])).toEqual({ q: undefined, a: undefined })
  // After a sealed answer, a refused second answer to the same question changes nothing.
  expect(of([message('q', null), answer('a', 'q', 'sealed'), answer('b', 'q', 'refused')]).q).toBe('sealed')
})

test('messages above a visible reply are visible, and messages on other branches aren’t', () => {
  const messages = [
    message('q1', null),
    answer('a1', 'q1', 'sealed'),
    message('q2', 'a1'),
    answer('a2', 'q2', 'sealed'),
    message('q3', 'a1'),
    answer('a3', 'q3', 'forwarded'),
    message('q4', 'a3'),
    answer('a4', 'q4', 'sealed'),
  ]
  expect(of(messages)).toEqual({
    q1: 'forwarded',
    a1: 'forwarded',
    q2: 'sealed',
    a2: undefined,
    q3: 'forwarded',
    a3: undefined,
    q4: 'sealed',
    a4: undefined,
  })
  // The receipt belongs to the visible answer.
  expect(whoRead(messages, 'a1')?.receiptId).toBe('r-a3')
  expect(whoRead(messages, 'q2')?.receiptId).toBe('r-a2')
})

test('a provider could read the messages above a relayed reply, and the service those above a visible one', () => {
  const messages = [
    message('q1', null),
    answer('a1', 'q1', 'sealed'),
    message('q2', 'a1'),
    answer('a2', 'q2', 'relayed'),
    message('q3', 'a2'),
    answer('a3', 'q3', 'sealed'),
  ]
  expect(of(messages)).toEqual({
    q1: 'relayed',
    a1: 'relayed',
    q2: 'relayed',
    a2: undefined,
    q3: 'sealed',
    a3: undefined,
  })
  expect(whoRead(messages, 'a1')?.receiptId).toBe('r-a2')
  const later = [...messages, message('q4', 'a2'), answer('a4', 'q4', 'forwarded')]
  expect(of(later)).toMatchObject({
    q1: 'forwarded',
    a1: 'forwarded',
    a2: 'forwarded',
    q3: 'sealed',
    q4: 'forwarded',
  })
  expect(whoRead(later, 'a2')?.receiptId).toBe('r-a4')
})

test('thousands of visible replies are processed', () => {
  const messages: Message[] = []
  for (let at = 0; at < 5000; at += 1)
    messages.push(
      message(`q${String(at)}`, at === 0 ? null : `a${String(at - 1)}`),
      answer(`a${String(at)}`, `q${String(at)}`, 'forwarded'),
    )
  expect(whoRead(messages, 'q0')).toEqual({ privacy: 'forwarded', receiptId: 'r-a0' })
  expect(whoRead(messages, 'a4998')).toEqual({ privacy: 'forwarded', receiptId: 'r-a4999' })
})

test('an image model reads only its prompt, and no other model reads that', () => {
  const image = { jobId: 'j' }
  expect(
    of([
      message('q1', null),
      answer('a1', 'q1', 'sealed'),
      message('p', 'a1', image),
      { ...answer('i', 'p', 'forwarded'), ...image },
      message('q2', 'i'),
      answer('a2', 'q2', 'relayed'),
    ]),
  ).toEqual({ q1: 'relayed', a1: 'relayed', p: 'forwarded', i: undefined, q2: 'relayed', a2: undefined })
})

import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Conversation, Message } from '../../src/shared/conversation.ts'
import type { Status } from '../../src/shared/status.ts'

/** Calls that wait for the test's answer, in the order of the calls. */
const waiting: {
  readonly name: string
  readonly answer: (answer: unknown) => void
  readonly refuse: (reason: unknown) => void
}[] = []
const waits = (name: string) => () => new Promise((answer, refuse) => waiting.push({ name, answer, refuse }))

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: {
    app: { status: waits('status') },
    privacy: { current: waits('current'), verify: waits('verify') },
    conversations: { list: waits('list'), get: waits('get') },
    models: { list: waits('models') },
  },
  endInPassing: () => undefined,
}))
vi.mock('../../src/renderer/features/chat/prose-parser.ts', () => ({
  preloadMarkdown: () => Promise.resolve(),
}))
vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('location', { hash: '' })

const { refreshStatus, setStatus, useStatus } = await import('../../src/renderer/ui/status-store.ts')
const { readVerdict, refreshVerdict, verifyNow } = await import('../../src/renderer/ui/verdict-store.ts')
const chat = await import('../../src/renderer/features/chat/chat-store.ts')

/** The tests need only the parts by which services differ. */
const status = (profileId: string): Status =>
  ({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: false },
    vault: { state: 'open' },
  }) as Status
const conversation = (id: string, more: Partial<Conversation> = {}): Conversation => ({
  id,
  title: '',
  private: true,
  model: 'private/z',
  createdAt: 0,
  updatedAt: 0,
  ...more,
})
const message = (id: string): Message => ({ id }) as Message

/** Answers one of the waiting calls, and waits until the answer arrives. */
async function answerAt(at: number, content: unknown): Promise<void> {
  waiting.splice(at, 1)[0]?.answer(content)
  await new Promise(setImmediate)
}
/** Answers the oldest call of that name. */
const answer = (name: string, content: unknown) =>
  answerAt(
    waiting.findIndex((call) => call.name === name),
    content,
  )
/** Answers the newest call of that name. */
const answerLast = (name: string, content: unknown) =>
  answerAt(
    waiting.findLastIndex((call) => call.name === name),
    content,
  )

beforeEach(() => {
  setStatus(status('before'))
  setStatus(status('one'))
  waiting.length = 0
  chat.useChat.setState(chat.useChat.getInitialState(), true)
})

describe('the status', () => {
  const shown = () => useStatus.getState().status?.service.profileId

  test('ignores a response that was requested before it changed', async () => {
    const asked = refreshStatus()
    setStatus(status('two'))
    await answer('status', status('one'))
    await asked
    expect(shown()).toBe('two')
  })

  test('is the response to the later of two requests, in any order of arrival', async () => {
    void refreshStatus()
    void refreshStatus()
    await answerLast('status', status('two'))
    await answer('status', status('one'))
    expect(shown()).toBe('two')
  })

  test('accepts a response that is slower than the next request', async () => {
    void refreshStatus()
    void refreshStatus()
    await answer('status', status('two'))
    expect(shown()).toBe('two')
  })

  test('doesn’t fail because of a request that a later one has answered', async () => {
    void refreshStatus()
    void refreshStatus()
    await answerLast('status', status('one'))
    waiting.shift()?.refuse(new Error('gone'))
    await new Promise(setImmediate)
    expect(useStatus.getState().failure).toBeUndefined()
  })
})

describe('the verdict', () => {
  test('isn’t replaced by an older one during a new verification', async () => {
    void refreshVerdict()
    void verifyNow()
    await answer('verify', { outcome: 'refused' })
    await answer('current', { outcome: 'verified' })
    expect(readVerdict()).toMatchObject({ verdict: { outcome: 'refused' }, verifying: false })
  })

  test('is never of the previous service', async () => {
    void refreshVerdict()
    void verifyNow()
    setStatus(status('two'))
    expect(readVerdict()).toMatchObject({ verdict: undefined, verifying: false })
    void refreshVerdict()
    await answerLast('current', null)
    await answer('current', { outcome: 'verified' })
    await answer('verify', { outcome: 'verified' })
    expect(readVerdict()).toMatchObject({ verdict: null, verifying: false })
  })

  test('can be requested from the next service while the previous one is being verified', async () => {
    void verifyNow()
    setStatus(status('two'))
    void verifyNow()
    await answer('verify', { outcome: 'verified' })
    expect(readVerdict()).toMatchObject({ verdict: undefined, verifying: true })
    await answer('verify', { outcome: 'refused' })
    expect(readVerdict()).toMatchObject({ verdict: { outcome: 'refused' }, verifying: false })
  })
})

describe('conversations', () => {
  const listed = () => chat.useChat.getState().conversations?.map(({ id, title }) => [id, title])
  const thread = (id: string) => chat.useChat.getState().threads[id]?.messages?.map((each) => each.id)

  test('that begin or change while the list is loading stay, and a deleted one stays deleted', async () => {
    void chat.loadConversations()
    chat.putConversation(conversation('new', { updatedAt: 3 }))
    chat.putConversation(conversation('a', { title: 'Renamed', updatedAt: 2 }))
    chat.dropConversation('b')
    await answer('list', [
      conversation('a', { title: 'Before', updatedAt: 2 }),
      conversation('b'),
      conversation('c', { updatedAt: 1 }),
    ])
    expect(listed()).toEqual([
      ['new', ''],
      ['a', 'Renamed'],
      ['c', ''],
    ])
    // The result of a later call applies.
    void chat.loadConversations()
    await answer('list', [conversation('c')])
    expect(listed()).toEqual([['c', '']])
  })

  test('of the previous service are discarded, with its models', async () => {
    void chat.loadConversations()
    void chat.loadModels()
    void chat.loadThread('a')
    setStatus(status('two'))
    await answerLast('list', [conversation('of two')])
    await answerLast('models', [{ id: 'of two' }])
    await answer('list', [conversation('a')])
    await answer('models', [{ id: 'of one' }])
    await answer('get', { conversation: conversation('a'), messages: [message('1')] })
    expect(listed()).toEqual([['of two', '']])
    expect(chat.useChat.getState().models?.map(({ id }) => id)).toEqual(['of two'])
    expect(thread('a')).toBeUndefined()
  })

  test('don’t lose messages that are added while they load', async () => {
    void chat.loadThread('a')
    chat.putMessages('a', message('2'))
    await answer('get', { conversation: conversation('a'), messages: [message('1')] })
    expect(thread('a')).toEqual(['2'])
    await answer('get', { conversation: conversation('a'), messages: [message('1'), message('2')] })
    expect(thread('a')).toEqual(['1', '2'])
  })

  test('that two callers load at once are loaded to the end', async () => {
    const both = Promise.all([chat.loadThread('a'), chat.loadThread('a')])
    for (let reads = 0; reads < 3; reads++)
      await answer('get', { conversation: conversation('a'), messages: [message('1')] })
    await both
    expect(thread('a')).toEqual(['1'])
  })
})

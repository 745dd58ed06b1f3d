import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Conversation, Message } from '../../src/shared/conversation.ts'
import type { ChatEvent } from '../../src/shared/contract/sotto-contract.ts'
import type { Status } from '../../src/shared/status.ts'

type Events = readonly ChatEvent[] | AsyncIterable<ChatEvent>

/** Sent messages, until the test begins their answers. */
const sends: {
  readonly begin: (events: Events) => void
  readonly refuse: (reason: unknown) => void
  readonly signal: AbortSignal
}[] = []

/** The core's results when the window follows an answer again; if empty, the stored end of the answer. */
const follows: (() => Promise<AsyncIterable<ChatEvent>>)[] = []
const followed = vi.fn()

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: {
    chat: {
      follow(place: unknown) {
        followed(place)
        return follows.shift()?.() ?? Promise.resolve(stream([ended('')]))
      },
      send: (_: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise((answer, refuse) =>
          sends.push({ begin: (events) => answer(stream(events)), refuse, signal }),
        ),
    },
    conversations: { list: () => Promise.resolve([]), get: () => Promise.reject(new Error('gone')) },
    models: { list: () => new Promise(() => undefined) },
    privacy: { current: () => Promise.resolve(null) },
  },
  endInPassing: () => undefined,
}))
vi.mock('../../src/renderer/features/chat/prose-parser.ts', () => ({
  preloadMarkdown: () => Promise.resolve(),
}))
vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('dispatchEvent', () => undefined)
vi.stubGlobal('location', { hash: '' })
vi.stubGlobal('history', { replaceState: () => undefined })
vi.stubGlobal('document', { hidden: true })
vi.stubGlobal('HashChangeEvent', Object)

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { NEW, pickModel, setDraft, useChat } = await import('../../src/renderer/features/chat/chat-store.ts')
const { putAttachments, useAttached } =
  await import('../../src/renderer/features/chat/attachments/attached-store.ts')
const { send, sendOnceKnown } = await import('../../src/renderer/features/chat/send.ts')

async function* stream(events: Events): AsyncGenerator<ChatEvent> {
  yield* events
}

async function* thatWaits(events: readonly ChatEvent[], until: Promise<void>): AsyncGenerator<ChatEvent> {
  yield* events
  await until
}

/** The tests need only the parts by which services differ. */
const status = (profileId: string): Status =>
  ({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: false },
    vault: { state: 'open' },
  }) as Status
const conversation = (id: string): Conversation => ({
  id,
  title: '',
  private: true,
  model: 'private/z',
  createdAt: 0,
  updatedAt: 0,
})
const started: Extract<ChatEvent, { type: 'started' }> = {
  type: 'started',
  conversation: conversation('c'),
  userMessage: { id: 'q', conversationId: 'c' } as Message,
  answer: { id: 'a', conversationId: 'c' } as Message,
}
const ended = (text: string): ChatEvent => ({
  type: 'ended',
  answer: { ...started.answer, text, state: 'complete' },
})
const attached = (id: string) => ({ id, name: id, kind: 'text', type: 'text/plain', bytes: 1 }) as const
const settled = () => new Promise(setImmediate)
const listed = () => useChat.getState().conversations?.map(({ id }) => id) ?? []

beforeEach(() => {
  setStatus(status('one'))
  sends.length = 0
  follows.length = 0
  followed.mockClear()
  useChat.setState(useChat.getInitialState(), true)
  useAttached.setState(useAttached.getInitialState(), true)
})

describe('while a message is being sent', () => {
  const sent = async (draft: string | undefined, written: string) => {
    const key = draft ?? NEW
    setDraft(key, 'why?')
    putAttachments(key, [attached('first')])
    if (draft !== undefined)
      useChat.setState({
        conversations: [conversation(draft)],
        threads: { [draft]: { messages: [], failure: undefined } },
      })
    const sending = send({
      conversationId: draft,
      model: 'private/z',
      text: 'why?',
      attachmentIds: ['first'],
    })
    await settled()
    setDraft(key, written)
    putAttachments(key, [attached('second')])
    sends[0]?.begin([started])
    await sending
  }

  test.each([
    ['goes on', 'why? And how?', 'And how?'],
    ['is another text', 'Custom', 'Custom'],
    ['does not change', 'why?', ''],
  ])('the draft of the next message stays if it %s', async (_, written, left) => {
    await sent('c', written)
    expect(useChat.getState().drafts['c']).toBe(left)
    expect(useAttached.getState().files['c']?.map(({ name }) => name)).toEqual(['second'])
  })

  test('the draft of the next message moves to the new conversation', async () => {
    await sent(undefined, 'why? And how?')
    expect(useChat.getState().drafts).toMatchObject({ [NEW]: '', c: 'And how?' })
    expect(useAttached.getState().files[NEW]).toBeUndefined()
    expect(useAttached.getState().files['c']?.map(({ name }) => name)).toEqual(['second'])
  })
})

test.each([
  ['of a conversation', 'c'],
  ['of one that begins', undefined],
])('a model that is chosen for the next message %s stays chosen', async (_, conversationId) => {
  useChat.setState({
    conversations: [{ ...conversation('c'), private: false, model: 'open/a' }],
    threads: { c: { messages: [], failure: undefined } },
  })
  pickModel(conversationId ?? NEW, 'open/a')
  const sending = send({ conversationId, model: 'open/a', text: 'why?' })
  await settled()
  pickModel(conversationId ?? NEW, 'private/z')
  sends[0]?.begin([{ ...started, conversation: { ...conversation('c'), private: false, model: 'open/a' } }])
  await sending
  expect(useChat.getState().picked['c']).toBe('private/z')
})

test('a new conversation is sent only once, even if another reply ends in between', async () => {
  let end: () => void = () => undefined
  const first = send({ conversationId: undefined, model: 'private/z', text: 'one' })
  await settled()
  sends[0]?.begin(
    thatWaits(
      [started],
      new Promise<void>((resolve) => {
        end = resolve
      }),
    ),
  )
  await settled()
  void send({ conversationId: undefined, model: 'private/z', text: 'two' })
  await settled()
  end()
  await first
  void send({ conversationId: undefined, model: 'private/z', text: 'two' })
  await settled()
  expect(sends).toHaveLength(2)
})

describe('when the stream of a reply breaks', () => {
  async function* broken(...events: ChatEvent[]): AsyncGenerator<ChatEvent> {
    yield* events
    await settled()
    throw new TypeError('network error')
  }
  const answer = () => useChat.getState().threads['c']?.messages?.find(({ id }) => id === 'a')
  const sendAndBreak = async () => {
    const sending = send({ conversationId: undefined, model: 'private/z', text: 'why?' })
    await settled()
    sends[0]?.begin(broken(started, { type: 'delta', text: 'One' }))
    return sending
  }

  test('it’s read again from its beginning, without losses or duplicates', async () => {
    follows.push(() =>
      Promise.resolve(stream([started, { type: 'delta', text: 'One two' }, ended('One two')])),
    )
    await sendAndBreak()
    expect(followed.mock.calls).toEqual([[{ conversationId: 'c', answerId: 'a' }]])
    expect(answer()).toMatchObject({ text: 'One two', state: 'complete' })
    expect(useChat.getState().live).toEqual({})
    expect(sends).toHaveLength(1)
  })

  test('a reply that ended in between is as the core has saved it', async () => {
    follows.push(() => Promise.resolve(stream([ended('All of it')])))
    await sendAndBreak()
    expect(answer()).toMatchObject({ text: 'All of it', state: 'complete' })
    expect(useChat.getState().endings).toEqual({})
  })

  test('the received text stays if the core doesn’t respond again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      for (let tries = 0; tries < 5; tries++)
        follows.push(() => Promise.reject(new TypeError('network error')))
      const sending = sendAndBreak()
      await settled()
      await vi.runAllTimersAsync()
      await sending
    } finally {
      vi.useRealTimers()
    }
    expect(followed).toHaveBeenCalledTimes(5)
    expect(answer()).toMatchObject({ text: 'One', state: 'interrupted' })
    expect(Object.keys(useChat.getState().endings)).toEqual(['a'])
  })
})

describe('after the service was switched', () => {
  test('a message is sent to the next service once, even if one to the previous service ends late', async () => {
    const late = send({ conversationId: undefined, model: 'private/z', text: 'why?' })
    await settled()
    setStatus(status('two'))
    void send({ conversationId: undefined, model: 'private/z', text: 'why?' })
    await settled()
    sends[0]?.refuse(new Error('gone'))
    await late
    void send({ conversationId: undefined, model: 'private/z', text: 'why?' })
    await settled()
    expect(sends).toHaveLength(2)
  })

  test('a message that waits for its models isn’t sent to the next service', async () => {
    setDraft(NEW, 'why?')
    void sendOnceKnown(undefined, 'why?', [])
    setStatus(status('two'))
    useChat.setState({ models: [{ id: 'private/z', name: 'z', private: true }] })
    await settled()
    expect(sends).toEqual([])
    expect(useChat.getState().drafts[NEW]).toBe('why?')
  })

  test('a message that waits for the models of the next service is sent there once', async () => {
    setDraft(NEW, 'why?')
    void sendOnceKnown(undefined, 'why?', [])
    setStatus(status('two'))
    void sendOnceKnown(undefined, 'why?', [])
    useChat.setState({ models: [{ id: 'private/z', name: 'z', private: true }] })
    await settled()
    expect(sends).toHaveLength(1)
  })

  test('a message in progress is aborted, and begins nothing at the next service', async () => {
    const sending = send({ conversationId: undefined, model: 'private/z', text: 'why?' })
    await settled()
    setStatus(status('two'))
    expect(sends[0]?.signal.aborted).toBe(true)
    sends[0]?.begin([started])
    await sending
    expect(listed()).toEqual([])
    expect(useChat.getState().threads).toEqual({})
  })

  test('a failed message to the previous service isn’t reported at the next one', async () => {
    const sending = send({ conversationId: undefined, model: 'private/z', text: 'why?' })
    await settled()
    setStatus(status('two'))
    sends[0]?.refuse(new Error('the core was replaced'))
    await sending
    expect(useChat.getState().unsent).toEqual({})
  })
})

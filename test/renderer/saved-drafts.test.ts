import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Status } from '../../src/shared/status.ts'

interface StoredDraft {
  readonly conversationId: string
  readonly text: string
  readonly attachments: readonly { readonly id: string; readonly name: string }[]
}

/** Calls for drafts that wait for the test's answer, in the order of the calls. */
const waiting: {
  readonly answer: (drafts: readonly StoredDraft[]) => void
  readonly refuse: (reason: unknown) => void
}[] = []

/** Drafts that are being saved, until the test answers. */
const saves: {
  readonly conversationId?: string
  readonly text: string
  readonly replaces: string
  /** @param other the saved text, if it isn't what was sent */
  readonly done: (other?: string) => void
  readonly refuse: (reason: unknown) => void
}[] = []
/** The page's listeners for a hidden tab. */
const hidings: (() => void)[] = []
/** The page's listeners for a tab that gets the focus again. */
const focused: (() => void)[] = []

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: {
    conversations: { list: () => Promise.resolve([]) },
    models: { list: () => Promise.resolve([]) },
    drafts: {
      all: () => new Promise((answer, refuse) => waiting.push({ answer, refuse })),
      save: (draft: { readonly conversationId?: string; readonly text: string; readonly replaces: string }) =>
        new Promise((answer, refuse) =>
          saves.push({ ...draft, done: (other = draft.text) => answer({ text: other }), refuse }),
        ),
    },
  },
  endInPassing: () => undefined,
}))
vi.mock('../../src/renderer/features/chat/prose-parser.ts', () => ({
  preloadMarkdown: () => Promise.resolve(),
}))
vi.stubGlobal('addEventListener', (name: string, listener: () => void) => {
  if (name === 'focus') focused.push(listener)
})
vi.stubGlobal('document', {
  addEventListener: (_: string, listener: () => void) => hidings.push(listener),
  visibilityState: 'hidden',
})
vi.stubGlobal('location', { hash: '' })

const { NEW_DRAFT } = await import('../../src/shared/attachment-limits.ts')
const { setStatus, useStatus } = await import('../../src/renderer/ui/status-store.ts')
const { NEW, setDraft, useChat } = await import('../../src/renderer/features/chat/chat-store.ts')
const { attachmentsOf } = await import('../../src/renderer/features/chat/attachments/attached-store.ts')
const { keepDrafts, useDraftKeeping } = await import('../../src/renderer/features/chat/attachments/drafts.ts')

const settled = () => new Promise(setImmediate)

/** The tests need only the parts by which services differ. */
async function use(profileId: string): Promise<void> {
  setStatus({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: false },
    vault: { state: 'open' },
  } as Status)
  await settled()
}

async function stored(text: string, attachments: StoredDraft['attachments'] = []): Promise<void> {
  waiting.shift()?.answer([{ conversationId: NEW_DRAFT, text, attachments }])
  await settled()
}

const written = () => useChat.getState().drafts[NEW] ?? ''

keepDrafts()

let services = 0
beforeEach(async () => {
  await use(`before ${String(services++)}`)
  await use(`begun ${String(services++)}`)
  waiting.length = 0
  saves.length = 0
  useChat.setState({ drafts: {} })
  useDraftKeeping.setState({ failure: undefined })
})

test('a draft that loads after the user has changed the service is discarded', async () => {
  await use('one')
  await use('two')
  await stored('of the first', [{ id: 'a', name: 'a.txt' }])
  expect(written()).toBe('')
  expect(attachmentsOf(NEW)).toEqual([])
  await stored('of the second')
  expect(written()).toBe('of the second')
})

test('a late failure of the previous service isn’t shown for the next one', async () => {
  await use('one')
  await use('two')
  waiting.shift()?.refuse(new Error('gone'))
  await settled()
  expect(useDraftKeeping.getState().failure).toBeUndefined()
})

test('a failure with drafts is hidden after a change of service', async () => {
  await use('one')
  waiting.shift()?.refuse(new Error('full'))
  await settled()
  expect(useDraftKeeping.getState().failure).toBeDefined()
  await use('two')
  expect(useDraftKeeping.getState().failure).toBeUndefined()
})

test('a draft that couldn’t be saved is saved once Sotto answers again', async () => {
  await use('one')
  await stored('')
  setDraft(NEW, 'written while Sotto restarts')
  for (const hide of hidings) hide()
  await settled()
  saves.shift()?.refuse(new Error('gone'))
  await settled()
  expect(useDraftKeeping.getState().failure).toBeDefined()
  useStatus.setState({ failure: useDraftKeeping.getState().failure })
  expect(saves).toEqual([])
  await use('one')
  await expect.poll(() => saves.map(({ text }) => text)).toEqual(['written while Sotto restarts'])
  saves[0]?.done()
  await settled()
  expect(useDraftKeeping.getState().failure).toBeUndefined()
})

test('unsaved drafts of the previous service aren’t saved by the next one', async () => {
  await use('one')
  await stored('')
  setDraft('first', 'a')
  setDraft('second', 'b')
  for (const hide of hidings) hide()
  await settled()
  expect(saves.map(({ conversationId }) => conversationId)).toContain('first')
  const begun = saves.length
  await use('two')
  for (const { refuse } of saves) refuse(new Error('gone'))
  await settled()
  expect(saves).toHaveLength(begun)
  expect(useDraftKeeping.getState().failure).toBeUndefined()
})

test('a draft doesn’t grow when the user switches between services', async () => {
  await use('one')
  await stored('')
  setDraft(NEW, 'hello')
  await use('two')
  await stored('yours')
  expect(written()).toBe('yours\nhello')
  await use('one')
  await stored('hello')
  expect(written()).toBe('yours\nhello')
})

describe('a draft that another tab changes too', () => {
  const hideAndSave = async () => {
    for (const hide of hidings) hide()
    await settled()
  }

  test('is saved with the text that it replaces, and the other tab’s text is shown before it', async () => {
    await use('one')
    await stored('common')
    setDraft(NEW, 'mine')
    await hideAndSave()
    const save = saves.find(({ conversationId }) => conversationId === undefined)
    expect(save).toMatchObject({ text: 'mine', replaces: 'common' })
    save?.done('other\nmine')
    await settled()
    expect(written()).toBe('other\nmine')
  })

  test('keeps text that the user types while it is saved', async () => {
    await use('one')
    await stored('')
    setDraft(NEW, 'mine')
    await hideAndSave()
    for (const text of ['mine and more', 'another text', '']) {
      setDraft(NEW, text)
      saves.findLast(({ conversationId }) => conversationId === undefined)?.done()
      await settled()
      expect(written()).toBe(text)
      await hideAndSave()
    }
  })

  test('is shown when the user returns to this tab', async () => {
    await use('one')
    await stored('common')
    for (const focus of focused) focus()
    await settled()
    await stored('of the other tab')
    expect(written()).toBe('of the other tab')
  })
})

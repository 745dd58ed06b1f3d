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
  readonly attachmentIds: readonly string[]
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
      save: (draft: Omit<(typeof saves)[number], 'done' | 'refuse'>) =>
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
const { attachmentsOf, putAttachments, removeFile, useAttached } =
  await import('../../src/renderer/features/chat/attachments/attached-store.ts')
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

describe('a file of a draft', () => {
  const a = { id: 'a', name: 'a.txt', kind: 'text', type: 'text/plain', bytes: 1 } as const
  const b = { ...a, id: 'b', name: 'b.txt' }
  const namesShown = () => attachmentsOf(NEW).map(({ name }) => name)
  const focus = async () => {
    for (const listener of focused) listener()
    await settled()
  }
  /** Answers the saves of the new draft until none is left. @returns the files of the last one */
  const saved = async () => {
    let last: readonly string[] | undefined
    await expect.poll(() => saves.length).toBeGreaterThan(0)
    for (let save = saves.shift(); save; save = saves.shift()) {
      if (save.conversationId === undefined) last = save.attachmentIds
      save.done()
      await new Promise((resolve) => setTimeout(resolve))
    }
    return last
  }
  const remove = (name: string) =>
    removeFile(NEW, useAttached.getState().files[NEW]?.find((file) => file.name === name)?.key ?? '')

  test('is shown once, however often the window gets the focus', async () => {
    await use('one')
    await stored('', [a])
    await saved()
    for (let times = 0; times < 3; times++) {
      await focus()
      await stored('', [a])
    }
    expect(namesShown()).toEqual(['a.txt'])
  })

  test('is shown once if this tab attached it', async () => {
    await use('one')
    await stored('')
    putAttachments(NEW, [a])
    expect(await saved()).toEqual(['a'])
    await focus()
    await stored('', [a])
    expect(namesShown()).toEqual(['a.txt'])
  })

  test('is shown once if the answer to its save was lost', async () => {
    await use('one')
    await stored('')
    putAttachments(NEW, [a])
    await expect.poll(() => saves.length).toBeGreaterThan(0)
    for (const { refuse } of saves.splice(0)) refuse(new Error('gone'))
    await focus()
    await stored('', [a])
    expect(namesShown()).toEqual(['a.txt'])
  })

  test('stays removed when it is removed before the drafts load again', async () => {
    await use('one')
    await stored('', [a, b])
    await saved()
    await focus()
    remove('a.txt')
    // Wait until a save could begin, which an answer that is older must not undo.
    await new Promise((resolve) => setTimeout(resolve, 10))
    for (const { done } of saves.splice(0)) done()
    await settled()
    await stored('', [a, b])
    expect(namesShown()).toEqual(['b.txt'])
    expect(await saved()).toEqual(['b'])
  })

  test('is shown when another tab attached it', async () => {
    await use('one')
    await stored('', [a])
    await saved()
    await focus()
    await stored('', [a, b])
    expect(namesShown()).toEqual(['b.txt', 'a.txt'])
  })

  test('is saved when a tab is hidden before its drafts have loaded', async () => {
    await use('one')
    setDraft(NEW, 'mine')
    for (const hide of hidings) hide()
    await settled()
    await stored('', [a])
    expect(await saved()).toEqual(['a'])
  })

  test('of a new draft doesn’t join one that is temporary', async () => {
    await use('one')
    await stored('')
    useChat.setState({ beginning: { temporary: true } })
    await focus()
    await stored('of the other tab', [a])
    expect([written(), namesShown()]).toEqual(['', []])
  })
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

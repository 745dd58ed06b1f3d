import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Status } from '../../src/shared/status.ts'

/** Calls that wait for the test's answer, in the order of the calls. */
const waiting: { readonly answer: (answer: unknown) => void; readonly refuse: (reason: unknown) => void }[] =
  []
const waits = () => new Promise((answer, refuse) => waiting.push({ answer, refuse }))

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: {
    models: { favourites: waits, setFavourite: waits, list: () => Promise.resolve([]) },
    receipts: { get: waits },
  },
}))

// Enough of a page for its address.
vi.stubGlobal('location', { hash: '#/chat' })
vi.stubGlobal('history', {
  replaceState: (_state: unknown, _title: string, address: string) => void (location.hash = address),
})
vi.stubGlobal('HashChangeEvent', Event)
vi.stubGlobal('dispatchEvent', () => true)

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const favourites = await import('../../src/renderer/features/chat/favourites.ts')
const receipts = await import('../../src/renderer/ui/receipt-store.ts')

/** The tests need only the parts by which services differ. */
const status = (profileId: string): Status =>
  ({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: false },
    vault: { state: 'open' },
  }) as Status
const settled = () => new Promise(setImmediate)

beforeEach(() => {
  setStatus(status('one'))
  waiting.length = 0
})

describe.each([
  [
    'favourite models',
    favourites.loadFavourites,
    () => favourites.useFavourites.getState().ids,
    () => favourites.useFavourites.getState().failure,
    'prices',
  ],
])('%s', (_, load, shown, failure, answer) => {
  test('never show those of the previous service', async () => {
    void load()
    setStatus(status('two'))
    waiting[0]?.answer(answer)
    await settled()
    expect(shown()).toBeUndefined()
    void load()
    waiting[1]?.answer(answer)
    await settled()
    expect(shown()).toBe('prices')
  })

  test('show no error of the previous service', async () => {
    void load()
    setStatus(status('two'))
    waiting[0]?.refuse(new Error('gone'))
    await settled()
    expect(failure()).toBeUndefined()
  })
})

describe('a favorite', () => {
  const ids = () => favourites.useFavourites.getState().ids

  test('set while another is being saved stays set, whichever response comes first or fails', async () => {
    void favourites.setFavourite('a', true)
    void favourites.setFavourite('b', true)
    waiting[1]?.answer(['b', 'a'])
    await settled()
    waiting[0]?.answer(['a'])
    await settled()
    expect(ids()).toEqual(['b', 'a'])
    void favourites.setFavourite('c', true)
    void favourites.setFavourite('d', true)
    waiting[2]?.refuse(new Error('disk full'))
    await settled()
    expect(ids()).toContain('d')
  })

  test('of the previous service is not a favorite of the next one', async () => {
    void favourites.setFavourite('a', true)
    setStatus(status('two'))
    waiting[0]?.answer(['a'])
    await settled()
    expect(ids()).toBeUndefined()
  })
})

describe('receipts', () => {
  const readReceiptIds = () => Object.keys(receipts.readReceipts().receipts)
  const receipt = (id: string) => ({ id }) as Parameters<typeof receipts.keepReceipts>[0][number]

  test('of the previous service are not cached for the next one', async () => {
    receipts.keepReceipts([receipt('a')])
    receipts.showReceipt('a')
    expect(location.hash).toBe('#/chat?receipt=a')
    void receipts.fetchReceipt('b')
    setStatus(status('two'))
    waiting[0]?.answer(receipt('b'))
    await settled()
    expect(readReceiptIds()).toEqual([])
    expect(location.hash).toBe('#/chat')
  })
})

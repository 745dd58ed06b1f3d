import { describe, expect, it } from 'vitest'
import { KeyActivity } from '../../../../src/core/gateway/local-keys/key-activity.ts'
import { listRequests } from '../../../../src/core/gateway/local-keys/key-requests.ts'
import { createStore } from '../../../../src/core/storage/index.ts'
import { receipt } from '../../storage/examples.ts'

describe('a search in the requests of a key', () => {
  it('reads a limited number of receipts per page, and returns where to continue', () => {
    const store = createStore({ folder: null, key: new Uint8Array(32), now: Date.now })
    const { id: keyId } = store.localKeys.add({ name: 'Editor', hash: 'aa'.repeat(32) })
    for (let at = 0; at < 1_200; at += 1)
      store.receipts.put(
        receipt(String(at), {
          at,
          privacy: at === 3 ? 'refused' : 'forwarded',
          caller: { kind: 'proxy', localKeyId: keyId },
        }),
      )
    const found: string[] = []
    let pages = 0
    let cursor: string | undefined
    do {
      const page = listRequests(store, { privacy: 'refused', cursor, limit: 50 })
      found.push(...page.requests.map(({ id }) => id))
      cursor = page.next ?? undefined
      pages += 1
    } while (cursor !== undefined)
    expect([found, pages]).toEqual([['3'], 3])
    store.close()
  })
})

describe('the pending changes of a watcher', () => {
  it('contain each key once and the last hundred requests', async () => {
    const activity = new KeyActivity()
    activity.changed('before anybody watched')
    const watcher = activity.watch()
    for (let at = 0; at < 250; at += 1) {
      activity.changed(at % 2 === 0 ? 'a' : 'b')
      activity.ended(receipt(String(at)))
    }
    await watcher.happened(60_000, new AbortController().signal)
    const { keyIds, receipts, more } = watcher.take()
    expect([...keyIds]).toEqual(['a', 'b'])
    expect([receipts.length, receipts[0]?.id, receipts.at(-1)?.id, more]).toEqual([100, '249', '150', true])
    expect(watcher.take()).toEqual({ keyIds: new Set(), receipts: [], more: false })
  })

  it('are awaited until a change, the timeout or an abort', async () => {
    const activity = new KeyActivity()
    const watcher = activity.watch()
    const stop = new AbortController()
    const woken = watcher.happened(60_000, stop.signal)
    activity.changed('a')
    await woken
    watcher.take()
    await watcher.happened(1, stop.signal)
    const stopped = watcher.happened(60_000, stop.signal)
    stop.abort()
    await stopped
    await watcher.happened(60_000, stop.signal)
    watcher.leave()
    activity.changed('b')
    expect(watcher.take().keyIds.size).toBe(0)
  })
})

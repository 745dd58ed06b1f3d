import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createStore, type Store } from '../../../src/core/storage/index.ts'
import { MAX_PROOF_BYTES } from '../../../src/shared/proof.ts'
import type { Verdict } from '../../../src/shared/verdict.ts'
import { KEY, proof, receipt, ticking, verdict } from './examples.ts'
import { payment, topup } from './payment-examples.ts'

let root = ''
let folder = ''
const opened: Store[] = []

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sotto-store-'))
  folder = join(root, 'data')
})
afterEach(() => {
  vi.useRealTimers()
  for (const store of opened.splice(0)) store.close()
  rmSync(root, { recursive: true, force: true })
})

function open(place: string | null, key = KEY): Store {
  const store = createStore({ folder: place, key, now: ticking() })
  opened.push(store)
  return store
}

describe.each(['in memory', 'in a file', 'moved into a file'])('a store %s', (where) => {
  let store: Store
  beforeEach(() => {
    store = open(where === 'in a file' ? folder : null)
    if (where === 'moved into a file') store.moveTo(folder, KEY)
  })

  test('lists conversations, the last used first', () => {
    const first = store.conversations.create({ title: 'First', private: true, model: 'private/x' })
    const second = store.conversations.create({ title: 'Second', private: false, model: 'y' })
    expect(first).toMatchObject({ title: 'First', private: true, model: 'private/x' })
    expect(first.updatedAt).toBe(first.createdAt)
    expect(store.conversations.list()).toEqual([second, first])

    const touched = store.conversations.touch(first.id)
    expect(touched.updatedAt).toBeGreaterThan(second.updatedAt)
    expect(store.conversations.rename(first.id, 'Renamed')).toEqual({ ...touched, title: 'Renamed' })
    expect(store.conversations.list()).toEqual([{ ...touched, title: 'Renamed' }, second])
    expect(store.conversations.get(second.id)).toEqual(second)
  })

  test('stores messages in order, and changes only the patched members', () => {
    const { id: conversationId } = store.conversations.create({ title: 'T', private: true, model: 'm' })
    const question = store.messages.add({ conversationId, role: 'user', text: 'Why?', state: 'complete' })
    const answer = store.messages.add({
      conversationId,
      role: 'assistant',
      text: '',
      state: 'streaming',
      model: 'm',
    })
    expect(store.messages.update(answer.id, { text: 'Beca' })).toEqual({ ...answer, text: 'Beca' })
    const ended = {
      text: 'Because.',
      reasoning: 'Hm.',
      state: 'complete',
      receiptId: 'r',
      privacy: 'sealed',
      errorCode: 'service/timeout',
    } as const
    expect(store.messages.update(answer.id, ended)).toEqual({ ...answer, ...ended })
    expect(store.messages.of(conversationId)).toEqual([question, { ...answer, ...ended }])
    expect(store.messages.of('another')).toEqual([])
  })

  test('removes a conversation with its messages', () => {
    const { id } = store.conversations.create({ title: 'T', private: true, model: 'm' })
    const message = store.messages.add({ conversationId: id, role: 'user', text: 'x', state: 'complete' })
    expect(store.conversations.remove(id)).toBe(true)
    expect(store.conversations.remove(id)).toBe(false)
    expect(store.conversations.get(id)).toBeNull()
    expect(store.messages.of(id)).toEqual([])
    const unknown: unknown = expect.objectContaining({ code: 'conversation/unknown' })
    expect(() => store.messages.update(message.id, { text: 'y' })).toThrow(unknown)
    expect(() =>
      store.messages.add({ conversationId: id, role: 'user', text: 'x', state: 'complete' }),
    ).toThrow(unknown)
    expect(() => store.conversations.rename(id, 'x')).toThrow(unknown)
    expect(() => store.conversations.touch(id)).toThrow(unknown)
  })

  test('lists receipts, newest first', () => {
    const early = receipt('early', { at: 1_000.5 })
    const late = receipt('late', { at: 2_000 })
    store.receipts.put(late)
    store.receipts.put(early)
    expect(store.receipts.list(10)).toEqual([late, early])
    expect(store.receipts.list(1)).toEqual([late])
    expect(store.receipts.get('early')).toEqual(early)
    expect(store.receipts.get('none')).toBeNull()
    store.receipts.put({ ...early, outcome: 'cancelled' })
    expect(store.receipts.list(10)).toEqual([late, { ...early, outcome: 'cancelled' }])
  })

  test('finds a local key by its hash', () => {
    const key = store.localKeys.add({ name: 'Editor', hash: 'aa'.repeat(32) })
    expect(store.localKeys.findByHash('aa'.repeat(32))).toEqual(key)
    expect(store.localKeys.findByHash('bb'.repeat(32))).toBeNull()
    expect(store.localKeys.list()).toEqual([key])
    expect(() => store.localKeys.add({ name: 'Again', hash: 'aa'.repeat(32) })).toThrow()
  })

  test('stores the limits of a local key', () => {
    const limits = { budget: { picoUsd: 5_000_000_000_000n, period: 'week' }, allowUnpriced: true } as const
    const key = store.localKeys.add({ name: 'Editor', hash: 'aa'.repeat(32) })
    const other = store.localKeys.add({ name: 'Script', hash: 'bb'.repeat(32), limits })
    expect([key.limits, other.limits]).toEqual([{}, limits])
    expect(store.localKeys.change(key.id, { limits })).toEqual({ ...key, limits })
    expect(store.localKeys.change(other.id, { limits: {} })).toEqual({ ...other, limits: {} })
    expect(store.localKeys.change('nobody', { limits })).toBeNull()
    expect([
      store.localKeys.findByHash('aa'.repeat(32)),
      store.localKeys.get(key.id),
      ...store.localKeys.list(),
    ]).toEqual([
      { ...key, limits },
      { ...key, limits },
      { ...key, limits },
      { ...other, limits: {} },
    ])
  })

  test('changes the hash and name of a local key, and stores its revocation', () => {
    const key = store.localKeys.add({ name: 'First key', hash: 'aa'.repeat(32), first: true })
    expect(store.localKeys.change(key.id, { hash: 'bb'.repeat(32), name: 'Mine' })).toEqual({
      ...key,
      hash: 'bb'.repeat(32),
      name: 'Mine',
    })
    expect(store.localKeys.findByHash('aa'.repeat(32))).toBeNull()
    const revoked = store.localKeys.change(key.id, { revokedAt: 5 })
    expect(revoked).toMatchObject({ first: true, revokedAt: 5 })
    expect([store.localKeys.findByHash('bb'.repeat(32)), store.localKeys.get(key.id)]).toEqual([
      revoked,
      revoked,
    ])
  })

  test('counts the use of each local key', () => {
    expect(store.keyUse.of('k')).toBeNull()
    store.keyUse.note('k', 20)
    store.keyUse.note('other', 1)
    store.keyUse.note('k', 10)
    expect(store.keyUse.of('k')).toEqual({ requests: 2, firstAt: 10, lastAt: 20 })
  })

  test('pages through the receipts of local keys, also if many have the same time', () => {
    for (let at = 0; at < 12; at += 1) {
      const caller =
        at % 3 === 0
          ? { kind: 'window' as const }
          : { kind: 'proxy' as const, localKeyId: at % 3 === 1 ? 'one' : 'two' }
      store.receipts.put(receipt(String(at), { at: Math.floor(at / 6), caller }))
    }
    const pages = (keyId?: string): string[][] => {
      const all: string[][] = []
      for (let after: { at: number; seq: number } | undefined; ;) {
        const page = store.receipts.listOfKeys({
          ...(keyId !== undefined && { keyId }),
          ...(after && { after }),
          limit: 3,
        })
        if (page.length === 0) return all
        all.push(page.map(({ receipt: { id } }) => id))
        after = page.at(-1)?.place
      }
    }
    expect(pages()).toEqual([
      ['11', '10', '8'],
      ['7', '5', '4'],
      ['2', '1'],
    ])
    expect(pages('one')).toEqual([['10', '7', '4'], ['1']])
    expect(pages('nobody')).toEqual([])
  })

  test('stores the charges of each day', () => {
    expect(store.spending.spent('k')).toEqual(new Map())
    store.spending.hold('k', 1, 10n)
    store.spending.hold('k', 2, 10n ** 20n)
    expect(store.spending.spent('k')).toEqual(new Map())
    store.spending.settle('k', 1, 0n, 7n)
    store.spending.settle('k', 2, 0n, 10n ** 20n)
    store.spending.settle('other', 1, 0n, 1n)
    expect(store.spending.spent('k')).toEqual(
      new Map([
        [1, 7n],
        [2, 10n ** 20n],
      ]),
    )
    expect(store.spending.spent('other')).toEqual(new Map([[1, 1n]]))
  })

  test('stores settings', () => {
    expect(store.settings.get('profile')).toBeNull()
    store.settings.set('profile', 'sandbox')
    store.settings.set('profile', '')
    expect(store.settings.get('profile')).toBe('')
  })

  test('stores top-up invoices, newest first', () => {
    const [early, late] = [
      topup('early', { createdAt: 1_000.5 }),
      topup('late', { createdAt: 2_000, problem: 'payment/no-amount', missingSince: 7 }),
    ]
    store.topups.put(late)
    store.topups.put(early)
    expect(store.topups.list()).toEqual([late, early])
    store.topups.put({ ...early, state: 'settled' })
    expect([store.topups.get('early'), store.topups.get('none')]).toEqual([
      { ...early, state: 'settled' },
      null,
    ])
    expect([store.topups.remove('early'), store.topups.remove('early')]).toEqual([true, false])
    expect(store.topups.list()).toEqual([late])
  })

  test('finds the newest release of good verdicts by log time', () => {
    const newest = () => store.verdicts.newestRelease('enclave.example')
    expect(newest()).toBeNull()
    store.verdicts.record(verdict('bad', 50, { good: false }))
    store.verdicts.record(verdict('unlogged', undefined))
    expect(newest()).toBeNull()
    store.verdicts.record(verdict('b', 20))
    store.verdicts.record(verdict('a', 10))
    store.verdicts.record(verdict('elsewhere', 90, { enclaveHost: 'other.example' }))
    expect(newest()).toEqual({ tag: 'v-b', digest: 'b', logTime: 20 })
  })

  test('drops the consent to an older release after a newer one was seen', () => {
    store.verdicts.record(verdict('b', 20))
    expect(store.verdicts.acceptedOlder('enclave.example', 'a')).toBe(false)
    store.verdicts.acceptOlder('enclave.example', 'a')
    expect(store.verdicts.acceptedOlder('enclave.example', 'a')).toBe(true)
    expect(store.verdicts.acceptedOlder('other.example', 'a')).toBe(false)
    store.verdicts.record(verdict('a', 10))
    expect(store.verdicts.acceptedOlder('enclave.example', 'a')).toBe(true)
    store.verdicts.record(verdict('c', 30))
    expect(store.verdicts.acceptedOlder('enclave.example', 'a')).toBe(false)
  })

  test('trusts only releases that a good verdict or the user accepted', () => {
    const trusted = () =>
      ['a', 'b', 'c', 'd', 'image'].filter((release) => store.verdicts.trusted('enclave.example', release))
    expect(trusted()).toEqual([])
    store.verdicts.record(verdict('a', 10, { good: false }))
    store.verdicts.record(verdict('b', 20, { enclaveHost: 'other.example' }))
    expect(trusted()).toEqual([])
    store.verdicts.record(verdict('a', 20))
    store.verdicts.record(verdict('b', undefined))
    store.verdicts.trust('enclave.example', 'c')
    store.verdicts.acceptOlder('enclave.example', 'd')
    const { release: _, ...withoutRelease } = verdict('x', 1)
    store.verdicts.record({ ...withoutRelease, measurement: 'image' })
    expect(trusted()).toEqual(['a', 'b', 'c', 'd', 'image'])
  })

  test('no longer trusts a release after 200 later ones', () => {
    for (let at = 0; at < 201; at++) store.verdicts.trust('enclave.example', `r${at}`)
    expect(['r0', 'r1', 'r200'].map((release) => store.verdicts.trusted('enclave.example', release))).toEqual(
      [false, true, true],
    )
  })

  test('logs each verified enclave once, with its first proof', () => {
    const log = () => store.verifiedEnclaves.of('enclave.example')
    const see = (digest: string, verifiedAt: number, change: Partial<Verdict> = {}) => {
      const seen = verdict(digest, 10, { verifiedAt, hpkePublicKey: 'k1', ...change })
      store.verifiedEnclaves.record(seen, proof(seen))
    }
    see('a', 1, { good: false })
    expect(log()).toEqual([])
    see('a', 1)
    see('a', 2, { evidenceDigest: 'ff', freshness: { kind: 'nonce-bound' } })
    expect(log()).toMatchObject([
      {
        release: { digest: 'a' },
        firstSeenAt: 1,
        sinceAt: 1,
        lastSeenAt: 2,
        evidenceDigest: '00',
        hasProof: true,
      },
    ])
    see('a', 3, { hpkePublicKey: 'k2' })
    see('a', 4, { enclaveHost: 'other.example' })
    expect(log()).toMatchObject([
      { hpkePublicKey: 'k2', firstSeenAt: 3 },
      { hpkePublicKey: 'k1', lastSeenAt: 2 },
    ])
    // Back at the first: known, and the current one again.
    see('a', 5)
    see('a', 6)
    expect(log()).toMatchObject([
      { hpkePublicKey: 'k1', firstSeenAt: 1, sinceAt: 5, lastSeenAt: 6 },
      { hpkePublicKey: 'k2' },
    ])
    expect(store.verifiedEnclaves.proof(log()[0]?.id ?? '')).toMatchObject({ verdict: { verifiedAt: 1 } })
    expect(store.verifiedEnclaves.proof('none')).toBeNull()
    // Only fresh evidence names the server: it's remembered, and its absence is no other enclave.
    const machine = { identity: 'm1', policy: 'genoa' }
    see('a', 7, { machine })
    see('a', 8)
    expect(log()).toMatchObject([{ hpkePublicKey: 'k1', lastSeenAt: 8, machine }, { hpkePublicKey: 'k2' }])
    see('a', 9, { hpkePublicKey: 'k3', machine })
    expect(log()[0]).toMatchObject({ hpkePublicKey: 'k3', machine })
  })

  test('limits the log to the first entry and the last thirty', () => {
    for (let at = 1; at <= 40; at++) {
      const seen = verdict('a', 10, { verifiedAt: at, hpkePublicKey: `k${at}` })
      store.verifiedEnclaves.record(seen, proof(seen))
    }
    const keys = store.verifiedEnclaves.of('enclave.example').map(({ hpkePublicKey }) => hpkePublicKey)
    expect(keys).toEqual([...Array.from({ length: 30 }, (_, at) => `k${40 - at}`), 'k1'])
  })

  test('stores the entry without the evidence if that is too large', () => {
    const seen = verdict('a', 10)
    store.verifiedEnclaves.record(seen, proof(seen, MAX_PROOF_BYTES))
    const [line] = store.verifiedEnclaves.of('enclave.example')
    expect(line).toMatchObject({ hasProof: false, release: { digest: 'a' } })
    expect(store.verifiedEnclaves.proof(line?.id ?? '')).toBeNull()
  })
})

function fill(store: Store): unknown {
  const { id: conversationId } = store.conversations.create({ title: 'T', private: true, model: 'm' })
  store.messages.add({ conversationId, role: 'user', text: 'Why?', state: 'complete' })
  store.receipts.put(receipt('r'))
  const { id: keyId } = store.localKeys.add({
    name: 'Editor',
    hash: 'aa'.repeat(32),
    limits: { budget: { picoUsd: 5n, period: 'day' } },
  })
  store.spending.hold(keyId, 1, 4n)
  store.spending.settle(keyId, 1, 0n, 3n)
  store.keyUse.note(keyId, 7)
  store.settings.set('profile', 'x')
  store.verdicts.record(verdict('b', 20))
  store.verdicts.acceptOlder('enclave.example', 'a')
  store.payments.put(payment('p', { state: 'paid' }))
  store.topups.put(topup('t'))
  return everything(store)
}

function everything(store: Store): unknown {
  const conversations = store.conversations.list()
  return {
    conversations,
    messages: conversations.map(({ id }) => store.messages.of(id)),
    receipts: store.receipts.list(100),
    keys: store.localKeys.list(),
    spent: store.localKeys.list().map(({ id }) => store.spending.spent(id)),
    used: store.localKeys.list().map(({ id }) => store.keyUse.of(id)),
    profile: store.settings.get('profile'),
    newest: store.verdicts.newestRelease('enclave.example'),
    older: store.verdicts.acceptedOlder('enclave.example', 'a'),
    // Requests are read when they are looked at.
    payments: structuredClone(store.payments.list(10)),
    paidHosts: store.payments.paidHosts(),
    topups: store.topups.list(),
  }
}

test('everything survives a restart', () => {
  const store = open(folder)
  const before = fill(store)
  store.close()
  expect(everything(open(folder))).toEqual(before)
})

describe('moveTo', () => {
  test('moves everything under the new key, including a reply in progress', () => {
    const store = open(null, new Uint8Array(32).fill(1))
    const before = fill(store)
    const { conversations, messages } = store
    const conversationId = conversations.list()[0]?.id ?? ''
    const answer = messages.add({ conversationId, role: 'assistant', text: 'Be', state: 'streaming' })
    store.receipts.put(receipt('waiting'))
    store.moveTo(folder, KEY)
    expect(messages.of(conversationId).at(-1)).toEqual(answer)
    expect(messages.update(answer.id, { text: 'Because', state: 'complete' })).toMatchObject({
      text: 'Because',
    })
    expect(store.receipts.get('waiting')).not.toBeNull()
    expect(before).toMatchObject({ profile: 'x' })
    const after = everything(store)
    store.close()
    expect(everything(open(folder))).toEqual(after)
  })

  test('changes nothing if the folder already has a database', () => {
    open(folder).settings.set('profile', 'file')
    opened.splice(0)[0]?.close()
    const store = open(null)
    store.settings.set('profile', 'memory')
    expect(() => store.moveTo(folder, KEY)).toThrow(expect.objectContaining({ code: 'store/damaged' }))
    expect(store.settings.get('profile')).toBe('memory')
    expect(open(folder).settings.get('profile')).toBe('file')
  })

  test('is refused for a store on disk', () => {
    expect(() => open(folder).moveTo(join(root, 'other'), KEY)).toThrow('in memory')
  })
})

describe('receipts', () => {
  /** What another process would see. */
  const inFile = () => {
    const other = createStore({ folder, key: KEY, now: Date.now })
    const ids = other.receipts.list(1_000).map(({ id }) => id)
    other.close()
    return ids
  }

  test('are written together after a short delay', () => {
    vi.useFakeTimers()
    const store = open(folder)
    store.receipts.put(receipt('1'))
    store.receipts.put(receipt('2'))
    expect(inFile()).toEqual([])
    vi.advanceTimersByTime(50)
    expect(inFile()).toEqual(['2', '1'])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('are written at once by flush, by close, and when there are many', () => {
    vi.useFakeTimers()
    const store = open(folder)
    store.receipts.put(receipt('flushed'))
    store.receipts.flush()
    expect(inFile()).toEqual(['flushed'])
    for (let at = 0; at < 512; at++) store.receipts.put(receipt(`many-${at}`))
    expect(inFile()).toHaveLength(513)
    store.receipts.put(receipt('closed'))
    store.close()
    expect(inFile()).toHaveLength(514)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('are stored as they were at the time of the call', () => {
    const store = open(null)
    const changing = receipt('1')
    store.receipts.put(changing)
    changing.model = 'another'
    expect(store.receipts.get('1')?.model).toBe('private/canary-model')
  })

  test('are read as they were stored, however many are sealed together', () => {
    const store = open(folder)
    const keyId = 'key-1'
    const put = Array.from({ length: 100 }, (_, at) =>
      receipt(`r-${String(at)}`, {
        at: 1_000 + at,
        model: `model ${String(at)}`,
        caller: { kind: 'proxy', ...(at % 3 === 0 && { localKeyId: keyId }) },
      }),
    )
    for (const each of put) store.receipts.put(each)
    const newestFirst = put.toReversed()
    expect(store.receipts.list(1_000)).toEqual(newestFirst)
    expect(store.receipts.between(1_030, 1_034, 10)).toEqual(put.slice(30, 35))
    expect(store.receipts.get('r-64')).toEqual(put[64])
    expect(store.receipts.listOfKeys({ keyId, limit: 20 }).map((each) => each.receipt)).toEqual(
      newestFirst.filter(({ caller }) => caller.localKeyId).slice(0, 20),
    )
  })

  test('with the same id are replaced by the later one, in one batch or two', () => {
    const store = open(folder)
    for (const model of ['a', 'b']) store.receipts.put(receipt('1', { model }))
    expect(store.receipts.list(10)).toMatchObject([{ id: '1', model: 'b' }])
    store.receipts.put(receipt('1', { model: 'c', at: 5, caller: { kind: 'proxy', localKeyId: 'another' } }))
    expect(store.receipts.list(10)).toMatchObject([{ id: '1', model: 'c', at: 5 }])
    expect(store.receipts.listOfKeys({ keyId: 'another', limit: 10 })).toMatchObject([
      { receipt: { model: 'c' } },
    ])
  })
})

test('a key of the wrong length throws a RangeError', () => {
  expect(() => open(null, new Uint8Array(16))).toThrow(RangeError)
})

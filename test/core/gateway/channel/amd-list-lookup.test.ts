import { createPublicKey } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createAmdListLookup,
  type AmdListLookup,
} from '../../../../src/core/gateway/channel/amd-list-lookup.ts'
import { amdRevocationList } from '../../../../src/sandbox/world/amd.ts'
import { loadRoots, type Roots } from '../../../../src/sandbox/world/roots.ts'
import type { CollateralRecord } from '../../../../src/shared/collateral-record.ts'
import type { Fetch, FetchInit } from '../../../../src/shared/fetch.ts'
import { sandboxFolder } from '../../../sandbox/cached-roots.ts'

const NOW = Date.UTC(2026, 8, 1)
const DAY = 24 * 3600_000
const HOUR = 3600_000

let roots: Roots
beforeAll(async () => {
  roots = await loadRoots(await sandboxFolder(), () => true)
})

const mintList = (
  thisUpdate = NOW - DAY,
  nextUpdate = NOW + 30 * DAY,
  arkPrivateKey = roots.arkKey,
): Buffer =>
  amdRevocationList({
    arkPrivateKey,
    arkPublicKey: createPublicKey(roots.arkKey),
    askRevoked: false,
    thisUpdate,
    nextUpdate,
  })
const response = (status: number, body: Iterable<Uint8Array> | null): Awaited<ReturnType<Fetch>> => ({
  status,
  headers: { get: () => null },
  body:
    body &&
    (async function* () {
      for (const chunk of body) yield await Promise.resolve(chunk)
    })(),
})

let known: CollateralRecord[]
let asked: { readonly url: string; readonly init: FetchInit }[]
let elapsed: number
beforeEach(() => {
  known = []
  asked = []
  elapsed = 0
})

function open(answer: () => Awaited<ReturnType<Fetch>> | Promise<Awaited<ReturnType<Fetch>>>): AmdListLookup {
  return createAmdListLookup({
    fetch: async (url, init) => {
      asked.push({ url, init })
      return answer()
    },
    memory: {
      newest: () => known,
      record: (records) => {
        known = [...records]
      },
    },
    now: () => NOW,
    monotonic: () => elapsed,
  })
}
const refresh = (lookup: AmdListLookup) => lookup.refresh('Genoa', roots.trust.amd)

describe('the download of AMD’s revocation list', () => {
  it('remembers a list that AMD signed and that is in force', async () => {
    const list = mintList()
    expect(await refresh(open(() => response(200, [list.subarray(0, 100), list.subarray(100)])))).toBe(true)
    expect(known).toEqual([{ name: 'amd-crl/Genoa', version: NOW - DAY, list: list.toString('base64') }])
  })

  it('asks AMD’s key server for the product, and sends no credential', async () => {
    await refresh(open(() => response(200, [mintList()])))
    expect(asked.map(({ url }) => url)).toEqual(['https://kdsintf.amd.com/vcek/v1/Genoa/crl'])
    expect(asked[0]?.init).toMatchObject({
      method: 'GET',
      redirect: 'manual',
      headers: { accept: '*/*', 'accept-encoding': 'identity' },
    })
    expect(asked[0]?.init).not.toHaveProperty('body')
  })

  it.each<[string, () => Awaited<ReturnType<Fetch>> | Promise<never>]>([
    ['another signer’s', () => response(200, [mintList(undefined, undefined, roots.askKey)])],
    ['one that has ended', () => response(200, [mintList(NOW - 40 * DAY, NOW - DAY)])],
    ['one of tomorrow', () => response(200, [mintList(NOW + DAY)])],
    [
      'one over 64 KiB',
      () =>
        response(
          200,
          (function* () {
            for (;;) yield Buffer.alloc(16 * 1024)
          })(),
        ),
    ],
    ['a page', () => response(200, [Buffer.from('<html>')])],
    ['nothing', () => response(200, null)],
    ['a redirect', () => response(302, [mintList()])],
    [
      'an error',
      () =>
        response(
          503,
          (function* () {
            for (;;) yield Buffer.alloc(1024)
          })(),
        ),
    ],
    ['no connection', () => Promise.reject(new Error('unreachable'))],
  ])('remembers nothing of %s', async (_, answer) => {
    expect(await refresh(open(answer))).toBe(false)
    expect(known).toEqual([])
  })

  it('never replaces a list with one that isn’t newer', async () => {
    const before: CollateralRecord = { name: 'amd-crl/Genoa', version: NOW - DAY, list: 'AAAA' }
    known = [before]
    for (const age of [DAY, 2 * DAY])
      expect(await refresh(open(() => response(200, [mintList(NOW - age)])))).toBe(false)
    expect(known).toEqual([before])
    expect(await refresh(open(() => response(200, [mintList(NOW - HOUR)])))).toBe(true)
  })

  it('is tried once in three hours, whether it failed or not, and joined while it runs', async () => {
    let list: Buffer | null = null
    const lookup = open(() => response(list ? 200 : 503, list && [list]))
    expect(await Promise.all([refresh(lookup), refresh(lookup)])).toEqual([false, false])
    list = mintList()
    elapsed = 3 * HOUR - 1
    expect(await refresh(lookup)).toBe(false)
    expect(asked).toHaveLength(1)
    elapsed = 3 * HOUR
    expect(await refresh(lookup)).toBe(true)
    list = mintList(NOW - HOUR)
    expect(await refresh(lookup)).toBe(false)
    expect(asked).toHaveLength(2)
  })

  it('is tried for each product', async () => {
    const lookup = open(() => response(503, null))
    await refresh(lookup)
    await lookup.refresh('Turin', roots.trust.amd)
    expect(asked.map(({ url }) => url.split('/').at(-2))).toEqual(['Genoa', 'Turin'])
  })

  it('ends with the channel: what arrives later is not remembered', async () => {
    let arrive = (_: Awaited<ReturnType<Fetch>>): void => undefined
    const lookup = open(
      () =>
        new Promise((resolve) => {
          arrive = resolve
        }),
    )
    const attempt = refresh(lookup)
    lookup.close()
    expect(asked[0]?.init.signal?.aborted).toBe(true)
    arrive(response(200, [mintList()]))
    expect(await attempt).toBe(false)
    expect(known).toEqual([])
  })
})

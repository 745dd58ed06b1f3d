import { createPublicKey } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { verifyEvidence } from '../../../../src/verifier/index.ts'
import { createEnclaveChannel, type EnclaveChannel } from '../../../../src/core/gateway/channel/index.ts'
import { createStore, type Store } from '../../../../src/core/storage/index.ts'
import { sandboxProfile } from '../../../../src/sandbox/profile.ts'
import { amdRevocationList } from '../../../../src/sandbox/world/amd.ts'
import { bootEnclave } from '../../../../src/sandbox/world/enclave.ts'
import { mintEvidence } from '../../../../src/sandbox/world/evidence.ts'
import { Rekor } from '../../../../src/sandbox/world/rekor.ts'
import { loadRoots, type Roots } from '../../../../src/sandbox/world/roots.ts'
import type { AttestationPolicy } from '../../../../src/shared/policy/attestation-policy.ts'
import type { Fetch } from '../../../../src/shared/fetch.ts'
import type { TrustSet } from '../../../../src/shared/trust.ts'
import { stepsInEnglish, type Verdict } from '../../../../src/shared/verdict.ts'
import { sandboxFolder } from '../../../sandbox/cached-roots.ts'

const NOW = Date.UTC(2026, 8, 1)
const DAY = 24 * 3600_000
const { policy: stated } = sandboxProfile('http://127.0.0.1:1')
if (!stated) throw new Error('the sandbox has a policy')
const policy: AttestationPolicy = stated

let roots: Roots
let bare: Buffer
let withOldList: Buffer
beforeAll(async () => {
  roots = await loadRoots(await sandboxFolder(), () => true)
  const bundle = await mintEvidence({
    platform: 'sev-snp',
    roots,
    rekor: new Rekor(createPublicKey(roots.rekorKey), roots.rekorKey),
    keys: bootEnclave(),
    faults: new Set(),
    nonce: null,
    now: NOW,
  })
  withOldList = Buffer.from(JSON.stringify(bundle))
  bare = Buffer.from(JSON.stringify({ ...bundle, collateral: [] }))
})

const mintList = (thisUpdate: number, nextUpdate: number, askRevoked = false): Buffer =>
  amdRevocationList({
    arkPrivateKey: roots.arkKey,
    arkPublicKey: createPublicKey(roots.arkKey),
    askRevoked,
    thisUpdate,
    nextUpdate,
  })
const response = (status: number, body: Uint8Array): Awaited<ReturnType<Fetch>> => ({
  status,
  headers: { get: () => null },
  body: (async function* () {
    yield await Promise.resolve(body)
  })(),
})

let store: Store
let evidence: Buffer
let list: () => Promise<Awaited<ReturnType<Fetch>>>
let asked: string[]
let now: number
let elapsed: number
let waits: number[]
let timeIsUp: Promise<void>
let channel: EnclaveChannel | undefined
beforeEach(() => {
  store = createStore({ folder: null, key: new Uint8Array(32).fill(7), now: () => now })
  evidence = bare
  list = () => Promise.resolve(response(503, Buffer.alloc(0)))
  asked = []
  now = NOW
  elapsed = 0
  waits = []
  timeIsUp = new Promise(() => undefined)
})
afterEach(() => {
  channel?.close()
  store.close()
})

function open({
  downloadsLists = true,
  trust = roots.trust,
}: { downloadsLists?: boolean; trust?: TrustSet } = {}): EnclaveChannel {
  channel?.close()
  channel = createEnclaveChannel({
    fetch: (url) => {
      asked.push(new URL(url).host)
      return new URL(url).host === 'kdsintf.amd.com' ? list() : Promise.resolve(response(200, evidence))
    },
    now: () => now,
    monotonic: () => elapsed,
    privateUrl: 'http://127.0.0.1:1/private',
    policy: () => policy,
    trust: () => Promise.resolve(trust),
    releases: {
      newest: () => null,
      olderAccepted: () => false,
      asksBeforeNew: () => false,
      trusted: () => false,
      record: () => undefined,
    },
    collateral: store.collateral,
    downloadsLists,
    timeouts: { firstByteMs: 5000, idleMs: 5000 },
    pause: async (ms) => {
      waits.push(ms)
      await timeIsUp
    },
    startPreparer: () => ({ prepare: () => Promise.reject(new Error('none')), close: () => undefined }),
  })
  return channel
}
const stepOf = ({ steps }: Verdict) => stepsInEnglish(steps).find(({ id }) => id === 'amd/revocation')
const listDownloads = () => asked.filter((host) => host === 'kdsintf.amd.com').length
/** Lets everything run that waits for nothing. */
const settle = () =>
  new Promise<void>((resolve) => {
    setImmediate(() => setImmediate(resolve))
  })

describe('evidence without a revocation list', () => {
  it('is checked against AMD’s own list, which is downloaded once', async () => {
    list = () => Promise.resolve(response(200, mintList(NOW - DAY, NOW + 30 * DAY)))
    const opened = open()
    expect(stepOf(await opened.verify())).toMatchObject({ outcome: 'passed' })
    expect(stepOf(await opened.verify())).toMatchObject({ outcome: 'passed' })
    expect(listDownloads()).toBe(1)
  })

  it('is refused if AMD’s own list names the chip’s issuer, also after a restart without network', async () => {
    list = () => Promise.resolve(response(200, mintList(NOW - DAY, NOW + 30 * DAY, true)))
    expect(await open().verify()).toMatchObject({
      good: false,
      failure: { code: 'amd/intermediate-revoked' },
    })
    list = () => Promise.reject(new Error('unreachable'))
    now = NOW + 60 * DAY
    expect(await open().verify()).toMatchObject({
      good: false,
      failure: { code: 'amd/intermediate-revoked' },
    })
  })

  it('is accepted without a check if the list can’t be downloaded, and the next attempt waits', async () => {
    const opened = open()
    const verdict = await opened.verify()
    expect([verdict.good, stepOf(verdict)?.outcome]).toEqual([true, 'not-checked'])
    await opened.verify()
    expect(listDownloads()).toBe(1)
    elapsed = 3 * 3600_000
    list = () => Promise.resolve(response(200, mintList(NOW - DAY, NOW + 30 * DAY)))
    expect(stepOf(await opened.verify())).toMatchObject({ outcome: 'passed' })
  })

  it('waits three seconds for the list at most, and is verified again when it arrives', async () => {
    let arrive = (): void => undefined
    list = () =>
      new Promise((resolve) => {
        arrive = () => resolve(response(200, mintList(NOW - DAY, NOW + 30 * DAY)))
      })
    timeIsUp = Promise.resolve()
    const opened = open()
    expect(stepOf(await opened.verify())?.outcome).toBe('not-checked')
    expect(waits).toEqual([3000])
    arrive()
    await expect.poll(() => opened.current() && stepOf(opened.current()!)?.outcome).toBe('passed')
    expect(asked).toEqual(['127.0.0.1:1', 'kdsintf.amd.com', '127.0.0.1:1'])
  })

  it('doesn’t wait if a list in force is known, and renews one that ends within a day', async () => {
    list = () => Promise.resolve(response(200, mintList(NOW - 20 * DAY, NOW + 30 * DAY)))
    const opened = open()
    await opened.verify()
    now = NOW + 29 * DAY - 1
    elapsed = DAY
    await opened.verify()
    expect(listDownloads()).toBe(1)
    now = NOW + 29 * DAY + 1
    list = () => Promise.resolve(response(200, mintList(NOW + 28 * DAY, NOW + 60 * DAY, true)))
    const waited = waits.length
    expect(await opened.verify()).toMatchObject({ good: true })
    expect(waits.length).toBe(waited)
    // The renewed list names the issuer: the verdict in force ends as soon as the list is there.
    await expect.poll(() => opened.current()?.failure?.code).toBe('amd/intermediate-revoked')
    expect(listDownloads()).toBe(2)
  })

  it('asks AMD nothing if the lookup is off, or the evidence is refused anyway', async () => {
    expect(stepOf(await open({ downloadsLists: false }).verify())?.outcome).toBe('not-checked')
    evidence = Buffer.from('{}')
    expect((await open().verify()).good).toBe(false)
    await settle()
    expect(listDownloads()).toBe(0)
  })

  it('is checked against a shipped list, which asks nobody', async () => {
    const { Genoa } = roots.trust.amd
    if (!Genoa) throw new Error('no roots')
    const shipped = (crl: Buffer): TrustSet => ({ ...roots.trust, amd: { Genoa: { ...Genoa, crl } } })
    expect(
      stepOf(await open({ trust: shipped(mintList(NOW - DAY, NOW + 30 * DAY)) }).verify())?.outcome,
    ).toBe('passed')
    expect(listDownloads()).toBe(0)
  })
})

describe('what was seen of AMD’s lists', () => {
  it('decides over an older list that the evidence brings later', async () => {
    list = () => Promise.resolve(response(200, mintList(NOW - DAY, NOW + 30 * DAY, true)))
    const opened = open()
    await opened.verify()
    // In force, without the revocation, and 29 days older.
    evidence = withOldList
    expect(verifyEvidence(withOldList, roots.trust, policy, NOW).good).toBe(true)
    expect(await opened.verify()).toMatchObject({
      good: false,
      failure: { step: 'amd/revocation', code: 'amd/intermediate-revoked' },
    })
  })

  it('comes from evidence too', async () => {
    evidence = withOldList
    await open().verify()
    expect(store.collateral.newest()).toMatchObject([{ name: 'amd-crl/Genoa', version: NOW - 30 * DAY }])
    expect(listDownloads()).toBe(0)
  })

  it('is never replaced by an older list from AMD’s server', async () => {
    const known = mintList(NOW - 30 * DAY, NOW + DAY / 2)
    store.collateral.record([
      { name: 'amd-crl/Genoa', version: NOW - 30 * DAY, list: known.toString('base64') },
    ])
    list = () => Promise.resolve(response(200, mintList(NOW - 31 * DAY, NOW + 300 * DAY, true)))
    const opened = open()
    for (const _ of [1, 2]) {
      expect(await opened.verify()).toMatchObject({ good: true })
      await settle()
    }
    expect(listDownloads()).toBe(1)
    expect(store.collateral.newest()).toMatchObject([
      { version: NOW - 30 * DAY, list: known.toString('base64') },
    ])
  })

  it('is in the proof, which verifies again offline with the same result', async () => {
    list = () => Promise.resolve(response(200, mintList(NOW - DAY, NOW + 30 * DAY)))
    const opened = open()
    const verdict = await opened.verify()
    const proof = opened.proof()
    expect(proof?.collateral).toEqual(store.collateral.newest())
    const again = verifyEvidence(
      Buffer.from(proof?.evidence ?? '', 'base64'),
      roots.trust,
      policy,
      NOW,
      undefined,
      proof?.collateral,
    )
    expect(stepOf(again)).toEqual(stepOf(verdict))
    expect(again.validUntil).toBe(verdict.validUntil)
    expect(stepOf(verifyEvidence(bare, roots.trust, policy, NOW))?.outcome).toBe('not-checked')
  })

  it('is not relied on if it can’t be remembered', async () => {
    const opened = open()
    await opened.verify()
    store.collateral.record = () => {
      throw new Error('the disk is full')
    }
    await expect(opened.verify()).rejects.toThrow('the disk is full')
    expect(opened.current()?.validUntil).toBe(NOW)
  })
})

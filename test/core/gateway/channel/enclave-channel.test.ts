import { createPublicKey, randomBytes, type KeyObject } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createEnclaveChannel, type EnclaveChannel } from '../../../../src/core/gateway/channel/index.ts'
import { CacheSecrets } from '../../../../src/core/gateway/relay/cache-secret.ts'
import { ReceiptDraft } from '../../../../src/core/gateway/relay/receipt-draft.ts'
import { SealedModel } from '../../../../src/core/gateway/relay/model-listing.ts'
import { seal } from '../../../../src/core/gateway/relay/seal.ts'
import { sandboxProfile } from '../../../../src/sandbox/profile.ts'
import { bootEnclave, rawX25519, type EnclaveKeys } from '../../../../src/sandbox/world/enclave.ts'
import { mintEvidence } from '../../../../src/sandbox/world/evidence.ts'
import { Rekor } from '../../../../src/sandbox/world/rekor.ts'
import { loadRoots, type Roots } from '../../../../src/sandbox/world/roots.ts'
import { SottoError } from '../../../../src/shared/errors.ts'
import type { Fetch } from '../../../../src/shared/fetch.ts'
import type { Receipt } from '../../../../src/shared/receipt.ts'
import { sandboxFolder } from '../../../sandbox/cached-roots.ts'

const URL = 'http://127.0.0.1:1'
const { policy } = sandboxProfile(URL)
const never = new AbortController().signal

let roots: Roots
beforeAll(async () => {
  roots = await loadRoots(await sandboxFolder(), () => true)
})

const evidenceOf = async (keys: EnclaveKeys, now: number): Promise<string> =>
  JSON.stringify(
    await mintEvidence({
      platform: 'sev-snp',
      roots,
      rekor: new Rekor(createPublicKey(roots.rekorKey), roots.rekorKey),
      keys,
      faults: new Set(),
      nonce: null,
      now,
    }),
  )

const answer = (
  status: number,
  body: string,
  contentType: string | null = null,
  read: () => void = () => undefined,
): Awaited<ReturnType<Fetch>> => ({
  status,
  headers: { get: (name) => (name.toLowerCase() === 'content-type' ? contentType : null) },
  body: (async function* () {
    yield await Promise.resolve(Buffer.from(body))
    read()
  })(),
})

function createChannel(
  fetch: Fetch,
  {
    record = () => undefined,
    ...clocks
  }: {
    record?: () => void
    now?: () => number
    monotonic?: () => number
    pause?: (ms: number) => Promise<void>
  } = {},
): EnclaveChannel {
  return createEnclaveChannel({
    fetch,
    now: () => Date.now(),
    ...clocks,
    privateUrl: `${URL}/private`,
    policy: () => {
      if (!policy) throw new Error('the sandbox has a policy')
      return policy
    },
    trust: () => Promise.resolve(roots.trust),
    releases: {
      newest: () => null,
      olderAccepted: () => false,
      asksBeforeNew: () => false,
      trusted: () => false,
      record,
    },
    collateral: { newest: () => [], record: () => undefined },
    downloadsLists: false,
    timeouts: { firstByteMs: 5000, idleMs: 5000 },
    startPreparer: () => ({ prepare: () => Promise.reject(new Error('none')), close: () => undefined }),
  })
}

describe('a key that can’t be used for sealing', () => {
  const SPKI = Buffer.from('302a300506032b656e032100', 'hex')
  const lowOrder: KeyObject = createPublicKey({
    key: Buffer.concat([SPKI, Buffer.from(`01${'00'.repeat(31)}`, 'hex')]),
    format: 'der',
    type: 'spki',
  })

  it('sends nothing even if the key is attested, and the receipt records the failure', async () => {
    const booted = bootEnclave()
    const evidence = await evidenceOf(
      { ...booted, hpke: { ...booted.hpke, publicKey: lowOrder } },
      Date.now(),
    )
    const methods: string[] = []
    const channel = createChannel((_, { method }) => {
      methods.push(method)
      return Promise.resolve(answer(200, evidence))
    })
    const receipts: Receipt[] = []
    const draft = new ReceiptDraft(
      { put: (receipt) => receipts.push(receipt) },
      {
        at: Date.now(),
        caller: { kind: 'window' },
        service: 'sandbox',
        model: 'private/x',
        path: '/v1/chat/completions',
      },
    )
    const sealed = SealedModel.of({ id: 'private/x', name: 'x', private: true })
    if (!sealed) throw new Error('it is a private model')
    const access = { baseUrl: URL, revision: 'B', apiKey: 'k' } as const
    const cacheSecrets = new CacheSecrets({ root: randomBytes(32), profileId: 'sandbox', now: Date.now })
    await expect(
      seal(
        { channel, access, cacheSecrets },
        sealed,
        { body: { model: 'private/x', messages: [] }, caller: { kind: 'window' }, signal: never },
        draft,
      ),
    ).rejects.toMatchObject({ code: 'attestation/failed' })
    draft.fail(new SottoError('attestation/failed'))
    expect(methods).toEqual(['GET'])
    expect(receipts).toEqual([expect.objectContaining({ privacy: 'refused' })])
    channel.close()
  })
})

describe('a key that the enclave no longer has', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance', 'setInterval', 'clearInterval'] }))
  afterEach(() => void vi.useRealTimers())

  it('is not used again, even if a verification in progress returns it', async () => {
    const [before, after] = [bootEnclave(), bootEnclave()]
    let renewing = false
    let rotated = false
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const log: string[] = []
    const channel = createChannel(
      async (_, { method }) => {
        if (method === 'POST') {
          log.push('sealed')
          rotated = true
          // The verification in progress ends only after the refusal is handled.
          return answer(
            422,
            '{"type":"urn:ietf:params:ehbp:error:key-config"}',
            'application/problem+json',
            () => setImmediate(release),
          )
        }
        const keys = rotated ? after : before
        const evidence = await evidenceOf(keys, Date.now())
        if (renewing && keys === before) await released
        log.push(keys === before ? 'before' : 'after')
        return answer(200, evidence)
      },
      { pause: () => Promise.resolve() },
    )
    await channel.verify()
    // Near the verdict's end, a request that it still covers starts a renewal in parallel.
    vi.advanceTimersByTime(56 * 60_000)
    renewing = true
    await expect(
      channel.send({ path: '/v1/chat/completions', headers: {}, body: Buffer.from('{}'), signal: never }),
    ).rejects.toMatchObject({ code: 'channel/key-rotated' })
    expect(log).toEqual(['before', 'sealed', 'before', 'after', 'sealed'])
    expect(channel.current()?.hpkePublicKey).toBe(rawX25519(after.hpke.publicKey).toString('hex'))
    channel.close()
  })
})

describe('a key that the enclave refused', () => {
  const request = { path: '/v1/chat/completions', headers: {}, body: Buffer.from('{}'), signal: never }
  const refusal = () =>
    answer(422, '{"type":"urn:ietf:params:ehbp:error:key-config"}', 'application/problem+json')
  /** An enclave whose service returns outdated evidence this many times after the refusal. */
  async function enclaveBehindCache(stale: number) {
    const [before, after] = await Promise.all(
      [bootEnclave(), bootEnclave()].map((keys) => evidenceOf(keys, Date.now())),
    )
    const log: string[] = []
    const channel = createChannel(
      (_, { method }) => {
        log.push(method)
        if (method === 'GET')
          return Promise.resolve(
            answer(
              200,
              !log.includes('POST') || log.filter((each) => each === 'GET').length <= stale + 1
                ? before!
                : after!,
            ),
          )
        const first = log.indexOf('POST') === log.length - 1
        return Promise.resolve(first ? refusal() : answer(500, '{}', 'application/json'))
      },
      { pause: (ms) => Promise.resolve(void log.push(`${String(ms)} ms`)) },
    )
    return { channel, log }
  }

  it.each([
    [0, ['GET', 'POST', '0 ms', 'GET', 'POST']],
    [1, ['GET', 'POST', '0 ms', 'GET', '1000 ms', 'GET', 'POST']],
    [2, ['GET', 'POST', '0 ms', 'GET', '1000 ms', 'GET', '4000 ms', 'GET', 'POST']],
  ])(
    'is followed by one more request once the evidence has another key, after %i attempts without one',
    async (stale, expected) => {
      const { channel, log } = await enclaveBehindCache(stale)
      expect(await channel.send(request)).toMatchObject({ status: 500, opened: false })
      expect(log).toEqual(expected)
      channel.close()
    },
  )

  it('is never used again: three attempts without another key end the request', async () => {
    const { channel, log } = await enclaveBehindCache(3)
    await expect(channel.send(request)).rejects.toMatchObject({ code: 'channel/key-rotated' })
    expect(log).toEqual(['GET', 'POST', '0 ms', 'GET', '1000 ms', 'GET', '4000 ms', 'GET'])
    channel.close()
  })

  it('is not replaced after the caller has disconnected', async () => {
    const gone = new AbortController()
    const { channel, log } = await enclaveBehindCache(3)
    await expect(
      channel.send({
        ...request,
        signal: gone.signal,
        onUnread: () => gone.abort(new SottoError('request/canceled')),
      }),
    ).rejects.toMatchObject({ code: 'request/canceled' })
    expect(log).toEqual(['GET', 'POST'])
    channel.close()
  })
})

describe('a verdict that is not in force', () => {
  const request = { path: '/v1/chat/completions', headers: {}, body: Buffer.from('{}'), signal: never }
  const inForce = (channel: EnclaveChannel, now: number): boolean => {
    const verdict = channel.current()
    return verdict !== null && verdict.good && now < verdict.validUntil
  }
  const serving =
    (evidence: () => string, methods: string[] = []): Fetch =>
    (_, { method }) => {
      methods.push(method)
      return Promise.resolve(answer(200, evidence()))
    }

  it('is one that can’t be saved: nothing is sent', async () => {
    const evidence = await evidenceOf(bootEnclave(), Date.now())
    const methods: string[] = []
    let refuses = true
    const channel = createChannel(
      serving(() => evidence, methods),
      {
        record: () => {
          if (refuses) throw new SottoError('store/unwritable')
        },
      },
    )
    await expect(channel.send(request)).rejects.toMatchObject({ code: 'store/unwritable' })
    expect(channel.current()).toBeNull()
    refuses = false
    await channel.verify()
    expect(inForce(channel, Date.now())).toBe(true)
    refuses = true
    await expect(channel.verify()).rejects.toMatchObject({ code: 'store/unwritable' })
    expect(inForce(channel, Date.now())).toBe(false)
    expect(methods).not.toContain('POST')
    channel.close()
  })

  it('is the previous one after oversized evidence was received', async () => {
    let evidence = await evidenceOf(bootEnclave(), Date.now())
    const channel = createChannel(serving(() => evidence))
    await channel.verify()
    expect(inForce(channel, Date.now())).toBe(true)
    evidence = 'x'.repeat(300 * 1024)
    await expect(channel.verify()).rejects.toMatchObject({ code: 'attestation/evidence-too-large' })
    expect(inForce(channel, Date.now())).toBe(false)
    channel.close()
  })

  it('is one that expired while the machine slept', async () => {
    const started = Date.now()
    let slept = 0
    const evidence = await evidenceOf(bootEnclave(), started)
    const now = (): number => started + slept
    const channel = createChannel(
      serving(() => evidence),
      { now, monotonic: () => 0 },
    )
    await channel.verify()
    expect(inForce(channel, now())).toBe(true)
    slept = 61_000
    const ended = channel.current()
    expect(inForce(channel, now())).toBe(false)
    slept = 90_000
    expect(channel.current()).toEqual(ended)
    channel.close()
  })
})

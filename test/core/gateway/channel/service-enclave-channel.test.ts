import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createServiceEnclaveChannel,
  type ImageMemory,
  type StoredRecord,
  type ServiceEnclaveChannel,
} from '../../../../src/core/gateway/channel/index.ts'
import { createOutboundFetch } from '../../../../src/host/outbound-fetch.ts'
import { SottoError } from '../../../../src/shared/errors.ts'
import type { Fetch, FetchResponse } from '../../../../src/shared/fetch.ts'
import type { ServiceEnclavePolicy } from '../../../../src/shared/policy/service-enclave.ts'
import { startTestSandbox } from '../../../sandbox/cached-roots.ts'

const DAY = 24 * 3600_000
const sandbox = await startTestSandbox({ serviceEnclave: true })
const network = createOutboundFetch({})
afterAll(async () => {
  await sandbox.close()
  await network.close()
})
const { serviceEnclave } = sandbox.profile
if (!serviceEnclave) throw new Error('the sandbox has an enclave of the service')
const policy: ServiceEnclavePolicy = serviceEnclave

let ahead = 0
let sends: Record<string, string>[] = []
/** Answers in the service's place, by the end of the address. */
let instead: Readonly<Record<string, () => FetchResponse>> = {}
let stored: StoredRecord | null = null
beforeEach(() => {
  ahead = 0
  sends = []
  instead = {}
  stored = null
  for (const fault of sandbox.faults()) sandbox.setFault(fault, false)
  sandbox.clearReceived()
})

function answer(status: number, body = ''): () => FetchResponse {
  return () => ({
    status,
    headers: { get: (name) => (name === 'content-type' ? 'application/json' : null) },
    body: (async function* () {
      yield await Promise.resolve(Buffer.from(body))
    })(),
  })
}

const fetch: Fetch = (url, init) => {
  const { pathname } = new URL(url)
  if (init.method === 'POST') sends.push(init.headers)
  const other = Object.entries(instead).find(([end]) => pathname.endsWith(end))?.[1]
  return other ? Promise.resolve(other()) : network.fetch(url, init)
}

function open(
  memory: Partial<ImageMemory> = {},
  record: () => void = () => undefined,
): ServiceEnclaveChannel {
  return createServiceEnclaveChannel({
    fetch,
    policy,
    record,
    now: () => Date.now() + ahead,
    trust: () => sandbox.trust(),
    images: {
      accepted: () => ({ rule: 'published' }),
      record: () => stored,
      keepRecord: (next) => void (stored = next),
      ...memory,
    },
    timeouts: { firstByteMs: 5000, idleMs: 5000 },
    startPreparer: () => ({ prepare: () => Promise.reject(new Error('none')), close: () => undefined }),
  })
}

const body = Buffer.from(
  JSON.stringify({ model: 'sandbox/allegro-mini', messages: [{ role: 'user', content: 'Hello' }] }),
)
const send = (channel: ServiceEnclaveChannel) =>
  channel.send(
    {
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer none' },
      body,
      signal: new AbortController().signal,
    },
    'sandbox/allegro-mini',
  )
const evidenceRounds = () => sandbox.received().filter(({ path }) => path.endsWith('/attestation')).length

describe('the record of the service’s images', () => {
  it('is used for seven days if it can’t be fetched again, and no image is accepted after that', async () => {
    const channel = open()
    expect(await channel.verify()).toMatchObject({ good: true, image: { rule: 'published' } })
    expect(stored).toMatchObject({ updated: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as unknown })
    instead = { '/published-pcr.json': answer(503) }
    expect(await channel.verify()).toMatchObject({ good: true })
    const remembered: StoredRecord | null = stored
    const withAge = (ms: number) =>
      open({ record: () => remembered && { ...remembered, fetchedAt: Date.now() - ms } })
    expect(await withAge(7 * DAY - 60_000).verify()).toMatchObject({ good: true })
    expect(await withAge(7 * DAY + 60_000).verify()).toMatchObject({
      good: false,
      failure: { code: 'service-enclave/record-unreachable' },
    })
    // A record from the future could be used for years.
    expect(await withAge(-60_000).verify()).toMatchObject({
      good: false,
      failure: { code: 'service-enclave/record-unreachable' },
    })
  })

  it('isn’t replaced by an older or a malformed one, which is refused', async () => {
    const channel = open()
    await channel.verify()
    const newest: StoredRecord | null = stored
    sandbox.setFault('relay-older-record', true)
    expect(await channel.verify()).toMatchObject({
      good: false,
      failure: { code: 'service-enclave/record-older' },
    })
    sandbox.setFault('relay-older-record', false)
    instead = { '/published-pcr.json': answer(200, '{}') }
    expect(await channel.verify()).toMatchObject({
      good: false,
      failure: { code: 'service-enclave/record-malformed' },
    })
    expect(stored).toEqual(newest)
  })
})

describe('a request to the service’s enclave', () => {
  it('leaves nothing without a good verdict, which names the image that runs', async () => {
    const channel = open({ accepted: () => ({ rule: 'approved', images: [] }) })
    await expect(send(channel)).rejects.toMatchObject({
      code: 'attestation/failed',
      details: { stepCode: 'service-enclave/image-not-approved' },
    })
    expect([sends, channel.current()?.good, channel.image()]).toEqual([
      [],
      false,
      expect.stringMatching(/^[0-9a-f]{96}$/) as unknown,
    ])
  })

  it('leaves nothing if the verdict can’t be remembered', async () => {
    const channel = open({}, () => {
      throw new SottoError('store/unwritable')
    })
    await expect(send(channel)).rejects.toMatchObject({ code: 'store/unwritable' })
    expect(sends).toEqual([])
  })

  it('has a random ID and the same User-Agent each time, and one frame', async () => {
    const channel = open()
    for (let count = 0; count < 2; count++) (await send(channel)).close()
    const ids = sends.map((headers) => headers['x-request-id'])
    expect(ids).toEqual([
      expect.stringMatching(/^[0-9a-f]{32}$/),
      expect.stringMatching(/^[0-9a-f]{32}$/),
    ] as unknown)
    expect(new Set(ids).size).toBe(2)
    expect(sends.map((headers) => headers['user-agent'])).toEqual(['Sotto', 'Sotto'])
    expect(
      Object.keys(sends[0] ?? {}).filter(
        (name) => name.startsWith('x-tinfoil') || name.startsWith('x-private'),
      ),
    ).toEqual([])
  })

  it('is sent once more after an unsealed 400 if the attested key did change', async () => {
    const channel = open()
    await channel.verify()
    sandbox.setFault('relay-key-rotation', true)
    const unread: true[] = []
    const response = await channel.send(
      {
        path: '/v1/chat/completions',
        headers: { authorization: 'Bearer none' },
        body,
        signal: new AbortController().signal,
        onUnread: () => void unread.push(true),
      },
      'sandbox/allegro-mini',
    )
    // The sandbox reads the request before it looks at who pays.
    expect([response.status, response.keyRefused, unread.length, sends.length, evidenceRounds()]).toEqual([
      401,
      false,
      1,
      2,
      2,
    ])
    expect(new Set(sends.map((headers) => headers['x-request-id'])).size).toBe(2)
  })

  it('is not sent again if the key is the same: the 400 is the answer, with its text', async () => {
    const channel = open()
    instead = { '/chat/completions': answer(400, '{"error":{"message":"no","code":400}}') }
    const response = await send(channel)
    expect([response.status, response.opened, sends.length, evidenceRounds()]).toEqual([400, false, 1, 2])
    const chunks: Uint8Array[] = []
    for await (const chunk of response.body) chunks.push(chunk)
    expect(Buffer.concat(chunks).toString()).toBe('{"error":{"message":"no","code":400}}')
  })

  it('refuses a 2xx that isn’t sealed', async () => {
    const channel = open()
    instead = { '/chat/completions': answer(200, '{"choices":[]}') }
    await expect(send(channel)).rejects.toMatchObject({ code: 'channel/plaintext-response' })
  })
})

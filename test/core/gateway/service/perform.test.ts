import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createTopup } from '../../../../src/core/gateway/service/account/topup.ts'
import { createAccount } from '../../../../src/core/gateway/service/account/create-account.ts'
import { readBalance } from '../../../../src/core/gateway/service/account/read/balance.ts'
import { listKeys } from '../../../../src/core/gateway/service/account/read/keys.ts'
import { readPaymentMethods } from '../../../../src/core/gateway/service/account/read/payment-methods.ts'
import type { ServiceAccess } from '../../../../src/core/gateway/service/http/access.ts'
import {
  jsonAnswer,
  perform,
  type Service,
  type ServiceRequest,
} from '../../../../src/core/gateway/service/http/perform.ts'
import { retryPolicy } from '../../../../src/core/gateway/service/http/retry.ts'
import { createOutboundFetch } from '../../../../src/host/outbound-fetch.ts'
import { msg } from '../../../../src/shared/localized-text.ts'
import { z } from 'zod'
import {
  account,
  API_KEY,
  BASE,
  codeOf,
  CREDIT_ID,
  mediaAt,
  passed,
  readWhole,
  recorded,
  scripted,
} from './scripted.ts'

const fine = recorded('account')['paymentMethods']!
const errors = recorded('errors')
const refused = new Error('connection refused')

describe('a read request', () => {
  it.each([
    ['a failure to connect', refused],
    ['502', errors['upstream']!],
    ['503 in HTML', { status: 503, text: '<h1>Back soon</h1>' }],
    ['429', { status: 429, body: {} }],
    ['an answer that breaks off', 'cut'],
  ] as const)('is retried after %s', async (_name, failure) => {
    const { service, sent, waits } = scripted(failure === 'cut' ? [fine] : [failure, fine])
    let first = true
    const cut: Service =
      failure !== 'cut'
        ? service
        : {
            ...service,
            fetch: async (url, init) => {
              if (!first) return service.fetch(url, init)
              first = false
              return Promise.resolve({ status: 200, headers: { get: () => null }, body: broken() })
            },
          }
    expect((await readPaymentMethods(cut)).entries).toHaveLength(2)
    expect(sent).toHaveLength(failure === 'cut' ? 1 : 2)
    expect(waits).toEqual([300])
  })
  it('waits twice as long before each retry, and as long as Retry-After requires', async () => {
    const { service, waits } = scripted([
      refused,
      { ...errors['rateLimited']!, headers: { 'retry-after': '3' } },
      fine,
    ])
    await readPaymentMethods(service)
    expect(waits).toEqual([300, 3000])
    const twice = scripted([refused, refused, fine])
    await readPaymentMethods(twice.service)
    expect(twice.waits).toEqual([300, 600])
  })
  it('fails after three attempts, with the last error', async () => {
    const { service, sent } = scripted([refused, refused, errors['rateLimited']!])
    await expect(readPaymentMethods(service)).rejects.toMatchObject({
      code: 'service/rate-limited',
      details: { retryAfterSeconds: 7 },
    })
    expect(sent).toHaveLength(3)
  })
  it('isn’t retried after a long Retry-After', async () => {
    const { service, sent, waits } = scripted([errors['maintenance']!])
    await expect(readPaymentMethods(service)).rejects.toMatchObject({
      code: 'service/unavailable',
      details: { retryAfterSeconds: 120 },
    })
    expect([sent.length, waits]).toEqual([1, []])
  })
  it.each(['documented', 'badInput', 'unpriceable', 'unknownRoute', 'chatEmpty'])(
    'isn’t retried after %s',
    async (name) => {
      const { service, sent } = scripted([errors[name]!])
      await codeOf(readPaymentMethods(service))
      expect(sent).toHaveLength(1)
    },
  )
  it('stops waiting for a retry when it’s aborted', async () => {
    const stop = new AbortController()
    const { service, sent } = scripted([refused], account, {
      wait: (ms, signal) => {
        const waiting = retryPolicy.wait(ms * 1e6, signal)
        stop.abort()
        return waiting
      },
    })
    expect(await codeOf(readPaymentMethods(service, { signal: stop.signal }))).toBe('request/canceled')
    expect(sent).toHaveLength(1)
  })
  it('waits between half of the delay and all of it', async () => {
    for (const [random, delay] of [
      [0, 200],
      [0.999, 400],
    ] as const) {
      const { service, waits } = scripted([refused, fine], account, { random: () => random })
      await readPaymentMethods(service)
      expect(waits).toEqual([delay])
    }
  })
})

describe('a request that changes something or costs money is sent once', () => {
  it.each([
    ['POST /accounts/create', (service: Service) => createAccount(service)],
    ['POST /credits/balance', (service: Service) => readBalance(service)],
    [
      'POST /topup/create',
      (service: Service) => createTopup(service, { method: 'btc', amount: 1, currency: 'USD' }),
    ],
    [
      'a data endpoint that is a GET',
      (service: Service) => passed(service, 'data', { method: 'GET', below: '/api/maps/place-details/full' }),
    ],
  ])('%s', async (_name, call) => {
    for (const failure of [refused, errors['upstream']!, errors['rateLimited']!]) {
      const { service, sent, waits } = scripted([failure, fine])
      await codeOf(call(service))
      expect([sent.length, waits]).toEqual([1, []])
    }
  })
})

describe('credentials', () => {
  const image = { status: 200, headers: { 'content-type': 'image/png' }, text: 'x' }
  it.each([
    `${BASE}/v1/media/gen_a/0?sig=a&exp=1`,
    '/v1/media/gen_a/0?sig=a&exp=1',
    'https://AUDIO.service.example:443/v1/media/x?sig=b',
  ])('aren’t sent to a signed address: %s', async (url) => {
    const { service, sent } = scripted([image])
    await readWhole(await perform(service, mediaAt(url)))
    expect(Object.keys(sent[0]?.headers ?? {}).sort()).toEqual(['accept', 'accept-encoding'])
    expect(JSON.stringify(sent)).not.toMatch(new RegExp(`${API_KEY}|${CREDIT_ID}`))
  })
  it.each([
    'https://elsewhere.example/v1/media/gen_a/0',
    'http://api.service.example/x',
    'https://api.service.example.evil.example/',
    'https://api.service.example@evil.example/',
    'https://user:pass@api.service.example/x',
    '//evil.example/x',
    '\\\\evil.example/x',
    'https://api.service.example:8443/',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    'javascript:alert(1)',
    'https://[',
    'http://127.0.0.1/',
    'ftp://api.service.example/',
  ])('an address of another origin gets no request: %s', async (url) => {
    const { service, sent } = scripted([image])
    expect(await codeOf(perform(service, mediaAt(url)))).toBe('service/foreign-address')
    expect(sent).toEqual([])
  })
  it('a redirect fails and isn’t followed', async () => {
    const { service, sent } = scripted([errors['redirect']!])
    expect(await codeOf(listKeys(service))).toBe('service/failed')
    expect(sent.map(({ url, redirect }) => [url, redirect])).toEqual([[`${BASE}/keys`, 'manual']])
  })
  it('are read for each request', async () => {
    const { service, sent } = scripted([fine, fine])
    let access: ServiceAccess = account
    const changing = { ...service, access: () => access }
    await perform(changing, keyed)
    access = { ...account, apiKey: 'sk-another-key-of-mine' }
    await perform(changing, keyed)
    expect(sent.map(({ headers }) => headers['authorization'])).toEqual([
      `Bearer ${API_KEY}`,
      'Bearer sk-another-key-of-mine',
    ])
  })
})

const keyed: ServiceRequest<unknown> = {
  method: 'GET',
  target: { path: '/x' },
  auth: 'key',
  read: jsonAnswer(z.unknown(), msg('The response isn’t anything.'), 1000),
}

describe('a response', () => {
  it('beyond the size limit is refused, however it’s split', async () => {
    for (const size of [1001, 100_000])
      expect(
        await codeOf(perform(scripted([{ status: 200, text: `"${'x'.repeat(size)}"` }]).service, keyed)),
      ).toBe('service/response-invalid')
    expect(
      await perform(scripted([{ status: 200, text: `"${'x'.repeat(998)}"` }]).service, keyed),
    ).toHaveLength(998)
  })
  it('with a compressed body is refused', async () => {
    expect(
      await codeOf(
        perform(
          scripted([{ status: 200, headers: { 'content-encoding': 'gzip' }, text: '1' }]).service,
          keyed,
        ),
      ),
    ).toBe('service/response-invalid')
    expect(
      await perform(
        scripted([{ status: 200, headers: { 'content-encoding': 'identity' }, text: '1' }]).service,
        keyed,
      ),
    ).toBe('1')
  })
  it('with a status of 1xx or 3xx fails', async () => {
    for (const status of [100, 199, 300, 304, 399])
      expect(await codeOf(perform(scripted([{ status, text: '1' }]).service, keyed))).toBe('service/failed')
  })
})

describe('over a network', () => {
  let server: Server
  let stop: (() => Promise<void>) | undefined
  afterEach(async () => {
    server.closeAllConnections()
    server.close()
    await stop?.()
  })
  async function serving(handle: RequestListener): Promise<Service> {
    server = createServer(handle)
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const network = createOutboundFetch({})
    stop = () => network.close()
    const access = {
      ...account,
      baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    }
    return { fetch: network.fetch, access: () => access }
  }

  it('aborting a request closes its connection, before and during the response', async () => {
    for (const begin of [false, true]) {
      const gone = Promise.withResolvers<undefined>()
      const arrived = Promise.withResolvers<undefined>()
      const service = await serving((_request, response) => {
        response.on('close', () => gone.resolve(undefined))
        if (begin) response.writeHead(200).write('{')
        arrived.resolve(undefined)
      })
      const controller = new AbortController()
      const work = codeOf(perform(service, keyed, { signal: controller.signal }))
      await arrived.promise
      controller.abort()
      expect(await work).toBe('request/canceled')
      await gone.promise
      if (!begin) {
        server.closeAllConnections()
        server.close()
        await stop?.()
      }
    }
  })
  it('a request that was aborted before it began sends nothing', async () => {
    let asked = 0
    const service = await serving((_request, response) => {
      asked++
      response.end('1')
    })
    expect(await codeOf(perform(service, keyed, { signal: AbortSignal.abort() }))).toBe('request/canceled')
    expect(asked).toBe(0)
  })
  it('a silent service causes a timeout', async () => {
    const service = await serving((_request, response) => void response.writeHead(200).write('{'))
    expect(await codeOf(perform(service, { ...keyed, timeoutMs: 30 }))).toBe('service/timeout')
    const quiet = await serving(() => undefined)
    expect(await codeOf(perform(quiet, { ...keyed, timeoutMs: 30 }))).toBe('service/timeout')
  })
  it('a truncated response is reported as interrupted', async () => {
    const service = await serving((_request, response) =>
      response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy()),
    )
    expect(await codeOf(perform(service, keyed))).toBe('service/interrupted')
  })
  it('a refused connection is reported as unreachable', async () => {
    const service = await serving(() => undefined)
    await new Promise((closed) => server.close(closed))
    expect(await codeOf(perform(service, keyed))).toBe('service/unreachable')
  })
})

async function* broken(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from('{"supported'))
  throw new Error('reset by peer')
}

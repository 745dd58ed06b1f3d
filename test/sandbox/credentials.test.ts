import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../src/sandbox/routes/index.ts'
import { startService, type Service } from './service-client.ts'

let services: Record<'A' | 'B', Service>
beforeAll(async () => {
  const [a, b] = await Promise.all([startService({ revision: 'A' }), startService()])
  services = { A: a, B: b }
})
afterAll(async () => {
  for (const service of Object.values(services)) await service[Symbol.asyncDispose]()
})

/** What the specification sells for a key: by its first path, as the revision has it. */
const sold = {
  A: [
    'POST /v1/chat/completions',
    'POST /api/v1/audio/transcriptions',
    'POST /api/v1/audio/speech',
    'POST /v1/embeddings',
    'POST /topup/create/btc',
    'GET /topup/status/x',
    'GET /v1/videos/x',
  ],
  B: [
    'POST /v1/chat/completions',
    'POST /v1/audio/transcriptions',
    'POST /v1/audio/speech',
    'POST /v1/embeddings',
    'POST /topup/create/btc',
    'GET /topup/status/x',
    'GET /v1/videos/x',
  ],
} as const

const image = { model: 'sandbox/affresco-image', prompt: 'x' }
const form = `--b\r\nContent-Disposition: form-data; name="model"\r\n\r\n${image.model}\r\n--b\r\nContent-Disposition: form-data; name="prompt"\r\n\r\nx\r\n--b\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n`
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe.each(['A', 'B'] as const)('revision %s', (revision) => {
  test('endpoints for accounts only require a key with Authorization: Bearer', async () => {
    const service = services[revision]
    for (const name of sold[revision]) {
      const [method = '', path = ''] = name.split(' ')
      expect([name, (await service.call(method, path)).status]).toEqual([name, 401])
      expect([
        name,
        (await service.call(method, path, { headers: { authorization: 'Bearer sk-0000000000000000000000' } }))
          .status,
      ]).toEqual([name, 401])
      const known = (
        await service.call(method, path, { headers: { authorization: `Bearer ${service.account.apiKey}` } })
      ).status
      expect([name, known === 401]).toEqual([name, false])
    }
  })

  test('payable endpoints return a challenge without a key, and refuse a wrong one', async () => {
    const service = services[revision]
    const payable = routes
      .filter(
        (route) => route.payable && (route.facts.revision === undefined || route.facts.revision === revision),
      )
      .map(({ facts }) => facts)
    const bodies: Record<string, unknown> = {
      '/v1/images/generations': image,
      '/v1/videos': { model: 'sandbox/carosello-video', prompt: 'x' },
    }
    for (const { method, path } of payable) {
      const isForm = path === '/v1/images/edits'
      const answer = await fetch(`${service.sandbox.baseUrl}${path}${method === 'GET' ? '?placeId=x' : ''}`, {
        method,
        headers: { 'content-type': isForm ? 'multipart/form-data; boundary=b' : 'application/json' },
        ...(method === 'POST' && {
          body: isForm
            ? Buffer.concat([Buffer.from(form), png, Buffer.from('\r\n--b--\r\n')])
            : JSON.stringify(bodies[path] ?? {}),
        }),
      })
      expect([
        path,
        answer.status,
        answer.headers.get('www-authenticate')?.startsWith('Payment id='),
      ]).toEqual([path, 402, true])
      await answer.arrayBuffer()
      expect([
        path,
        (await service.call(method, path, { headers: { authorization: 'Bearer sk-0000000000000000000000' } }))
          .status,
      ]).toEqual([path, 401])
    }
    expect(
      payable
        .map(({ path }) => path)
        .filter((path) => !path.startsWith('/v1/data/'))
        .sort(),
    ).toEqual([...(revision === 'B' ? ['/v1/images/edits'] : []), '/v1/images/generations', '/v1/videos'])
    expect(payable.filter(({ path }) => path.startsWith('/v1/data/'))).toHaveLength(
      revision === 'A' ? 39 : 27,
    )
  })

  test('listings are public', async () => {
    const open = [
      '/v1/models',
      '/v1/data/endpoints',
      '/topup/payment-methods',
      ...(revision === 'B' ? ['/v1/audio/models', '/v1/audio/voices'] : ['/v1/media/models']),
    ]
    for (const path of open)
      expect([path, (await services[revision].call('GET', path)).status]).toEqual([path, 200])
    expect((await services[revision].call('POST', '/accounts/create')).status).toBe(201)
  })
})

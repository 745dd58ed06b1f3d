import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dataEndpointsOf } from '../../../../src/core/gateway/service/inference/data-endpoints.ts'
import type { Receipt } from '../../../../src/shared/receipt.ts'
import { startWorld, type World } from '../../../world.ts'

/** The paths other than chat, if the service has Revision A or if no account is connected. */
const codeOf = async (response: Response): Promise<[number, string]> => [
  response.status,
  ((await response.json()) as { error: { code: string } }).error.code,
]

function form(
  world: World,
  path: string,
  entries: readonly (readonly [string, string | File])[],
): Promise<Response> {
  const body = new FormData()
  for (const [name, value] of entries) body.append(name, value)
  return fetch(`${world.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.key}` },
    body,
  })
}
const get = (world: World, path: string): Promise<Response> =>
  fetch(`${world.baseUrl}${path}`, { headers: { authorization: `Bearer ${world.key}` } })
const wave = new File([Buffer.alloc(2000)], 'a.wav', { type: 'audio/wav' })

describe('Revision A with an unknown alternative address', () => {
  it('has no audio, and nothing is sent or charged', async () => {
    await using world = await startWorld({
      revision: 'A',
      profile: ({ alternativeBaseUrl: _, ...profile }) => ({ ...profile, revision: 'A' }),
    })
    for (const answer of [
      await world.post({ input: 'an otter' }, {}, '/v1/audio/speech'),
      await form(world, '/audio/transcriptions', [['file', wave]]),
    ]) {
      expect(await codeOf(answer)).toEqual([400, 'service/not-offered'])
      const [receipt] = (await world.call('receipts/list', {})) as Receipt[]
      expect(receipt).toMatchObject({
        privacy: 'refused',
        outcome: 'refused',
        code: 'service/not-offered',
        bytesSent: 0,
      })
      expect(receipt?.charged ?? '0').toBe('0')
    }
  })
})

describe('Revision A', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld({
      revision: 'A',
      profile: (profile) => ({ ...profile, revision: 'A', alternativeBaseUrl: profile.baseUrl }),
    })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  it('has all of its data endpoints, including the microblog group', async () => {
    const endpoints = dataEndpointsOf('A')
    expect(endpoints).toHaveLength(39)
    for (const { path, method } of endpoints.filter(
      ({ group, path }) => group === 'microblog' || path.endsWith('/full'),
    )) {
      const response = await (method === 'GET'
        ? get(world, `/data${path}?words=otters&placeId=x`)
        : world.post({ textQuery: 'otters' }, {}, `/v1/data${path}`))
      expect([path, response.status]).toEqual([path, 200])
      await response.text()
      const [receipt] = (await world.call('receipts/list', {})) as Receipt[]
      expect(receipt).toMatchObject({
        path: `/v1/data${path}`,
        cost: world.sandbox.ledger().at(-1)?.picoUsd.toString(),
      })
    }
  }, 60_000)

  it('generates speech and transcribes at its alternative address', async () => {
    const spoken = await world.post({ input: 'Nobody hears a whisper.' }, {}, '/v1/audio/speech')
    expect([spoken.status, spoken.headers.get('content-type')]).toEqual([200, 'audio/wav'])
    const sound = Buffer.from(await spoken.arrayBuffer())
    const [receipt] = (await world.call('receipts/list', {})) as Receipt[]
    // The service's only speech model is known, and so is the price.
    expect(receipt).toMatchObject({
      path: '/v1/audio/speech',
      model: '',
      cost: world.sandbox.ledger().at(-1)?.picoUsd.toString(),
    })
    const heard = await form(world, '/audio/transcriptions', [
      ['file', new File([sound], 'a.wav', { type: 'audio/wav' })],
      ['model', 'sandbox'],
      ['response_format', 'text'],
    ])
    expect(await codeOf(heard)).toEqual([404, 'service/not-found'])
    const again = await form(world, '/audio/transcriptions', [
      ['file', new File([sound], 'a.wav', { type: 'audio/wav' })],
      ['response_format', 'text'],
    ])
    expect([again.status, await again.text()]).toEqual([
      200,
      expect.stringContaining('Nobody hears a whisper.'),
    ])
    const paths = world.sandbox
      .received()
      .filter(({ method, path }) => method === 'POST' && path.includes('audio'))
      .map(({ path }) => path)
    expect(new Set(paths)).toEqual(new Set(['/api/v1/audio/speech', '/api/v1/audio/transcriptions']))
  })

  it.each([['private/x'], ['PRIVATE/x'], ['acme/voice'], ['private%2Fx'], ['ｐrivate/x']])(
    'lists no audio models, and sends no name with a slash: %s',
    async (model) => {
      world.outbound.length = 0
      const [, spoken] = await codeOf(await world.post({ input: 'an otter', model }, {}, '/v1/audio/speech'))
      const [, heard] = await codeOf(
        await form(world, '/audio/transcriptions', [
          ['file', wave],
          ['model', model],
        ]),
      )
      expect([spoken, heard]).toEqual(
        model === 'acme/voice' ? ['model/unknown', 'model/unknown'] : ['privacy/path', 'privacy/path'],
      )
      expect(Buffer.concat(world.outbound).toString()).not.toContain('POST')
    },
  )

  it('generates images, and lists the models for them separately', async () => {
    for (const path of ['/models?type=image,video', '/media/models']) {
      const { data } = (await (await get(world, path)).json()) as { data: { id: string }[] }
      expect(data.map(({ id }) => id)).toContain('sandbox/bozzetto-image')
    }
    const response = await world.post(
      { model: 'sandbox/bozzetto-image', prompt: 'x', n: 7 },
      {},
      '/v1/images/generations',
    )
    expect([response.status, ((await response.json()) as { data: object[] }).data.length]).toEqual([200, 7])
  })

  it('has no image edits, no voices and no audio models', async () => {
    expect(
      await codeOf(
        await form(world, '/images/edits', [
          ['image', wave],
          ['model', 'sandbox/bozzetto-image'],
          ['prompt', 'x'],
        ]),
      ),
    ).toEqual([400, 'service/not-offered'])
    expect(await codeOf(await get(world, '/audio/voices'))).toEqual([400, 'service/not-offered'])
    expect(await codeOf(await get(world, '/audio/models'))).toEqual([400, 'service/not-offered'])
  })
})

describe('without an account', () => {
  let world: World
  let granted: string
  beforeAll(async () => {
    world = await startWorld()
    granted = (
      (await world.call('localApi/create', { name: 'May pay', limits: { grants: ['pay-per-request'] } })) as {
        secret: string
      }
    ).secret
    await world.call('accounts/disconnect')
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const payable = [
    ['/v1/images/generations', { model: 'sandbox/bozzetto-image', prompt: 'an otter' }],
    ['/v1/videos', { model: 'sandbox/carosello-video', prompt: 'an otter' }],
    ['/v1/data/api/serp/news', { q: 'an otter' }],
  ] as const

  it.each(payable)(
    'a request to %s is paid per request for a key with that scope, if a wallet is connected',
    async (path, body) => {
      world.outbound.length = 0
      expect(await codeOf(await world.post(body, { authorization: `Bearer ${granted}` }, path))).toEqual([
        402,
        'wallet/not-connected',
      ])
      const refused = await world.post(body, {}, path)
      const { error } = (await refused.json()) as {
        error: { code: string; type: string; message: string; receipt: string }
      }
      expect([refused.status, error.code, error.type]).toEqual([
        403,
        'auth/insufficient-scope',
        'permission_error',
      ])
      expect(error.message).toContain('pay-per-request')
      expect(await world.call('receipts/get', { receiptId: error.receipt })).toMatchObject({
        privacy: 'refused',
        code: 'auth/insufficient-scope',
      })
      expect(world.outbound).toEqual([])
    },
  )

  it('a request that needs an account is refused', async () => {
    for (const [path, body] of [
      ['/v1/embeddings', { model: 'sandbox/eco-embedding-small', input: 'x' }],
      ['/v1/audio/speech', { input: 'x' }],
    ] as const) {
      expect(await codeOf(await world.post(body, { authorization: `Bearer ${granted}` }, path))).toEqual([
        401,
        'service/no-account',
      ])
    }
    expect(await codeOf(await get(world, '/videos/gen_x'))).toEqual([401, 'service/no-account'])
  })

  it('free endpoints work', async () => {
    for (const path of ['/audio/voices', '/audio/models', '/data/endpoints', '/models?type=embedding'])
      expect((await get(world, path)).status).toBe(200)
  })
})

import { describe, expect, it } from 'vitest'
import type { ServiceAccess } from '../../../../src/core/gateway/service/http/access.ts'
import { multipartBody } from '../../../../src/core/gateway/service/http/multipart.ts'
import { jsonBody, perform, type Service } from '../../../../src/core/gateway/service/http/perform.ts'
import { audioModelsRequest } from '../../../../src/core/gateway/service/inference/audio-models.ts'
import { startChatCompletion } from '../../../../src/core/gateway/service/inference/chat.ts'
import { listDataEndpoints } from '../../../../src/core/gateway/service/inference/data.ts'
import {
  dataEndpoints,
  dataEndpointsOf,
} from '../../../../src/core/gateway/service/inference/data-endpoints.ts'
import { readMedia, streamBody } from '../../../../src/core/gateway/service/inference/media-stream.ts'
import { listMediaModels, listModels } from '../../../../src/core/gateway/service/inference/models.ts'
import { listVoices } from '../../../../src/core/gateway/service/inference/voices.ts'
import {
  account,
  ALTERNATIVE,
  API_KEY,
  BASE,
  codeOf,
  mediaAt,
  passed,
  readWhole,
  recorded,
  responseOf,
  scripted,
  upload,
  type Recorded,
} from './scripted.ts'

const models = recorded('models')
const audio = recorded('audio')
const media = recorded('media')
const data = recorded('data')
const { apiKey: _, creditId: __, ...nobody } = account
const KEY = { authorization: `Bearer ${API_KEY}` }

/** An answer that is passed on byte for byte: nobody parses it. */
const passedOn: Recorded = {
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  text: '{"a": 1, "a": 0.12345678901234567890}',
}
const PASSED_ON = ['application/json; charset=utf-8', undefined, passedOn.text]

interface Case {
  readonly name: string
  readonly only?: 'A' | 'B'
  readonly call: (service: Service) => Promise<unknown>
  readonly answer: Recorded
  readonly access?: ServiceAccess
  /** Method, address, credentials, JSON body; by revision where they differ. */
  readonly sends: readonly [
    method: string,
    url: string | Readonly<Record<'A' | 'B', string>>,
    credentials: Record<string, string>,
    body?: unknown,
  ]
  readonly accept?: string
  readonly gives: unknown
}

const listOf = (entries: readonly unknown[], unreadable = 0): unknown => ({ entries, unreadable })
const audioAddress = (path: string): Record<'A' | 'B', string> => ({
  A: `${ALTERNATIVE}/api${path}`,
  B: `${BASE}${path}`,
})

const cases: Case[] = [
  {
    name: 'models',
    call: (service) => listModels(service),
    answer: models['all']!,
    access: nobody,
    sends: ['GET', `${BASE}/v1/models?type=all`, {}],
    gives: listOf(
      [
        {
          id: 'private/lento-1',
          name: 'Lento 1',
          private: true,
          provider: 'enclaves',
          type: 'chat',
          contextLength: 131_072,
          addedAt: 1_790_000_000_000,
          inputModalities: ['text'],
          outputModalities: ['text'],
          inputPerMillion: '4220000000000',
          outputPerMillion: '21100000000000',
        },
        {
          id: 'older-model',
          name: 'older-model',
          private: false,
          provider: 'someone',
          contextLength: 16_384,
          inputPerMillion: '527500000000',
          outputPerMillion: '1055000000000',
        },
        { id: 'auto', name: 'Auto', private: false, type: 'chat' },
        { id: 'euro-model', name: 'euro-model', private: false },
        {
          id: 'searching-model',
          name: 'searching-model',
          private: false,
          contextLength: 1000,
          inputPerMillion: '1000000000000',
          outputPerMillion: '1000000000000',
          webSearch: '20000000000',
        },
        {
          id: 'averaged-model',
          name: 'averaged-model',
          private: false,
          provider: 'someone',
          contextLength: 8192,
          addedAt: Date.UTC(2026, 4, 4),
          averageCost: '3100000000',
          promptsPerDollar: 322,
          inputPerMillion: '1000000000000',
          outputPerMillion: '1000000000000',
        },
        {
          id: 'averages-beside-prices',
          name: 'averages-beside-prices',
          private: false,
          averageCost: '400000',
          promptsPerDollar: 2_500_000.5,
        },
        { id: 'no-averages', name: 'no-averages', private: false, addedAt: 1_790_000_000_000 },
        { id: 'euro-averages', name: 'euro-averages', private: false },
        { id: 'garbled', name: 'garbled', private: false },
      ],
      1,
    ),
  },
  {
    name: 'embedding models',
    call: (service) => listModels(service, { type: 'embedding' }),
    answer: models['all']!,
    access: nobody,
    sends: ['GET', `${BASE}/v1/models?type=embedding`, {}],
    gives: { entries: expect.any(Array) as unknown, unreadable: 1 },
  },
  {
    name: 'media models',
    call: (service) => listMediaModels(service),
    answer: models['media']!,
    access: nobody,
    sends: ['GET', { A: `${BASE}/v1/media/models`, B: `${BASE}/v1/models?type=image%2Cvideo` }, {}],
    gives: listOf(
      [
        expect.objectContaining({
          id: 'affresco-1',
          mediaPrice: {
            base: '80500000000',
            tables: [
              { by: 'quality', of: { low: '23000000000', medium: '80500000000', high: '218500000000' } },
            ],
          },
        }),
        expect.objectContaining({
          id: 'nested-image',
          mediaPrice: {
            tables: [
              {
                by: 'quality',
                of: {
                  low: { by: 'size', of: { '1:1': '10000000000', '16:9': '20000000000' } },
                  high: { by: 'size', of: { '1:1': '100000000000', '16:9': '200000000000' } },
                },
              },
            ],
          },
        }),
        expect.objectContaining({
          id: 'tiers-image',
          mediaPrice: { tables: [{ of: { '1k': '40000000000', '4k': '90000000000' } }] },
        }),
        { id: 'odd-image', name: 'odd-image', private: false, type: 'image' },
        expect.objectContaining({
          id: 'carosello-1',
          mediaPrice: {
            base: '402500000000',
            tables: [{ by: 'duration', of: { 5: '402500000000', 10: '805000000000' } }],
          },
        }),
        expect.objectContaining({ id: 'per-second', mediaPrice: { perSecond: '30000000000', tables: [] } }),
      ],
      0,
    ),
  },
  {
    name: 'voices',
    only: 'B',
    call: (service) => listVoices(service),
    answer: audio['voices']!,
    access: nobody,
    sends: ['GET', `${BASE}/v1/audio/voices`, {}],
    gives: listOf(
      [
        {
          id: 'aura-2-thalia-en',
          name: 'Thalia',
          modelId: 'deepgram_aura_2',
          language: 'en',
          provider: 'deepgram',
        },
        { id: '21m00Tcm4TlvDq8ikWAM', name: '21m00Tcm4TlvDq8ikWAM' },
      ],
      1,
    ),
  },
  {
    name: 'audio models',
    only: 'B',
    call: (service) => perform(service, audioModelsRequest),
    answer: audio['models']!,
    access: nobody,
    sends: ['GET', `${BASE}/v1/audio/models`, {}],
    gives: listOf(
      [
        { id: 'first-stt-3', name: 'First 3', provider: 'deepgram', price: { amount: '6330000000' } },
        {
          id: 'second_family_v4',
          name: 'second_family_v4',
          type: 'tts',
          price: { amount: '189900000000', per: 'thousand-characters' },
        },
        { id: 'by-minute', name: 'by-minute', price: { amount: '10000000000', per: 'minute' } },
        { id: 'by-hogshead', name: 'by-hogshead' },
        { id: 'unpriced', name: 'unpriced' },
      ],
      0,
    ),
  },
  {
    name: 'the data catalogue',
    call: (service) => listDataEndpoints(service),
    answer: data['underData']!,
    access: nobody,
    sends: ['GET', `${BASE}/v1/data/endpoints`, {}],
    gives: listOf(
      [
        {
          path: '/api/websearch/search',
          method: 'POST',
          name: 'Search',
          description: 'Search the web',
          group: 'websearch',
          price: 11_500_000_000n,
        },
        { path: '/api/maps/place-details/full', method: 'GET', price: 57_500_000_000n },
        { path: '/api/serp/news', method: 'POST', price: 4_600_000_000n },
        { path: '/api/forum/search', method: 'POST' },
      ],
      2,
    ),
  },
  {
    name: 'the data catalogue, bare',
    call: (service) => listDataEndpoints(service),
    answer: data['bare']!,
    access: nobody,
    sends: ['GET', `${BASE}/v1/data/endpoints`, {}],
    gives: listOf([{ path: '/x/tweets/search', method: 'GET', price: 11_500_000_000n }]),
  },
  {
    name: 'the data catalogue, with whole addresses',
    call: (service) => listDataEndpoints(service),
    answer: data['underEndpoints']!,
    access: nobody,
    sends: ['GET', `${BASE}/v1/data/endpoints`, {}],
    gives: listOf([{ path: '/api/people/people-search', method: 'POST', price: 230_000_000_000n }]),
  },
  {
    name: 'embeddings',
    call: (service) =>
      passed(service, 'embeddings', {
        method: 'POST',
        body: jsonBody({ model: 'eco', input: ['a', 'b'], dimensions: undefined }),
      }),
    answer: passedOn,
    accept: '*/*',
    sends: ['POST', `${BASE}/v1/embeddings`, KEY, { model: 'eco', input: ['a', 'b'] }],
    gives: PASSED_ON,
  },
  {
    name: 'speech',
    call: (service) =>
      passed(service, 'audio/speech', { method: 'POST', body: jsonBody({ input: 'Hello', voice: 'v' }) }),
    answer: audio['speech']!,
    accept: '*/*',
    sends: ['POST', audioAddress('/v1/audio/speech'), KEY, { input: 'Hello', voice: 'v' }],
    gives: ['audio/mpeg', 9, 'not-a-mp3'],
  },
  {
    name: 'images',
    call: (service) =>
      passed(service, 'images/generations', { method: 'POST', body: jsonBody({ model: 'm', n: 2 }) }),
    answer: passedOn,
    accept: '*/*',
    sends: ['POST', `${BASE}/v1/images/generations`, KEY, { model: 'm', n: 2 }],
    gives: PASSED_ON,
  },
  {
    name: 'images without an account',
    call: (service) =>
      passed(service, 'images/generations', { method: 'POST', body: jsonBody({ model: 'm' }) }),
    answer: passedOn,
    access: nobody,
    accept: '*/*',
    sends: ['POST', `${BASE}/v1/images/generations`, {}, { model: 'm' }],
    gives: PASSED_ON,
  },
  {
    name: 'a video',
    call: (service) => passed(service, 'videos', { method: 'POST', body: jsonBody({ model: 'm' }) }),
    answer: { ...passedOn, status: 202 },
    accept: '*/*',
    sends: ['POST', `${BASE}/v1/videos`, KEY, { model: 'm' }],
    gives: PASSED_ON,
  },
  {
    name: 'the state of a video',
    call: (service) => passed(service, 'videos/status', { method: 'GET', below: '/gen_Zx81-a' }),
    answer: { ...passedOn, status: 202 },
    accept: '*/*',
    sends: ['GET', `${BASE}/v1/videos/gen_Zx81-a`, KEY],
    gives: PASSED_ON,
  },
  {
    name: 'a data call by POST',
    call: (service) =>
      passed(service, 'data', {
        method: 'POST',
        below: '/api/people/people-search',
        body: jsonBody({ q_keywords: 'x', person_locations: ['Roma'] }),
      }),
    answer: passedOn,
    accept: '*/*',
    sends: [
      'POST',
      `${BASE}/v1/data/api/people/people-search`,
      KEY,
      { q_keywords: 'x', person_locations: ['Roma'] },
    ],
    gives: PASSED_ON,
  },
  {
    name: 'a data call by GET without an account',
    call: (service) =>
      passed(service, 'data', {
        method: 'GET',
        below: '/api/maps/place-details/full',
        query: { placeId: 'a&b=c', page: 2, deep: true },
      }),
    answer: passedOn,
    access: nobody,
    accept: '*/*',
    sends: ['GET', `${BASE}/v1/data/api/maps/place-details/full?placeId=a%26b%3Dc&page=2&deep=true`, {}],
    gives: PASSED_ON,
  },
]

async function* mebibytes(count: number): AsyncGenerator<Uint8Array> {
  const one = new Uint8Array(2 ** 20)
  for (let sent = 0; sent < count; sent++) yield await Promise.resolve(one)
}

describe.each(['A', 'B'] as const)('Revision %s', (revision) => {
  it.each(cases.filter(({ only = revision }) => only === revision))(
    '$name',
    async ({
      call,
      answer,
      access = account,
      accept = 'application/json',
      sends: [method, url, credentials, body],
      gives,
    }) => {
      const { service, sent } = scripted([answer], { ...access, revision })
      expect(await call(service)).toEqual(gives)
      expect(sent).toHaveLength(1)
      const [
        {
          headers: { accept: accepts, 'accept-encoding': encoding, 'content-type': type, ...others },
          ...request
        },
      ] = sent as [(typeof sent)[number]]
      expect({
        ...request,
        body: request.body === undefined ? undefined : (JSON.parse(request.body) as unknown),
      }).toEqual({ method, url: typeof url === 'string' ? url : url[revision], body, redirect: 'manual' })
      expect([accepts, encoding, type]).toEqual([
        accept,
        'identity',
        body === undefined ? undefined : 'application/json',
      ])
      expect(others).toEqual(credentials)
    },
  )

  it('sends a recording as a form of known length', async () => {
    const { service, sent } = scripted([audio['srt']!], { ...account, revision })
    const body = multipartBody({
      fields: [['language', 'multi']],
      files: [{ field: 'file', upload: upload('a.MP3', 'BYTES') }],
    })
    expect(await passed(service, 'audio/transcriptions', { method: 'POST', body })).toEqual([
      'application/x-subrip',
      undefined,
      audio['srt']!.text,
    ])
    const [{ url, headers, body: form }] = sent as [(typeof sent)[number]]
    expect(url).toBe(audioAddress('/v1/audio/transcriptions')[revision])
    expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=sotto-[\w-]+$/)
    expect(headers['content-length']).toBe(String(form?.length))
    expect(headers['authorization']).toBe(KEY.authorization)
    for (const part of [
      'name="language"\r\n\r\nmulti\r\n',
      'name="file"; filename="a.MP3"\r\ncontent-type: audio/mpeg\r\n\r\nBYTES\r\n',
    ])
      expect(form).toContain(part)
  })
})

it('sends a chat unchanged, and returns any status', async () => {
  const { service, sent } = scripted([recorded('errors')['chatEmpty']!])
  const response = await startChatCompletion(
    service.fetch,
    service.access(),
    Buffer.from('{"model":"m"}'),
    new AbortController().signal,
  )
  expect(response.status).toBe(402)
  expect(sent).toEqual([
    {
      method: 'POST',
      url: `${BASE}/v1/chat/completions`,
      headers: { ...KEY, 'content-type': 'application/json', 'x-query-source': 'api' },
      body: '{"model":"m"}',
      redirect: 'manual',
    },
  ])
})

it('sends an image edit as a form, with the same bytes for the same boundary', async () => {
  const { service, sent } = scripted([passedOn, passedOn])
  for (const _time of [1, 2])
    await passed(service, 'images/edits', {
      method: 'POST',
      body: multipartBody({
        fields: [
          ['model', 'm'],
          ['prompt', 'brighter'],
        ],
        files: [{ field: 'image', upload: upload('a.png', 'PNG', 'image/png') }],
        boundary: 'sotto-0123456789abcdef',
      }),
    })
  expect(sent[0]).toEqual(sent[1])
  expect(sent[0]).toMatchObject({
    method: 'POST',
    url: `${BASE}/v1/images/edits`,
    headers: { ...KEY, 'content-type': 'multipart/form-data; boundary=sotto-0123456789abcdef' },
  })
  expect(sent[0]?.body?.split('\r\n').filter((line) => line.startsWith('content-disposition'))).toEqual([
    'content-disposition: form-data; name="model"',
    'content-disposition: form-data; name="prompt"',
    'content-disposition: form-data; name="image"; filename="a.png"',
  ])
})

describe('a request is refused before it is sent', () => {
  const body = jsonBody({})
  it.each<[string, 'A' | 'B', (service: Service) => Promise<unknown>, string]>([
    [
      'an edit',
      'A',
      (service) => passed(service, 'images/edits', { method: 'POST', body }),
      'service/not-offered',
    ],
    ['voices', 'A', (service) => listVoices(service), 'service/not-offered'],
    [
      'voices as the service lists them',
      'A',
      (service) => passed(service, 'audio/voices', { method: 'GET' }),
      'service/not-offered',
    ],
    [
      'audio models',
      'A',
      (service) => passed(service, 'audio/models', { method: 'GET' }),
      'service/not-offered',
    ],
    [
      'a video id that climbs',
      'B',
      (service) => passed(service, 'videos/status', { method: 'GET', below: '/gen_../../keys' }),
      'proxy/internal',
    ],
    [
      'a data path that climbs',
      'B',
      (service) => passed(service, 'data', { method: 'POST', below: '/api/../../keys', body }),
      'proxy/internal',
    ],
    [
      'a data path with a query',
      'B',
      (service) => passed(service, 'data', { method: 'POST', below: '/api/maps/x?a=b', body }),
      'proxy/internal',
    ],
  ])('%s (Revision %s)', async (_name, revision, call, code) => {
    const { service, sent } = scripted([], { ...account, revision })
    const work = Promise.resolve().then(() => call(service))
    await expect(work).rejects.toMatchObject({ code, details: {} })
    expect(sent).toEqual([])
  })
  it.each(['embeddings', 'audio/speech', 'audio/transcriptions', 'videos/status'] as const)(
    'if %s needs an API key and has none',
    async (endpoint) => {
      const { service, sent } = scripted([], nobody)
      expect(await codeOf(passed(service, endpoint, { method: 'POST', body }))).toBe('service/no-account')
      expect(sent).toEqual([])
    },
  )
})

describe('a response of another form is refused', () => {
  it.each<[string, (service: Service) => Promise<unknown>, Recorded[]]>([
    [
      'models',
      (service) => listModels(service),
      [
        { status: 200, body: {} },
        { status: 200, body: { data: {} } },
        { status: 200, body: { data: null } },
        { status: 200, body: { errors: [] } },
        { status: 200, body: { error: ['none of these'] } },
        { status: 200, body: Array.from({ length: 10_001 }, () => 1) },
        { status: 200, body: { data: Array.from({ length: 10_001 }, () => 1) } },
      ],
    ],
    ['the data catalogue', (service) => listDataEndpoints(service), [{ status: 200, body: { paths: [] } }]],
    [
      'speech',
      (service) => passed(service, 'audio/speech', { method: 'POST', body: jsonBody({ input: 'x' }) }),
      [media['page']!, audio['transcript']!, { status: 200, text: 'no type' }],
    ],
    [
      'data',
      (service) => passed(service, 'data', { method: 'POST', below: '/api/serp/news' }),
      [media['page']!, audio['speech']!],
    ],
  ])('%s', async (_name, call, answers) => {
    for (const answer of answers)
      expect([answer, await codeOf(call(scripted([answer]).service))]).toEqual([
        answer,
        'service/response-invalid',
      ])
  })
})

describe('media', () => {
  const url = `${BASE}/v1/media/gen_a/0?sig=a&exp=1`
  const fetched = (answer: Recorded): Promise<unknown> =>
    perform(scripted([answer]).service, mediaAt(url)).then(readWhole)
  it('is returned with its type', async () =>
    expect(await fetched({ ...media['png']!, headers: { 'content-type': 'Image/PNG; x=y' } })).toEqual([
      'image/png',
      undefined,
      '\u0089PN',
    ]))
  it.each(['svg', 'page'])('is refused if it is %s', async (name) =>
    expect(await codeOf(fetched(media[name]!))).toBe('service/response-invalid'),
  )
  it('is refused without a type', async () =>
    expect(await codeOf(fetched({ status: 200, text: 'x' }))).toBe('service/response-invalid'))
  it('is reported as incomplete if it differs from its announced length', async () => {
    expect(
      await codeOf(
        fetched({ ...media['png']!, headers: { 'content-type': 'image/png', 'content-length': '9' } }),
      ),
    ).toBe('service/interrupted')
  })
  it('is refused above 1 GiB, announced or not', async () => {
    const headers = { 'content-type': 'video/mp4', 'content-length': String(2 ** 30 + 1) }
    expect(await codeOf(fetched({ status: 200, headers, text: '' }))).toBe('service/response-invalid')
    const { body } = readMedia({
      ...responseOf({ status: 200, headers: { 'content-type': 'video/mp4' }, text: '' }),
      body: mebibytes(2 ** 10 + 1),
    })
    let received = 0
    const all = async (): Promise<void> => {
      for await (const { byteLength } of body) received += byteLength
    }
    expect(await codeOf(all())).toBe('service/response-invalid')
    expect(received).toBe(2 ** 30)
  })
  it('is refused above any size limit, announced or not', async () => {
    const streamed = async (length: number, headers: Record<string, string>): Promise<unknown> =>
      readWhole({
        contentType: '',
        ...streamBody(responseOf({ status: 200, headers, text: 'x'.repeat(length) }), 10),
      })
    expect(await codeOf(streamed(11, { 'content-length': '11' }))).toBe('service/response-invalid')
    expect(await codeOf(streamed(11, {}))).toBe('service/response-invalid')
    expect(await streamed(10, { 'content-length': '10' })).toEqual(['', 10, 'x'.repeat(10)])
  })
  it('is refused as not found or as a refused key if its link has expired', async () => {
    for (const [answer, code] of [
      [media['gone']!, 'service/key-expired'],
      [recorded('errors')['unknownRoute']!, 'service/not-found'],
      [{ status: 410, text: '' }, 'service/not-found'],
      [{ status: 401, body: {} }, 'service/key-refused'],
    ] as const)
      expect(await codeOf(fetched(answer))).toBe(code)
  })
})

describe('the data endpoints', () => {
  it('are 39 in Revision A and 27 in B, each listed once', () => {
    expect([dataEndpoints.length, dataEndpointsOf('A').length, dataEndpointsOf('B').length]).toEqual([
      39, 39, 27,
    ])
    expect(new Set(dataEndpoints.map(({ path }) => path)).size).toBe(39)
    expect(dataEndpointsOf('B').every(({ path }) => path.startsWith('/api/'))).toBe(true)
    expect(
      dataEndpointsOf('A')
        .filter(({ group }) => group === 'microblog')
        .every(({ path, method }) => path.startsWith('/x/') && method === 'GET'),
    ).toBe(true)
  })
})

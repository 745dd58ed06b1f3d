import { describe, expect, it } from 'vitest'
import type { ServiceAccess } from '../../../../src/core/gateway/service/http/access.ts'
import type { Service } from '../../../../src/core/gateway/service/http/perform.ts'
import { listAudioModels } from './typed-client/audio-models.ts'
import { startChatCompletion } from '../../../../src/core/gateway/service/inference/chat.ts'
import { listDataEndpoints } from '../../../../src/core/gateway/service/inference/data.ts'
import { callData } from './typed-client/data.ts'
import {
  dataEndpoints,
  dataEndpointsOf,
} from '../../../../src/core/gateway/service/inference/data-endpoints.ts'
import { createEmbeddings } from './typed-client/embeddings.ts'
import { editImage, generateImages } from './typed-client/images.ts'
import { downloadMedia } from './typed-client/media.ts'
import { listMediaModels, listModels } from '../../../../src/core/gateway/service/inference/models.ts'
import { speak } from './typed-client/speech.ts'
import { transcribe } from './typed-client/transcriptions.ts'
import { readVideo, submitVideo } from './typed-client/videos.ts'
import { listVoices } from '../../../../src/core/gateway/service/inference/voices.ts'
import {
  account,
  ALTERNATIVE,
  API_KEY,
  BASE,
  bytesOf,
  codeOf,
  recorded,
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
    name: 'embeddings',
    call: (service) => createEmbeddings(service, { model: 'eco', input: ['a', 'b'], dimensions: 2 }),
    answer: media['embeddings']!,
    sends: ['POST', `${BASE}/v1/embeddings`, KEY, { model: 'eco', input: ['a', 'b'], dimensions: 2 }],
    gives: {
      model: 'eco',
      vectors: [
        [0.001, 2],
        [0.25, -1],
      ],
      totalTokens: 4,
    },
  },
  {
    name: 'an embedding in base64',
    call: (service) => createEmbeddings(service, { model: 'eco', input: 'a', encodingFormat: 'base64' }),
    answer: media['embeddingsBase64']!,
    sends: ['POST', `${BASE}/v1/embeddings`, KEY, { model: 'eco', input: 'a', encoding_format: 'base64' }],
    gives: { vectors: ['AACAPw=='], totalTokens: 4 },
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
    call: (service) => listAudioModels(service),
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
    name: 'speech',
    call: (service) =>
      speak(service, { input: 'Hello', model: 'deepgram_aura_2', voice: 'aura-2-thalia-en' }).then(read),
    answer: audio['speech']!,
    accept: 'audio/*',
    sends: [
      'POST',
      audioAddress('/v1/audio/speech'),
      KEY,
      { input: 'Hello', model: 'deepgram_aura_2', voice: 'aura-2-thalia-en' },
    ],
    gives: ['audio/mpeg', 9, 'not-a-mp3'],
  },
  {
    name: 'images',
    call: (service) =>
      generateImages(service, { model: 'affresco-1', prompt: 'a cat', n: 2, quality: 'high', size: '16:9' }),
    answer: media['images']!,
    sends: [
      'POST',
      `${BASE}/v1/images/generations`,
      KEY,
      { model: 'affresco-1', prompt: 'a cat', n: 2, quality: 'high', size: '16:9' },
    ],
    gives: {
      createdAt: 1_788_151_443_000,
      model: 'affresco-1',
      cost: 80_500_000_000n,
      images: [
        {
          url: 'https://api.service.example/v1/media/gen_abc/0?sig=5f2c&exp=1788237843',
          contentType: 'image/png',
        },
        { base64: 'iVBORw0KGgo=' },
      ],
    },
  },
  {
    name: 'images with what Revision B knows',
    only: 'B',
    call: (service) =>
      generateImages(service, {
        model: 'm',
        imageUrl: 'data:image/png;base64,AAAA',
        resolution: '2K',
        negativePrompt: 'dogs',
        outputFormat: 'webp',
      }),
    answer: media['images']!,
    sends: [
      'POST',
      `${BASE}/v1/images/generations`,
      KEY,
      {
        model: 'm',
        image_url: 'data:image/png;base64,AAAA',
        resolution: '2K',
        negative_prompt: 'dogs',
        output_format: 'webp',
      },
    ],
    gives: expect.any(Object),
  },
  {
    name: 'images of nobody',
    call: (service) => generateImages(service, { model: 'm', prompt: 'p' }),
    answer: media['images']!,
    access: nobody,
    sends: ['POST', `${BASE}/v1/images/generations`, {}, { model: 'm', prompt: 'p' }],
    gives: expect.any(Object),
  },
  {
    name: 'a video',
    call: (service) =>
      submitVideo(service, {
        model: 'carosello-1',
        prompt: 'slowly',
        aspectRatio: '9:16',
        duration: '5',
        quality: '720p',
        imageUrl: 'https://pictures.example/a.png',
      }),
    answer: media['videoSubmitted']!,
    sends: [
      'POST',
      `${BASE}/v1/videos`,
      KEY,
      {
        model: 'carosello-1',
        prompt: 'slowly',
        aspect_ratio: '9:16',
        duration: '5',
        quality: '720p',
        image_url: 'https://pictures.example/a.png',
      },
    ],
    gives: {
      id: 'gen_Zx81-a',
      state: 'pending',
      model: 'carosello-1',
      createdAt: 1_788_151_443_000,
      estimatedCost: 402_500_000_000n,
    },
  },
  {
    name: 'a video of nobody',
    call: (service) => submitVideo(service, { model: 'm', prompt: 'p' }),
    answer: media['videoSubmittedPaid']!,
    access: nobody,
    sends: ['POST', `${BASE}/v1/videos`, {}, { model: 'm', prompt: 'p' }],
    gives: expect.objectContaining({
      statusUrl: 'https://api.service.example/v1/videos/gen_Zx81-a?sig=aa&exp=1788237843',
      estimatedCost: 402_500_000_000n,
    }),
  },
  {
    name: 'a video that is made',
    call: (service) => readVideo(service, { id: 'gen_Zx81-a' }),
    answer: media['videoPending']!,
    sends: ['GET', `${BASE}/v1/videos/gen_Zx81-a`, KEY],
    gives: expect.objectContaining({ state: 'pending' }),
  },
  {
    name: 'a video that is made, in another word',
    call: (service) => readVideo(service, { id: 'gen_Zx81-a' }),
    answer: media['videoProcessing']!,
    sends: ['GET', `${BASE}/v1/videos/gen_Zx81-a`, KEY],
    gives: expect.objectContaining({ state: 'pending' }),
  },
  {
    name: 'a video that is done, by its signed address',
    access: account,
    call: (service) =>
      readVideo(service, { id: 'gen_Zx81-a', statusUrl: '/v1/videos/gen_Zx81-a?sig=aa&exp=1788237843' }),
    answer: media['videoCompleted']!,
    sends: ['GET', `${BASE}/v1/videos/gen_Zx81-a?sig=aa&exp=1788237843`, {}],
    gives: expect.objectContaining({
      state: 'completed',
      cost: 402_500_000_000n,
      result: {
        url: 'https://api.service.example/v1/media/gen_Zx81-a/0?sig=bb&exp=1788237843',
        contentType: 'video/mp4',
      },
    }),
  },
  {
    name: 'a video that failed',
    call: (service) => readVideo(service, { id: 'gen_Zx81-a' }),
    answer: media['videoFailedText']!,
    sends: ['GET', `${BASE}/v1/videos/gen_Zx81-a`, KEY],
    gives: { id: 'gen_Zx81-a', state: 'failed', failure: 'The prompt was refused' },
  },
  {
    name: 'a video that failed, as an object',
    call: (service) => readVideo(service, { id: 'gen_Zx81-a' }),
    answer: media['videoFailedObject']!,
    sends: ['GET', `${BASE}/v1/videos/gen_Zx81-a`, KEY],
    gives: { id: 'gen_Zx81-a', state: 'failed', failure: 'The prompt was refused' },
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
    name: 'a data call by POST',
    call: (service) =>
      callData(
        service,
        { path: '/api/people/people-search', method: 'POST' },
        { q_keywords: 'x', person_locations: ['Roma'], per_page: 5 },
      ),
    answer: data['result']!,
    sends: [
      'POST',
      `${BASE}/v1/data/api/people/people-search`,
      KEY,
      { q_keywords: 'x', person_locations: ['Roma'], per_page: 5 },
    ],
    gives: { results: [{ title: 'A', score: expect.closeTo(0.1234567890123) as number }], next_token: null },
  },
  {
    name: 'a data call by GET',
    call: (service) =>
      callData(
        service,
        { path: '/api/maps/place-details/full', method: 'GET' },
        { placeId: 'a&b=c', page: 2, deep: true, none: null },
      ),
    answer: data['result']!,
    sends: ['GET', `${BASE}/v1/data/api/maps/place-details/full?placeId=a%26b%3Dc&page=2&deep=true`, KEY],
    gives: expect.any(Object),
  },
  {
    name: 'a data call whose answer is JSON in a text',
    only: 'A',
    call: (service) =>
      callData(service, { path: '/x/tweets/search', method: 'GET' }, { words: 'quiet rooms', minLikes: 3 }),
    answer: data['contentAsText']!,
    sends: ['GET', `${BASE}/v1/data/x/tweets/search?words=quiet+rooms&minLikes=3`, KEY],
    gives: { content: expect.stringContaining('"next_token":"b26v"') as string },
  },
  {
    name: 'a data call of Revision A',
    only: 'A',
    call: (service) => callData(service, { path: '/x/tweets/by/id', method: 'GET' }, { id: '1' }),
    answer: data['result']!,
    access: nobody,
    sends: ['GET', `${BASE}/v1/data/x/tweets/by/id?id=1`, {}],
    gives: expect.any(Object),
  },
]

async function read(stream: {
  contentType: string
  size?: number | undefined
  body: AsyncIterable<Uint8Array>
}): Promise<unknown> {
  return [stream.contentType, stream.size, (await bytesOf(stream.body)).toString('latin1')]
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

  it.each([
    ['json', audio['transcript']!, { text: 'Sotto voce.' }],
    [
      'verbose_json',
      audio['verbose']!,
      {
        text: 'Sotto voce.',
        language: 'en',
        durationSeconds: 1.5,
        segments: [{ start: 0, end: 1.5, text: 'Sotto voce.' }],
      },
    ],
    ['srt', audio['srt']!, { text: '1\n00:00:00,000 --> 00:00:01,500\nSotto voce.\n' }],
    ['vtt', audio['plain']!, { text: 'Sotto voce.' }],
    ['text', audio['plain']!, { text: 'Sotto voce.' }],
    ['text', audio['transcript']!, { text: 'Sotto voce.' }],
  ] as const)('returns a transcript as %s', async (responseFormat, answer, gives) => {
    const { service, sent } = scripted([answer], { ...account, revision })
    expect(
      await transcribe(service, {
        file: upload('a.MP3', 'BYTES'),
        responseFormat,
        language: 'multi',
        prompt: 'names',
      }),
    ).toEqual({ format: responseFormat, ...gives })
    const [{ url, headers, body }] = sent as [(typeof sent)[number]]
    expect(url).toBe(audioAddress('/v1/audio/transcriptions')[revision])
    expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=sotto-[\w-]+$/)
    expect(headers['content-length']).toBe(String(body?.length))
    expect(headers['authorization']).toBe(KEY.authorization)
    for (const part of [
      `name="response_format"\r\n\r\n${responseFormat}\r\n`,
      'name="language"\r\n\r\nmulti\r\n',
      'name="prompt"\r\n\r\nnames\r\n',
      'name="file"; filename="a.MP3"\r\ncontent-type: audio/mpeg\r\n\r\nBYTES\r\n',
    ])
      expect(body).toContain(part)
    expect(body).not.toContain('name="model"')
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
  const { service, sent } = scripted([media['images']!, media['images']!])
  for (const _time of [1, 2])
    await editImage(service, {
      model: 'm',
      prompt: 'brighter',
      image: upload('a.png', 'PNG', 'image/png'),
      boundary: 'sotto-0123456789abcdef',
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
  const image = { model: 'm', prompt: 'p' }
  it.each<[string, 'A' | 'B', (service: Service) => Promise<unknown>, string, string?]>([
    ['11 images', 'A', (service) => generateImages(service, { ...image, n: 11 }), 'request/invalid', 'n'],
    ['5 images', 'B', (service) => generateImages(service, { ...image, n: 5 }), 'request/invalid', 'n'],
    ['no image', 'B', (service) => generateImages(service, { ...image, n: 0 }), 'request/invalid', 'n'],
    [
      'an image without a prompt',
      'A',
      (service) => generateImages(service, { model: 'm' }),
      'request/invalid',
      'prompt',
    ],
    [
      'an image of another image',
      'A',
      (service) => generateImages(service, { ...image, imageUrl: 'https://x.example/a.png' }),
      'service/not-offered',
      'imageUrl',
    ],
    [
      'a resolution',
      'A',
      (service) => generateImages(service, { ...image, resolution: '2K' }),
      'service/not-offered',
      'resolution',
    ],
    [
      'what to avoid',
      'A',
      (service) => generateImages(service, { ...image, negativePrompt: 'x' }),
      'service/not-offered',
      'negativePrompt',
    ],
    [
      'a format',
      'A',
      (service) => generateImages(service, { ...image, outputFormat: 'png' }),
      'service/not-offered',
      'outputFormat',
    ],
    [
      'a format that is none',
      'B',
      (service) => generateImages(service, { ...image, outputFormat: 'gif' as 'png' }),
      'request/invalid',
      'outputFormat',
    ],
    [
      'an image from a file',
      'B',
      (service) => generateImages(service, { ...image, imageUrl: 'file:///etc/passwd' }),
      'request/invalid',
      'imageUrl',
    ],
    [
      'an edit',
      'A',
      (service) => editImage(service, { ...image, image: upload('a.png', 'x', 'image/png') }),
      'service/not-offered',
    ],
    [
      'a huge image',
      'B',
      (service) => editImage(service, { ...image, image: upload('a.png', 'x', 'image/png', 30_000_000) }),
      'request/invalid',
      'image',
    ],
    ['voices', 'A', (service) => listVoices(service), 'service/not-offered'],
    ['audio models', 'A', (service) => listAudioModels(service), 'service/not-offered'],
    [
      '2001 characters of speech',
      'A',
      (service) => speak(service, { input: 'é'.repeat(2001) }),
      'request/invalid',
      'input',
    ],
    [
      '5001 characters of speech',
      'B',
      (service) => speak(service, { input: 'x'.repeat(5001) }),
      'request/invalid',
      'input',
    ],
    ['nothing to say', 'B', (service) => speak(service, { input: '' }), 'request/invalid', 'input'],
    [
      'a file that is no audio',
      'B',
      (service) => transcribe(service, { file: upload('a.exe', 'x') }),
      'request/invalid',
      'file',
    ],
    [
      'a format of transcripts that is none',
      'B',
      (service) => transcribe(service, { file: upload('a.mp3', 'x'), responseFormat: 'xml' as 'json' }),
      'request/invalid',
      'responseFormat',
    ],
    [
      'a language that is none',
      'B',
      (service) => transcribe(service, { file: upload('a.mp3', 'x'), language: 'en"\r\n' }),
      'request/invalid',
      'language',
    ],
    [
      'a video without a prompt',
      'B',
      (service) => submitVideo(service, { model: 'm', prompt: '' }),
      'request/invalid',
      'prompt',
    ],
    [
      'a duration in words',
      'B',
      (service) => submitVideo(service, { ...image, duration: 'five' }),
      'request/invalid',
      'duration',
    ],
    [
      'a video id that climbs',
      'B',
      (service) => readVideo(service, { id: 'gen_../../keys' }),
      'request/invalid',
    ],
    [
      'the microblog group',
      'B',
      (service) => callData(service, { path: '/x/tweets/search', method: 'GET' }, {}),
      'service/not-offered',
      'path',
    ],
    [
      'a data path that climbs',
      'B',
      (service) => callData(service, { path: '/api/../../keys', method: 'POST' }, {}),
      'request/invalid',
      'path',
    ],
    [
      'a data path of another kind',
      'B',
      (service) => callData(service, { path: '/keys', method: 'POST' }, {}),
      'request/invalid',
      'path',
    ],
    [
      'a data path with a query',
      'B',
      (service) => callData(service, { path: '/api/maps/x?a=b', method: 'POST' }, {}),
      'request/invalid',
      'path',
    ],
    [
      'a query of objects',
      'B',
      (service) =>
        callData(service, { path: '/api/maps/place-details/full', method: 'GET' }, { where: { x: 1 } }),
      'request/invalid',
      'where',
    ],
    [
      'an embedding of nothing',
      'B',
      (service) => createEmbeddings(service, { model: 'm', input: [] }),
      'request/invalid',
      'input',
    ],
    [
      'embeddings of too many',
      'B',
      (service) => createEmbeddings(service, { model: 'm', input: Array.from({ length: 2049 }, () => 'x') }),
      'request/invalid',
      'input',
    ],
  ])('%s (Revision %s)', async (_name, revision, call, code, param) => {
    const { service, sent } = scripted([], { ...account, revision })
    const work = Promise.resolve().then(() => call(service))
    await expect(work).rejects.toMatchObject({ code, details: param === undefined ? {} : { param } })
    expect(sent).toEqual([])
  })
  it('if it needs an API key and has none', async () => {
    for (const call of [
      (service: Service) => createEmbeddings(service, { model: 'm', input: 'x' }),
      (service: Service) => speak(service, { input: 'x' }),
      (service: Service) => transcribe(service, { file: upload('a.mp3', 'x') }),
      (service: Service) => readVideo(service, { id: 'gen_a' }),
    ]) {
      const { service, sent } = scripted([], nobody)
      expect([await codeOf(call(service)), sent]).toEqual(['service/no-account', []])
    }
  })
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
    [
      'images',
      (service) => generateImages(service, { model: 'm', prompt: 'p' }),
      [
        media['imagesOfNothing']!,
        { status: 200, body: { data: [{ b64_json: 'not base64!' }] } },
        { status: 200, body: { data: [{}] } },
      ],
    ],
    [
      'embeddings',
      (service) => createEmbeddings(service, { model: 'm', input: ['a', 'b'] }),
      [media['embeddingsTwice']!, media['embeddingsBase64']!, { status: 200, body: { data: [] } }],
    ],
    [
      'a video',
      (service) => readVideo(service, { id: 'gen_a' }),
      [
        media['videoCompletedEmpty']!,
        { status: 200, body: { id: 'gen_a', status: 'melted' } },
        { status: 200, body: { id: 'other', status: 'pending' } },
      ],
    ],
    [
      'a transcript',
      (service) => transcribe(service, { file: upload('a.mp3', 'x') }),
      [
        { status: 200, body: { words: [] } },
        { status: 200, text: 'plain' },
      ],
    ],
    ['the data catalogue', (service) => listDataEndpoints(service), [{ status: 200, body: { paths: [] } }]],
    [
      'data',
      (service) => callData(service, { path: '/api/serp/news', method: 'POST' }, {}),
      [
        { status: 200, text: '{"a":1,"a":2}' },
        { status: 200, text: '<html>' },
      ],
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
  const fetched = (answer: Recorded, limit?: number): Promise<unknown> =>
    downloadMedia(scripted([answer]).service, url, limit === undefined ? {} : { limit }).then(read)
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
  it('is refused above the size limit, announced or not', async () => {
    expect(
      await codeOf(
        fetched(
          {
            status: 200,
            headers: { 'content-type': 'video/mp4', 'content-length': '11' },
            text: 'x'.repeat(11),
          },
          10,
        ),
      ),
    ).toBe('service/response-invalid')
    expect(
      await codeOf(
        fetched({ status: 200, headers: { 'content-type': 'video/mp4' }, text: 'x'.repeat(11) }, 10),
      ),
    ).toBe('service/response-invalid')
    expect(
      await fetched(
        {
          status: 200,
          headers: { 'content-type': 'video/mp4', 'content-length': '10' },
          text: 'x'.repeat(10),
        },
        10,
      ),
    ).toEqual(['video/mp4', 10, 'x'.repeat(10)])
  })
  it('is reported as expired if its link has expired', async () => {
    for (const answer of [
      media['gone']!,
      recorded('errors')['unknownRoute']!,
      { status: 410, text: '' },
      { status: 401, body: {} },
    ])
      expect(await codeOf(fetched(answer))).toBe('service/media-expired')
  })
  it('is refused as speech if it isn’t audio', async () => {
    expect(await codeOf(speak(scripted([media['page']!]).service, { input: 'x' }))).toBe(
      'service/response-invalid',
    )
    expect(await codeOf(speak(scripted([audio['transcript']!]).service, { input: 'x' }))).toBe(
      'service/response-invalid',
    )
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

import { toFile } from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readWave } from '../../src/sandbox/audio/wave.ts'
import { openAiClient } from './openai-client.ts'
import { bearer, dollar, startService, type Service } from './service-client.ts'

let [b, a]: Service[] = []
let service: Service
beforeAll(async () => {
  ;[b, a] = await Promise.all([startService(), startService({ revision: 'A' })])
})
beforeEach(() => {
  service = b!
  for (const { control, account } of [a!, b!]) control.setBalance(account.creditId, 10n * dollar)
})
afterAll(async () => {
  for (const each of [a, b]) await each?.[Symbol.asyncDispose]()
})

const spokenText = 'The tide comes in. Does it go out again? It does!'
const first = 'deepgram_aura_2'
const second = 'sandbox/cantabile-voice'

async function speak(
  body: object,
  by = service,
): Promise<{ status: number; field?: string; bytes: Buffer; type: string | null }> {
  const answer = await fetch(`${by.sandbox.baseUrl}${by === a ? '/api' : ''}/v1/audio/speech`, {
    method: 'POST',
    headers: { ...bearer(by.account.apiKey), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const type = answer.headers.get('content-type')
  return {
    status: answer.status,
    bytes,
    type,
    ...(type?.includes('json') && (JSON.parse(bytes.toString()) as { field?: string })),
  }
}

async function write(
  fields: Record<string, string | Blob>,
  by = service,
  name = 'speech.wav',
): Promise<{ status: number; text: string; type: string | null; field?: string }> {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.set(field, value)
    else form.set(field, value, name)
  }
  const answer = await fetch(`${by.sandbox.baseUrl}${by === a ? '/api' : ''}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: bearer(by.account.apiKey),
    body: form,
  })
  const [text, type] = [await answer.text(), answer.headers.get('content-type')]
  return {
    status: answer.status,
    text,
    type,
    ...(answer.status !== 200 && (JSON.parse(text) as { field?: string })),
  }
}
const fileOf = (bytes: Buffer) => new Blob([bytes])

describe('speech', () => {
  test('is a WAV file as long as its text requires, and costs by its characters', async () => {
    const { status, bytes, type } = await speak({ input: spokenText })
    expect([status, type]).toEqual([200, 'audio/wav'])
    const heard = readWave(bytes)
    expect(heard?.text).toBe(spokenText)
    expect(heard?.seconds).toBeGreaterThan(1)
    expect([bytes.readUInt32LE(4), bytes.readUInt32LE(24)]).toEqual([bytes.length - 8, 16_000])
    expect(service.control.records().at(-1)).toMatchObject({
      model: first,
      type: 'speech',
      inputCount: spokenText.length,
      picoUsd: BigInt(spokenText.length) * 31_650_000n,
    })
    // It is not silent.
    expect(bytes.subarray(-20_000).some((byte) => byte !== 0)).toBe(true)
  })

  test('uses a voice of either family, given as voice or model', async () => {
    const models = []
    for (const asked of [
      { voice: 'sandbox-bruno-en' },
      { model: 'sandbox-carla-en' },
      { model: second },
      { model: second, voice: 'sbxV0ceDolce7aMezza' },
      { model: 'sbxV0ceDolce7aMezza' },
    ]) {
      expect((await speak({ input: 'Hello', ...asked })).status).toBe(200)
      models.push(service.control.records().at(-1)?.model)
    }
    expect(models).toEqual([first, first, second, second, second])
  })

  test('allows 2,000 characters with the first family and 5,000 with the second, and refuses one more', async () => {
    expect((await speak({ input: 'x'.repeat(2000) })).status).toBe(200)
    expect(await speak({ input: 'x'.repeat(2001) })).toMatchObject({ status: 400, field: 'input' })
    expect((await speak({ input: 'x'.repeat(5000), model: second })).status).toBe(200)
    expect(await speak({ input: 'x'.repeat(5001), model: second })).toMatchObject({
      status: 400,
      field: 'input',
    })
  })

  test('has one family and another path in Revision A', async () => {
    expect((await speak({ input: 'x'.repeat(2000), model: first }, a)).status).toBe(200)
    expect(await speak({ input: 'x'.repeat(2001) }, a)).toMatchObject({ status: 400, field: 'input' })
    expect(await speak({ input: 'x', model: second }, a)).toMatchObject({ status: 404, field: 'model' })
    expect(await speak({ input: 'x', model: 'sandbox-carla-en' }, a)).toMatchObject({
      status: 404,
      field: 'model',
    })
    for (const [method, path] of [
      ['POST', '/v1/audio/speech'],
      ['POST', '/v1/audio/transcriptions'],
      ['GET', '/v1/audio/voices'],
      ['GET', '/v1/audio/models'],
    ] as const)
      expect((await a!.call(method, path)).status).toBe(404)
    expect((await b!.call('POST', '/api/v1/audio/speech')).status).toBe(404)
  })

  test.each([
    ['input', {}, 400],
    ['input', { input: '' }, 400],
    ['model', { input: 'x', model: 'no/such' }, 404],
    ['model', { input: 'x', model: 'sandbox/orecchio-3' }, 404],
    ['voice', { input: 'x', voice: 'nobody-en' }, 400],
    ['voice', { input: 'x', model: first, voice: 'sbxV0ceDolce7aMezza' }, 422],
    ['response_format', { input: 'x', response_format: 'mp3' }, 400],
  ])(
    'a request with an invalid %s (%j) is refused with status %i, and nothing is debited',
    async (field, body, status) => {
      const before = service.control.records().length
      expect(await speak(body)).toMatchObject({ status, field })
      expect(service.control.records()).toHaveLength(before)
    },
  )
})

test('voices and transcription models are listed without a key', async () => {
  const voices = (await service.call('GET', '/v1/audio/voices')).body as unknown as {
    object: string
    data: object[]
  }
  expect(voices.object).toBe('list')
  expect(voices.data).toContainEqual({
    id: 'sandbox-ada-en',
    model_id: first,
    name: 'Ada',
    language: 'en',
    provider: 'sandbox-first',
  })
  expect(
    voices.data.filter((voice) => 'model_id' in voice && voice.model_id === second).length,
  ).toBeGreaterThan(0)
  expect(
    ((await service.call('GET', '/v1/audio/voices?language=de')).body as unknown as { data: object[] }).data,
  ).toHaveLength(1)
  expect((await service.call('GET', '/v1/audio/voices?language=xx')).status).toBe(400)
  const models = (await service.call('GET', '/v1/audio/models')).body as unknown as {
    data: { id: string; pricing: object }[]
  }
  expect(models.data.map(({ id }) => id)).toEqual(['sandbox/orecchio-3', 'sandbox/orecchio-2'])
  expect(models.data[0]?.pricing).toMatchObject({ base_price: 0.006, api_price: 0.00633, unit: 'minute' })
})

describe('a transcription', () => {
  test('of sandbox speech is the original text, with either model, in both revisions', async () => {
    for (const by of [a!, b!]) {
      const { bytes } = await speak({ input: spokenText }, by)
      for (const fields of [
        {},
        { model: 'sandbox/orecchio-2', language: 'en', prompt: 'the sea' },
        { language: 'multi' },
      ]) {
        expect(JSON.parse((await write({ ...fields, file: fileOf(bytes) }, by)).text)).toEqual({
          text: spokenText,
        })
      }
      expect(by.control.records().at(-1)).toMatchObject({
        model: 'sandbox/orecchio-3',
        type: 'transcription',
        picoUsd: (BigInt(Math.ceil(readWave(bytes)!.seconds)) * 6_330_000_000n) / 60n,
      })
    }
  })

  test('is available in each of the five formats', async () => {
    const file = fileOf((await speak({ input: spokenText })).bytes)
    const answers = Object.fromEntries(
      await Promise.all(
        ['json', 'text', 'srt', 'vtt', 'verbose_json'].map(
          async (response_format) => [response_format, await write({ file, response_format })] as const,
        ),
      ),
    )
    expect(JSON.parse(answers['json']!.text)).toEqual({ text: spokenText })
    expect([answers['text']!.text, answers['text']!.type]).toEqual([
      `${spokenText}\n`,
      'text/plain; charset=utf-8',
    ])
    expect(answers['srt']!.text).toMatch(/^1\n00:00:00,000 --> 00:00:\d\d,\d{3}\nThe tide comes in\.\n\n2\n/)
    expect(answers['vtt']!.text).toMatch(
      /^WEBVTT\n\n00:00:00\.000 --> 00:00:\d\d\.\d{3}\nThe tide comes in\.\n/,
    )
    const verbose = JSON.parse(answers['verbose_json']!.text) as {
      text: string
      duration: number
      segments: { start: number; end: number; text: string }[]
    }
    expect([verbose.text, verbose.segments.map(({ text }) => text)]).toEqual([
      spokenText,
      ['The tide comes in.', 'Does it go out again?', 'It does!'],
    ])
    expect(verbose.segments.at(-1)?.end).toBeCloseTo(verbose.duration, 2)
  })

  test('of other audio is a simulated transcript', async () => {
    expect(
      (
        await write(
          { file: new Blob(['\u00ff\u00fbno real sound']), response_format: 'text' },
          service,
          'song.mp3',
        )
      ).text,
    ).toMatch(/^Simulated transcript from the sandbox/)
  })

  test('accepts 25 MB, and refuses one byte more', async () => {
    const file = (length: number) => new Blob([Buffer.alloc(length)])
    expect((await write({ file: file(25 * 1024 * 1024) })).status).toBe(200)
    const before = service.control.records().length
    expect(await write({ file: file(25 * 1024 * 1024 + 1) })).toMatchObject({ status: 413, field: 'file' })
    expect(service.control.records()).toHaveLength(before)
  })

  test('is refused with the name of the invalid field', async () => {
    const file = new Blob(['x'])
    expect(await write({ language: 'en' })).toMatchObject({ status: 400, field: 'file' })
    expect(await write({ file: 'text' })).toMatchObject({ status: 400, field: 'file' })
    expect(await write({ file }, service, 'notes.txt')).toMatchObject({ status: 400, field: 'file' })
    expect(await write({ file, model: first })).toMatchObject({ status: 404, field: 'model' })
    expect(await write({ file, response_format: 'xml' })).toMatchObject({
      status: 400,
      field: 'response_format',
    })
    expect(await write({ file, language: 'English!' })).toMatchObject({ status: 400, field: 'language' })
    expect(
      (
        await service.call('POST', '/v1/audio/transcriptions', {
          body: {},
          headers: bearer(service.account.apiKey),
        })
      ).status,
    ).toBe(415)
    expect((await service.call('POST', '/v1/audio/transcriptions', { body: {} })).status).toBe(401)
    service.control.setBalance(service.account.creditId, 0n)
    expect((await write({ file })).status).toBe(402)
  })
})

test('OpenAI’s client generates speech and transcribes it', async () => {
  const client = openAiClient(service)
  const sound = await client.audio.speech.create({ model: first, voice: 'sandbox-ada-en', input: spokenText })
  const bytes = Buffer.from(await sound.arrayBuffer())
  expect(readWave(bytes)?.text).toBe(spokenText)
  const file = await toFile(bytes, 'said.wav', { type: 'audio/wav' })
  expect((await client.audio.transcriptions.create({ file, model: 'sandbox/orecchio-3' })).text).toBe(
    spokenText,
  )
  expect(
    (
      await client.audio.transcriptions.create({
        file,
        model: 'sandbox/orecchio-3',
        response_format: 'verbose_json',
      })
    ).segments,
  ).toHaveLength(3)
  expect(
    await client.audio.transcriptions.create({ file, model: 'sandbox/orecchio-3', response_format: 'srt' }),
  ).toMatch(/^1\n00:00:00,000 --> /)
})

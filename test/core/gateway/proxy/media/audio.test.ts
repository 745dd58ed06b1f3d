import OpenAI, { BadRequestError, toFile, type APIError } from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../../../../world.ts'
import { answering, type Instead } from './answering.ts'

const LISTENER = 'sandbox/orecchio-3'

let world: World
let openai: OpenAI
let spoken: Buffer
let instead: Instead | null = null
beforeAll(async () => {
  world = await startWorld({
    fetch: (fetch) => async (url, init) => (await instead?.(url, init)) ?? fetch(url, init),
  })
  openai = new OpenAI({ baseURL: world.baseUrl, apiKey: world.key, maxRetries: 0 })
  spoken = Buffer.from(
    await (
      await openai.audio.speech.create({
        model: 'deepgram_aura_2',
        voice: 'sandbox-ada-en',
        input: 'Nobody hears a whisper.',
      })
    ).arrayBuffer(),
  )
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => {
  instead = null
  world.outbound.length = 0
})

const sent = (): string => Buffer.concat(world.outbound).toString('latin1')
const speak = (members: object): Promise<Response> =>
  world.post(
    { model: 'deepgram_aura_2', voice: 'sandbox-ada-en', input: 'Nobody hears a whisper.', ...members },
    {},
    '/v1/audio/speech',
  )

interface SpeechEvent {
  readonly type?: string
  readonly audio?: string
  readonly error?: { readonly code: string }
}
const eventsIn = (text: string): SpeechEvent[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '') as SpeechEvent)

describe('speech as events', () => {
  it('is the same sound, piece by piece', async () => {
    const response = await speak({ stream_format: 'sse' })
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const events = eventsIn(await response.text())
    expect(new Set(events.slice(0, -1).map(({ type }) => type))).toEqual(new Set(['speech.audio.delta']))
    expect(events.at(-1)).toMatchObject({ type: 'speech.audio.done', usage: { total_tokens: 0 } })
    expect(Buffer.concat(events.map(({ audio = '' }) => Buffer.from(audio, 'base64'))).equals(spoken)).toBe(
      true,
    )
    expect(sent()).not.toContain('stream_format')
    const receiptId = response.headers.get('x-sotto-receipt')
    expect(await world.call('receipts/get', { receiptId })).toMatchObject({
      outcome: 'complete',
      cost: world.sandbox.ledger().at(-1)?.picoUsd.toString(),
    })
  })
  it('ends with an error if the sound breaks off', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(spoken.subarray(0, 100))
      throw new Error('reset')
    }
    instead = (url) => (url.endsWith('/v1/audio/speech') ? answering('audio/wav', broken()) : undefined)
    const events = eventsIn(await (await speak({ stream_format: 'sse' })).text())
    expect(events.map(({ type, error }) => type ?? error?.code)).toEqual([
      'speech.audio.delta',
      'service/interrupted',
    ])
  })
  it('"audio" is the sound, and another form is refused unsent', async () => {
    expect((await speak({ stream_format: 'audio' })).headers.get('content-type')).toBe('audio/wav')
    world.outbound.length = 0
    expect((await speak({ stream_format: 'mp3' })).status).toBe(400)
    expect(sent()).not.toContain('whisper')
  })
})

describe('a transcript as events', () => {
  it.each([[undefined], ['json'], ['text']] as const)('its text, of the format %s', async (format) => {
    const { data: stream, response } = await openai.audio.transcriptions
      .create({
        file: await toFile(spoken, 'spoken.wav'),
        model: LISTENER,
        stream: true,
        ...(format && { response_format: format }),
      })
      .withResponse()
    const events = []
    for await (const event of stream) events.push(event)
    expect(events).toMatchObject([
      { type: 'transcript.text.delta', delta: 'Nobody hears a whisper.' },
      { type: 'transcript.text.done', text: 'Nobody hears a whisper.' },
    ])
    expect(response.headers.get('x-sotto-receipt')).toBeTruthy()
    expect(sent()).not.toMatch(/name="(stream|response_format)"/)
  })
  it('without them, the fields that Sotto serves don’t leave either', async () => {
    const { text } = await openai.audio.transcriptions.create({
      file: await toFile(spoken, 'spoken.wav'),
      model: LISTENER,
      stream: false,
    })
    expect(text).toBe('Nobody hears a whisper.')
    expect(sent()).not.toContain('name="stream"')
  })
  it.each([['srt'], ['vtt'], ['verbose_json']] as const)(
    'is refused unsent of a format that has none: %s',
    async (format) => {
      const failure = await openai.audio.transcriptions
        .create({
          file: await toFile(spoken, 'spoken.wav'),
          model: LISTENER,
          stream: true,
          response_format: format,
        })
        .then(
          () => undefined,
          (thrown: unknown) => thrown,
        )
      expect(failure).toBeInstanceOf(BadRequestError)
      expect((failure as APIError).param).toBe('response_format')
      expect(world.outbound).toHaveLength(0)
    },
  )
  it('of a service that answers with text all the same', async () => {
    instead = (url) =>
      url.endsWith('/v1/audio/transcriptions') ? answering('text/plain', 'an otter') : undefined
    const stream = await openai.audio.transcriptions.create({
      file: await toFile(spoken, 'spoken.wav'),
      model: LISTENER,
      stream: true,
    })
    const events = []
    for await (const event of stream) events.push(event)
    expect(events.at(-1)).toMatchObject({ type: 'transcript.text.done', text: 'an otter' })
  })
})

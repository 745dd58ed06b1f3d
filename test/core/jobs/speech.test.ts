import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { joinAudio, type SpokenPart } from '../../../src/core/jobs/audio/join-audio.ts'
import { readWaveHeader } from '../../../src/core/jobs/audio/wave.ts'
import type { FetchResponse } from '../../../src/shared/fetch.ts'
import type { Job, JobEstimate } from '../../../src/shared/job.ts'
import { speechPieces } from '../../../src/shared/speech-pieces.ts'
import { readWave, writeWave } from '../../../src/sandbox/audio/wave.ts'
import {
  at,
  bytesOf,
  codeOf,
  get,
  make,
  sentTo,
  start,
  startStudioWorld,
  until,
  type StudioWorld,
} from './studio-world.ts'

const sentence = 'The otter swims along the river and looks for a fish. '
const long = sentence.repeat(120).trim()

describe.each(['A', 'B'] as const)('generating speech, Revision %s', (revision) => {
  let world: StudioWorld
  let trouble: ((url: string, respond: () => Promise<FetchResponse>) => Promise<FetchResponse>) | undefined
  beforeAll(async () => {
    world = await startStudioWorld(revision, 'balance', {
      fetch: (network) => (url, init) =>
        trouble ? trouble(url, () => network(url, init)) : network(url, init),
    })
  }, 60_000)
  afterAll(() => world[Symbol.asyncDispose]())
  beforeEach(() => {
    trouble = undefined
  })

  it('from a short text gives one file, with an estimate and a cost', async () => {
    const { cost } = (await world.call('studio/estimate', {
      ask: { kind: 'speech', text: sentence, model: 'deepgram_aura_2' },
    })) as JobEstimate
    const job = await make(world, { kind: 'speech', text: sentence, model: 'deepgram_aura_2' })
    expect(job).toMatchObject({
      parts: { of: 1, done: 1 },
      files: [
        { index: 1, role: 'made', type: 'audio/wav', name: 'the-otter-swims-along-the-river-and-look-1.wav' },
      ],
    })
    expect([job.cost, BigInt(cost!.most) >= BigInt(job.cost!)]).toEqual([
      expect.stringMatching(/^\d+$/),
      true,
    ])
    expect(readWave(await bytesOf(world, job.id, 1))?.seconds).toBeGreaterThan(1)
  })

  it('from a long text splits it at sentences and joins the audio without a gap', async () => {
    const pieces = speechPieces(long)
    expect(pieces.length).toBeGreaterThan(3)
    const before = sentTo(world, '/audio/speech')
    const job = await make(world, { kind: 'speech', text: long })
    expect(sentTo(world, '/audio/speech')).toBe(before + pieces.length)
    expect(job).toMatchObject({
      parts: { of: pieces.length, done: pieces.length },
      files: [{ index: 1, role: 'made', type: 'audio/wav' }],
    })
    const whole = await bytesOf(world, job.id, 1)
    const header = readWaveHeader(whole, whole.length)
    expect([header!.dataAt + header!.dataBytes, header!.dataBytes % header!.blockBytes]).toEqual([
      whole.length,
      0,
    ])
    expect(readWave(whole)!.seconds).toBeGreaterThan(60)
  }, 60_000)

  it('saves finished pieces if a later one fails, and continues only for its owner', async () => {
    let sent = 0
    trouble = (url, respond) =>
      url.endsWith('/audio/speech') && ++sent === 3
        ? Promise.resolve({ status: 429, headers: { get: () => null }, body: null })
        : respond()
    const job = await until(
      world,
      (await start(world, { kind: 'speech', text: long, model: 'deepgram_aura_2' })).id,
      'failed',
    )
    expect(job).toMatchObject({
      failure: { code: 'service/rate-limited' },
      parts: { done: 2 },
      files: [{ index: 100, role: 'part' }, { index: 101 }],
      may: ['again', 'resume'],
    })
    const paid = BigInt(job.cost ?? 0)
    expect((await bytesOf(world, job.id, 101)).length).toBeGreaterThan(1000)
    trouble = undefined
    const before = sentTo(world, '/audio/speech')
    await world.call('studio/resume', { jobId: job.id })
    const done = await until(world, job.id, 'done')
    expect(sentTo(world, '/audio/speech')).toBe(before + job.parts!.of - 2)
    expect(BigInt(done.cost ?? 0)).toBeGreaterThan(paid)
  }, 60_000)

  it('stops after the piece in progress, and can be resumed', async () => {
    const job = await start(world, { kind: 'speech', text: long })
    await expect.poll(async () => (await get(world, job.id)).parts?.done).toBeGreaterThan(0)
    if (!(await get(world, job.id)).may.includes('stop')) return
    await world.call('studio/stop', { jobId: job.id })
    await expect.poll(async () => ['stopped', 'done'].includes((await get(world, job.id)).state)).toBe(true)
    if ((await get(world, job.id)).state === 'stopped') await world.call('studio/resume', { jobId: job.id })
    await until(world, job.id, 'done')
  }, 60_000)

  it('can only be paid from the balance, and refuses invalid input before sending', async () => {
    const before = sentTo(world, '/audio/speech')
    expect(
      codeOf(await world.call('studio/start', { ask: { kind: 'speech', text: 'x' }, pay: 'single' })),
    ).toBe('studio/balance-only')
    expect(
      await world.call('studio/start', { ask: { kind: 'speech', text: '  ' }, pay: 'balance' }),
    ).toMatchObject({ code: 'BAD_REQUEST' })
    expect(codeOf(await start(world, { kind: 'speech', text: 'x', extra: { voice: 'y' } }))).toBe(
      'studio/parameter-clash',
    )
    expect(codeOf(await start(world, { kind: 'speech', text: 'x', model: 'private/x' }))).toBe('privacy/path')
    expect(sentTo(world, '/audio/speech')).toBe(before)
  })

  if (revision === 'B') {
    it('accepts a voice of either family', async () => {
      for (const voice of [
        { voice: 'sandbox-bruno-en' },
        { model: 'sandbox/cantabile-voice', voice: 'sbxV0ceDolce7aMezza' },
        { model: 'sbxV0ceEnergicoGr4ve' },
      ])
        expect((await make(world, { kind: 'speech', text: 'Hello.', ...voice })).state).toBe('done')
      const wrong: Job = await until(
        world,
        (
          await start(world, {
            kind: 'speech',
            text: 'Hello.',
            model: 'sandbox/cantabile-voice',
            voice: 'sandbox-ada-en',
          })
        ).id,
        'failed',
      )
      expect(wrong.failure?.code).toBe('service/rejected')
    })
  }
})

describe('listening to speech while it is generated', () => {
  let world: StudioWorld
  let respond: () => FetchResponse
  beforeAll(async () => {
    world = await startStudioWorld('B', 'balance', {
      fetch: (network) => (url, init) =>
        url.endsWith('/audio/speech') ? Promise.resolve(respond()) : network(url, init),
    })
  }, 60_000)
  afterAll(() => world[Symbol.asyncDispose]())
  const frame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0xc4]), Buffer.alloc(413)])
  const tag = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\x20', 'latin1'), Buffer.alloc(32)])
  const spoken = (type: string, body: AsyncIterable<Uint8Array>): FetchResponse => ({
    status: 200,
    headers: { get: (name) => (name.toLowerCase() === 'content-type' ? type : null) },
    body,
  })
  const text = sentence.repeat(30).trim()

  it('starts before the service has sent the last piece, and gives the same audio as the file', async () => {
    const pieceCount = speechPieces(text).length
    const gates = Array.from({ length: pieceCount }, () => Promise.withResolvers<undefined>())
    let part = 0
    respond = () => {
      const gate = gates[part++]
      return spoken(
        'audio/mpeg',
        (async function* () {
          yield Buffer.concat([tag, ...Array.from({ length: 12 }, () => frame)])
          await gate!.promise
          for (let at = 0; at < 20; at++) yield frame
        })(),
      )
    }
    const { id } = await start(world, { kind: 'speech', text })
    const { path, type } = (await world.call('studio/listen', { jobId: id })) as {
      path: string
      type: string
    }
    expect(type).toBe('audio/mpeg')
    const heard = async (more = () => undefined as unknown) => {
      const response = await at(world, path)
      expect([
        response.status,
        response.headers.get('content-type'),
        response.headers.get('accept-ranges'),
      ]).toEqual([200, 'audio/mpeg', null])
      const pieces: Uint8Array[] = []
      const body: ReadableStream<Uint8Array> = response.body!
      for await (const piece of body) {
        pieces.push(piece)
        more()
      }
      return Buffer.concat(pieces)
    }
    // The first part is heard before any part is complete, because the service continues only after that.
    let parts: Job['parts']
    const whole = await heard(() => {
      void get(world, id).then((job) => {
        parts ??= job.parts
        for (const gate of gates) gate.resolve(undefined)
      })
    })
    expect(parts).toEqual({ of: pieceCount, done: 0 })
    const job = await until(world, id, 'done')
    expect(whole.equals(await bytesOf(world, id, 1))).toBe(true)
    expect(whole.length).toBe(pieceCount * 32 * frame.length)
    expect(job.files).toMatchObject([{ index: 1, type: 'audio/mpeg' }])
    // A late listener hears the whole audio, and a finished job can't be listened to.
    expect((await heard()).equals(whole)).toBe(true)
    expect(codeOf(await world.call('studio/listen', { jobId: id }))).toBe('studio/invalid-state')
  }, 60_000)

  it('is refused for a format that needs its end, and for a failed job', async () => {
    respond = () =>
      spoken(
        'audio/wav',
        (async function* () {
          yield await Promise.resolve(writeWave(new Float32Array(16_000), 'x'))
        })(),
      )
    expect(
      codeOf(await world.call('studio/listen', { jobId: (await start(world, { kind: 'speech', text })).id })),
    ).toBe('studio/invalid-state')
    respond = () => ({ status: 429, headers: { get: () => null }, body: null })
    const { id } = await start(world, { kind: 'speech', text })
    expect(codeOf(await world.call('studio/listen', { jobId: id }))).toBe('studio/invalid-state')
    expect(codeOf(await world.call('studio/listen', { jobId: 'nowhere' }))).toBe('studio/unknown')
  }, 60_000)

  it('ends with an error if the service breaks off', async () => {
    const breaks = Promise.withResolvers<undefined>()
    respond = () =>
      spoken(
        'audio/mpeg',
        (async function* () {
          yield Buffer.concat(Array.from({ length: 40 }, () => frame))
          await breaks.promise
          throw new Error('cut')
        })(),
      )
    const { id } = await start(world, { kind: 'speech', text })
    const { path } = (await world.call('studio/listen', { jobId: id })) as { path: string }
    const body: ReadableStream<Uint8Array> = (await at(world, path)).body!
    const reader = body.getReader()
    expect((await reader.read()).value?.length).toBeGreaterThan(10_000)
    breaks.resolve(undefined)
    await expect(
      (async () => {
        while (!(await reader.read()).done);
      })(),
    ).rejects.toThrow()
    await until(world, id, 'unknown')
  }, 60_000)
})

describe('joining audio', () => {
  const part = (bytes: Buffer, type: string): SpokenPart => ({
    bytes: bytes.length,
    type,
    head: bytes.subarray(0, 65_536),
    read: async function* (from) {
      for (let at = from; at < bytes.length; at += 777)
        yield await Promise.resolve(bytes.subarray(at, Math.min(at + 777, bytes.length)))
    },
  })
  const joined = async (parts: SpokenPart[]): Promise<Buffer> =>
    Buffer.concat(await Array.fromAsync(joinAudio(parts) ?? expect.unreachable()))
  const tone = (seconds: number): Float32Array =>
    Float32Array.from({ length: Math.round(seconds * 16_000) }, (_, at) => Math.sin(at / 9))
  const frame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413, 7)])
  const xing = Buffer.concat([
    Buffer.from([0xff, 0xfb, 0x90, 0x00]),
    Buffer.alloc(32),
    Buffer.from('Xing'),
    Buffer.alloc(377),
  ])
  const id3 = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\x05', 'latin1'), Buffer.alloc(5, 1)])
  const id3v1 = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125, 2)])

  it('of WAV gives all samples after one header, also if a piece had no known length', async () => {
    const [a, b] = [writeWave(tone(0.5), 'first'), writeWave(tone(0.25), 'second')]
    const unsure = Buffer.from(b)
    unsure.writeUInt32LE(0xffff_ffff, unsure.indexOf('data') + 4)
    const whole = await joined([part(a, 'audio/wav'), part(unsure, 'audio/wav')])
    expect(readWave(whole)?.seconds).toBeCloseTo(0.75, 5)
    const [first, second] = [a, b].map((bytes) => bytes.subarray(bytes.indexOf('data') + 8))
    expect(whole.subarray(44).equals(Buffer.concat([first!, second!]))).toBe(true)
  })
  it('of MP3 gives all frames, without tags or length frames', async () => {
    const whole = await joined([
      part(Buffer.concat([id3, xing, frame, frame, id3v1]), 'audio/mpeg'),
      part(Buffer.concat([frame, frame, frame]), 'audio/mpeg'),
    ])
    expect(whole.equals(Buffer.concat([frame, frame, frame, frame, frame]))).toBe(true)
  })
  it('is refused for two formats, or for one that can’t be joined', () => {
    expect(
      joinAudio([part(frame, 'audio/mpeg'), part(writeWave(tone(0.1), ''), 'audio/wav')]),
    ).toBeUndefined()
    expect(joinAudio([part(frame, 'audio/flac'), part(frame, 'audio/flac')])).toBeUndefined()
    const other = writeWave(tone(0.1), '')
    other.writeUInt32LE(8000, 24)
    expect(joinAudio([part(writeWave(tone(0.1), ''), 'audio/wav'), part(other, 'audio/wav')])).toBeUndefined()
    expect(joinAudio([part(Buffer.from('RIFF\0\0\0\0WAVE'), 'audio/wav')])).toBeUndefined()
  })
})

import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { cutAudio, secondsOf, type Recording } from '../../../src/core/jobs/audio/cut-audio.ts'
import { joinTranscripts } from '../../../src/core/jobs/transcripts.ts'
import { readWave, writeWave } from '../../../src/sandbox/audio/wave.ts'
import type { Job, JobEstimate, Transcript } from '../../../src/shared/job.ts'
import {
  bytesOf,
  codeOf,
  get,
  make,
  sentTo,
  start,
  startStudioWorld,
  until,
  upload,
  uploaded,
  type StudioWorld,
} from './studio-world.ts'
import { windowCaller } from '../../window-caller.ts'

const TRANSCRIPT = 'The first sentence. The second one, which is longer. And a third.'
const spoken = (seconds: number): Buffer => writeWave(new Float32Array(16_000 * seconds), TRANSCRIPT)

test('the upload progress of a recording is reported, and never saved', async () => {
  const half = Promise.withResolvers<undefined>()
  const received = Promise.withResolvers<undefined>()
  const slowly = async function* (body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    let bytes = 0
    for await (const piece of body) {
      bytes += piece.byteLength
      yield piece
      if (bytes < 1_000_000) continue
      received.resolve(undefined)
      await half.promise
    }
  }
  await using world = await startStudioWorld('B', 'balance', {
    fetch: (network) => (url, init) => {
      const { body } = init
      return network(
        url,
        url.endsWith('/audio/transcriptions') && typeof body === 'object' && Symbol.asyncIterator in body
          ? { ...init, body: slowly(body) }
          : init,
      )
    },
  })
  const reportedJobs: Job[] = []
  const response = await world.core.api(
    new Request('http://sotto.invalid/api/studio/watch', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    }),
    windowCaller,
  )
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const reading = (async () => {
    let text = ''
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      text += piece.value
      const lines = text.split('\n')
      text = lines.pop() ?? ''
      for (const line of lines.filter((one) => one.startsWith('data: ')))
        reportedJobs.push(
          ...((JSON.parse(line.slice('data: '.length)) as { json?: { jobs?: Job[] } }).json?.jobs ?? []),
        )
    }
  })().catch(() => undefined)

  const recording = spoken(60)
  const { id } = await start(world, {
    kind: 'transcription',
    format: 'json',
    file: await uploaded(world, 'said.wav', recording),
  })
  await received.promise
  await expect.poll(() => reportedJobs.at(-1)?.onItsWay?.sent ?? 0).toBeGreaterThan(500_000)
  // While the job waits for the service, it reports only the bytes that the service has taken.
  expect(reportedJobs.at(-1)).toMatchObject({ id, state: 'sending', onItsWay: { of: recording.length } })
  expect(reportedJobs.at(-1)!.onItsWay!.sent).toBeLessThan(recording.length)
  expect(await get(world, id)).not.toHaveProperty('onItsWay')
  half.resolve(undefined)
  const job = await until(world, id, 'done')
  expect(job).not.toHaveProperty('onItsWay')
  await expect.poll(() => reportedJobs.some(({ onItsWay }) => onItsWay?.sent === recording.length)).toBe(true)
  await reader.cancel()
  await reading
})

describe.each(['A', 'B'] as const)('transcription, Revision %s', (revision) => {
  let world: StudioWorld
  beforeAll(async () => {
    world = await startStudioWorld(revision, 'balance')
  }, 60_000)
  afterAll(() => world[Symbol.asyncDispose]())
  const transcript = async (jobId: string): Promise<Transcript> =>
    (await world.call('studio/transcript', { jobId })) as Transcript
  const write = async (format: string, bytes = spoken(12), more: object = {}) =>
    make(world, { kind: 'transcription', format, file: await uploaded(world, 'said.wav', bytes), ...more })

  it.each(['json', 'text', 'srt', 'vtt', 'verbose_json'] as const)('returns %s', async (format) => {
    const job = await write(format, spoken(12), { language: 'en' })
    expect(job).toMatchObject({
      parts: { of: 1, done: 1 },
      files: [
        { role: 'given', type: 'audio/wav', seconds: 12 },
        { index: 1, role: 'made' },
      ],
    })
    const { text, segments } = await transcript(job.id)
    expect(text).toContain('The second one, which is longer.')
    if (format === 'json' || format === 'text') expect(segments).toBeUndefined()
    else
      expect(segments).toMatchObject([
        { start: 0, text: 'The first sentence.' },
        {},
        { end: 12, text: 'And a third.' },
      ])
    expect(job.files[1]?.name).toMatch(
      { json: /\.json$/, verbose_json: /\.json$/, text: /\.txt$/, srt: /\.srt$/, vtt: /\.vtt$/ }[format],
    )
  })

  it('has a cost by the length of the recording if its format contains the length', async () => {
    const estimate = async (bytes: Buffer, name: string, more: object = {}): Promise<JobEstimate> =>
      (await world.call('studio/estimate', {
        ask: {
          kind: 'transcription',
          format: 'json',
          ...more,
          file: await uploaded(world, name, bytes),
          ...(revision === 'B' && { model: 'sandbox/orecchio-3' }),
        },
      })) as JobEstimate
    if (revision === 'B')
      expect((await estimate(spoken(60), 'a.wav')).cost).toEqual({ least: '6330000000', most: '6330000000' })
    const mp3 = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), Buffer.alloc(2000)])
    expect(await estimate(mp3, 'a.mp3')).toEqual({ cost: null, unknown: ['length'] })
    // The caller may know the length, but a length stated in the audio format takes precedence.
    if (revision === 'B') {
      expect((await estimate(mp3, 'a.mp3', { seconds: 120 })).cost?.most).toBe('12660000000')
      expect((await estimate(spoken(60), 'a.wav', { seconds: 1 })).cost?.most).toBe('6330000000')
    }
  })

  it('refuses a recording that is too large with a remedy, or sends it in pieces with adjusted times', async () => {
    const large = spoken(1000)
    expect(large.length).toBeGreaterThan(25_000_000)
    const before = sentTo(world, '/audio/transcriptions')
    const file = await uploaded(world, 'large.wav', large)
    expect(codeOf(await start(world, { kind: 'transcription', format: 'verbose_json', file }))).toBe(
      'studio/audio-too-large',
    )
    expect(sentTo(world, '/audio/transcriptions')).toBe(before)
    const job = await make(world, { kind: 'transcription', format: 'verbose_json', file, split: true })
    expect(sentTo(world, '/audio/transcriptions')).toBe(before + 2)
    const { seconds, segments } = await transcript(job.id)
    expect([Math.round(seconds ?? 0), segments?.at(-1)?.end]).toEqual([1000, seconds])
  }, 60_000)

  it('sends nothing of an invalid file', async () => {
    const before = sentTo(world, '/audio/transcriptions')
    const from = async (name: string, bytes: Buffer, more: object = {}): Promise<string> => {
      const uploadResult = await upload(world, name, bytes)
      return 'code' in uploadResult
        ? uploadResult.code
        : codeOf(
            await start(world, {
              kind: 'transcription',
              format: 'json',
              file: { uploadId: uploadResult.uploadId },
              ...more,
            }),
          )
    }
    expect(await from('words.mp3', Buffer.from('these are words'))).toBe('studio/audio-type')
    expect(await from('empty.mp3', Buffer.alloc(0))).toBe('studio/file-empty')
    expect(await from('sound.flac', Buffer.from('fLaC0000000000000'))).toBe('studio/audio-type')
    const webm = Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(26_000_000)])
    expect(await from('large.webm', webm, { split: true })).toBe('studio/audio-too-large')
    expect(
      codeOf(
        await world.call('studio/start', {
          ask: { kind: 'transcription', format: 'json', file: await uploaded(world, 'a.wav', spoken(1)) },
          pay: 'single',
        }),
      ),
    ).toBe('studio/balance-only')
    expect(sentTo(world, '/audio/transcriptions')).toBe(before)
  }, 60_000)

  it('can be edited, found by its text, and repeated', async () => {
    const job = await write('json')
    await world.call('studio/edit', { jobId: job.id, text: 'Better words about a walrus.' })
    expect(await transcript(job.id)).toMatchObject({
      edited: 'Better words about a walrus.',
      text: TRANSCRIPT,
    })
    expect(
      ((await world.call('studio/list', { text: 'walrus' })) as { jobs: { id: string }[] }).jobs.map(
        ({ id }) => id,
      ),
    ).toEqual([job.id])
    const again = (await world.call('studio/again', { jobId: job.id })) as { id: string }
    await expect
      .poll(async () => ((await world.call('studio/get', { jobId: again.id })) as { state: string }).state)
      .toBe('done')
    expect(readWave(await bytesOf(world, again.id, 10_000))?.seconds).toBe(12)
  })

  it('uses little memory for a large file', async () => {
    const large = spoken(780)
    const begun = (await world.call('studio/upload/begin', { name: 'a.wav', size: large.length })) as {
      uploadId: string
      path: string
    }
    async function* pieces(): AsyncGenerator<Uint8Array, void> {
      for (let at = 0; at < large.length; at += 65_536)
        yield await Promise.resolve(large.subarray(at, at + 65_536))
    }
    globalThis.gc?.()
    const before = process.memoryUsage().rss
    let most = before
    const watching = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss)
    }, 5)
    const init = { method: 'PUT', body: ReadableStream.from(pieces()), duplex: 'half' } as RequestInit
    expect((await world.core.files(new Request(`http://sotto.invalid${begun.path}`, init))).status).toBe(200)
    clearInterval(watching)
    expect(most - before).toBeLessThan(60 * 1024 * 1024)
  })
})

describe('a recording', () => {
  const recording = (bytes: Buffer, type: string): Recording => ({
    bytes: bytes.length,
    type,
    head: bytes.subarray(0, 65_536),
    read: async function* (from) {
      for (let at = from; at < bytes.length; at += 10_007)
        yield await Promise.resolve(bytes.subarray(at, Math.min(at + 10_007, bytes.length)))
    },
  })
  const whole = async (content: AsyncIterable<Uint8Array>): Promise<Buffer> =>
    Buffer.concat(await Array.fromAsync(content))
  const frame = (seed: number): Buffer =>
    Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413, seed)])

  it('in WAV is cut between samples, and each piece is a file with its own length', async () => {
    const bytes = writeWave(
      Float32Array.from({ length: 40_000 }, (_, at) => Math.sin(at)),
      'x',
    )
    const pieces = await cutAudio(recording(bytes, 'audio/wav'), 30_001)
    const files = await Promise.all(pieces.map((piece) => whole(piece.read())))
    expect(files.every((file, at) => file.length === pieces[at]?.bytes && file.length <= 30_001)).toBe(true)
    expect(files.reduce((sum, file) => sum + (readWave(file)?.seconds ?? 0), 0)).toBeCloseTo(2.5, 6)
    expect(pieces.map(({ startSeconds }) => startSeconds)).toEqual([
      0,
      expect.closeTo(readWave(files[0]!)!.seconds, 6),
      expect.closeTo(2 * readWave(files[0]!)!.seconds, 6),
    ])
    expect(secondsOf(recording(bytes, 'audio/wav'))).toBe(2.5)
  })
  it('in MP3 is cut between frames, after its tag', async () => {
    const frames = Array.from({ length: 100 }, (_, at) => frame(at))
    const bytes = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\x03', 'latin1'), Buffer.alloc(3), ...frames])
    const pieces = await cutAudio(recording(bytes, 'audio/mpeg'), 10_000)
    const files = await Promise.all(pieces.map((piece) => whole(piece.read())))
    expect(Buffer.concat(files).equals(Buffer.concat(frames))).toBe(true)
    expect(files.every((file) => file.length <= 10_000 && file.length % 417 === 0)).toBe(true)
    expect(pieces[1]?.startSeconds).toBeCloseTo((23 * 1152) / 44_100, 6)
  })
  it('without boundaries is refused', async () => {
    for (const [bytes, type] of [
      [Buffer.alloc(50_000, 1), 'audio/mpeg'],
      [Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), Buffer.alloc(50_000)]), 'audio/wav'],
    ] as const) {
      await expect(cutAudio(recording(bytes, type), 10_000)).rejects.toMatchObject({
        code: 'studio/audio-malformed',
      })
    }
    await expect(cutAudio(recording(Buffer.alloc(50_000), 'video/webm'), 10_000)).rejects.toMatchObject({
      code: 'studio/audio-too-large',
    })
  })
})

describe('transcripts of pieces', () => {
  const heard = (text: string, startSeconds: number) => ({ answer: Buffer.from(text), startSeconds })
  it('are joined into one numbered file of cues, with the times of the whole recording', () => {
    expect(
      joinTranscripts('srt', [
        heard(
          '1\n00:00:01,000 --> 00:00:02,500\nOne\nline\n\n2\r\n00:00:03,000 --> 00:00:04,000\r\nTwo\r\n',
          0,
        ),
        heard('1\n00:00:00,250 --> 00:00:01,000\nThree\n', 3661.5),
      ]),
    ).toBe(
      '1\n00:00:01,000 --> 00:00:02,500\nOne\nline\n\n2\n00:00:03,000 --> 00:00:04,000\nTwo\n\n3\n01:01:01,750 --> 01:01:02,500\nThree\n',
    )
    expect(
      joinTranscripts('vtt', [
        heard('WEBVTT\n\n00:01.000 --> 00:02.000\nOne\n', 0),
        heard('WEBVTT\n\nNOTE a note\n\n00:01.000 --> 00:02.000\nTwo\n', 60),
      ]),
    ).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nOne\n\n00:01:01.000 --> 00:01:02.000\nTwo\n')
  })
  it('are joined into one text, and refused if malformed', () => {
    expect(joinTranscripts('text', [heard('One.\n', 0), heard('{"text":"Two."}', 5)])).toBe('One.\nTwo.\n')
    expect(
      JSON.parse(joinTranscripts('json', [heard('{"text":"One."}', 0), heard('{"text":"Two."}', 5)])),
    ).toEqual({ text: 'One. Two.' })
    expect(() => joinTranscripts('json', [heard('[]', 0)])).toThrow(
      expect.objectContaining({ code: 'service/response-invalid' }) as Error,
    )
    expect(() => joinTranscripts('srt', [{ answer: Buffer.from([0xff]), startSeconds: 0 }])).toThrow(
      expect.objectContaining({ code: 'service/response-invalid' }) as Error,
    )
  })
})

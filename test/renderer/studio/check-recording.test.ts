import { expect, it } from 'vitest'
import { checkRecording } from '../../../src/renderer/features/studio/transcription/check-recording.ts'

const of = (head: string, size = 100): Blob =>
  new Blob([
    Uint8Array.from(head, (character) => character.charCodeAt(0)),
    new Uint8Array(Math.max(0, size - head.length)),
  ])
const WAV = 'RIFF\0\0\0\0WAVEfmt '

it.each([
  ['a WAV', of(WAV), { type: 'audio/wav', splits: false }],
  ['WebM as a browser records it', of('\x1a\x45\xdf\xa3'), { type: 'video/webm', splits: false }],
  [
    'an empty file',
    new Blob([]),
    { type: 'application/octet-stream', wrong: 'studio/file-empty', splits: false },
  ],
  [
    'a text called .mp3',
    of('these are words'),
    { type: 'application/octet-stream', wrong: 'studio/audio-type', splits: false },
  ],
  ['FLAC', of('fLaC'), { type: 'audio/flac', wrong: 'studio/audio-type', splits: false }],
  [
    'a WAV of 26 MB',
    of(WAV, 26_000_000),
    { type: 'audio/wav', wrong: 'studio/audio-too-large', splits: true },
  ],
  [
    'an MP3 of 26 MB',
    of('ID3', 26_000_000),
    { type: 'audio/mpeg', wrong: 'studio/audio-too-large', splits: true },
  ],
  [
    'WebM of 26 MB',
    of('\x1a\x45\xdf\xa3', 26_000_000),
    { type: 'video/webm', wrong: 'studio/audio-too-large', splits: false },
  ],
])('%s', async (_, file, checked) => expect(await checkRecording(file)).toEqual(checked))

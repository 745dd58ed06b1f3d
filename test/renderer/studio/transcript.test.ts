import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exportTranscript } from '../../../src/renderer/features/studio/transcription/export-transcript.ts'
import {
  storedText,
  lineAt,
  linesOf,
  type Line,
} from '../../../src/renderer/features/studio/transcription/transcript-lines.ts'
import { segmentsIn } from '../../../src/core/jobs/transcripts.ts'

const segments = [
  { start: 0, end: 1.5, text: ' One ' },
  { start: 1.5, end: 3661.25, text: 'Two\nlines' },
]

describe('lines of a transcript', () => {
  it('are its segments, each on one line', () =>
    expect(linesOf({ text: 'x', segments })).toEqual([
      { start: 0, end: 1.5, text: 'One' },
      { start: 1.5, end: 3661.25, text: 'Two lines' },
    ]))
  it('have the edited text if the number of lines matches', () => {
    expect(linesOf({ text: 'x', segments, edited: 'Uno\nDue' })?.map(({ text }) => text)).toEqual([
      'Uno',
      'Due',
    ])
    expect(linesOf({ text: 'x', segments, edited: 'all else' })?.map(({ text }) => text)).toEqual([
      'One',
      'Two lines',
    ])
  })
  it('are absent without times', () => {
    expect(linesOf({ text: 'x' })).toBeUndefined()
    expect(linesOf({ text: 'x', segments: [] })).toBeUndefined()
  })
  it('stay the same after they are saved and opened again', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 30 }), (texts) => {
        const input = texts.map((text, at) => ({ start: at, end: at + 1, text }))
        const stored = storedText(linesOf({ text: '', segments: input }) ?? [])
        expect(storedText(linesOf({ text: '', segments: input, edited: stored }) ?? [])).toBe(stored)
      }),
    )
  })
  it('are found by time, like in a search from the start', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 50 }), { maxLength: 20 }),
        fc.integer({ min: -5, max: 60 }),
        (starts, at) => {
          const lines: Line[] = starts
            .toSorted((a, b) => a - b)
            .map((start) => ({ start, end: start + 1, text: '' }))
          expect(lineAt(lines, at)).toBe(lines.findLastIndex(({ start }) => start <= at))
        },
      ),
    )
  })
})

describe('a transcript as a file', () => {
  const lines = [
    { start: 0, end: 1.5, text: 'One & <b>' },
    { start: 1.5, end: 3661.25, text: 'Two --> three' },
  ]
  it('is SubRip', () =>
    expect(exportTranscript('srt', { text: '', lines })).toBe(
      '1\n00:00:00,000 --> 00:00:01,500\nOne & <b>\n\n2\n00:00:01,500 --> 01:01:01,250\nTwo → three\n',
    ))
  it('is WebVTT', () =>
    expect(exportTranscript('vtt', { text: '', lines })).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nOne &amp; &lt;b&gt;\n\n00:00:01.500 --> 01:01:01.250\nTwo → three\n',
    ))
  it('is text or JSON', () => {
    expect(exportTranscript('txt', { text: 'One\n\n' })).toBe('One\n')
    expect(
      JSON.parse(
        exportTranscript('json', { text: 'One', lines: lines.slice(0, 1), language: 'en', seconds: 2 }),
      ),
    ).toEqual({ text: 'One', language: 'en', duration: 2, segments: [{ id: 0, ...lines[0] }] })
  })
  it('has as many cues as lines, for any text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', '\n', '-->', ' ', '0', ':', '<', '\r') }), {
          minLength: 1,
          maxLength: 8,
        }),
        (texts) => {
          const textLines = texts.map((text, at) => ({ start: at, end: at + 1, text }))
          for (const format of ['srt', 'vtt'] as const)
            expect(segmentsIn(exportTranscript(format, { text: '', lines: textLines })).length).toBe(
              texts.length,
            )
        },
      ),
    )
  })
})

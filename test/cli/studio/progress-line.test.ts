import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ProgressLine } from '../../../src/cli/studio/follow-job.ts'
import { estimateWords, jobLine, shortened, stateWords } from '../../../src/cli/studio/labels.ts'
import { formatBytes } from '../../../src/shared/byte-size.ts'
import { formatDuration } from '../../../src/shared/duration.ts'
import type { Job } from '../../../src/shared/job.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

function terminal(isTTY: boolean, columns = 60) {
  let written = ''
  return {
    stream: { isTTY, columns, write: (text: string | Uint8Array) => (written += String(text)) !== '' },
    written: () => written,
  }
}

describe('the progress line', () => {
  it('shows the state and the elapsed time on a terminal, and overwrites itself', () => {
    const { stream, written } = terminal(true)
    const line = new ProgressLine(stream)
    line.show('In progress', 940_000)
    vi.advanceTimersByTime(2000)
    line.end()
    expect(written().split('\r\u001b[K')).toEqual([
      '',
      'In progress · 1 min 0 s',
      'In progress · 1 min 1 s',
      'In progress · 1 min 2 s',
      '',
    ])
    vi.advanceTimersByTime(5000)
    expect(written().endsWith('1 min 2 s\r\u001b[K')).toBe(true)
  })
  it('prints only messages if the output is not a terminal', () => {
    const { stream, written } = terminal(false)
    const line = new ProgressLine(stream)
    line.show('Sending…')
    vi.advanceTimersByTime(5000)
    line.msg('Costs $0.02.')
    line.end()
    expect(written()).toBe('Costs $0.02.\n')
  })
  it('fits in one line and removes control characters', () => {
    const { stream, written } = terminal(true, 20)
    new ProgressLine(stream).show(`a\u001b[2J${'é'.repeat(50)}`)
    expect(written()).toBe(`\r\u001b[Ka[2J${'é'.repeat(15)}`)
  })
})

describe('formatting', () => {
  it('formats durations and sizes', () => {
    expect([0, 59_999, 60_000, 3_600_000 + 61_000, -5].map(formatDuration)).toEqual([
      '0 s',
      '59 s',
      '1 min 0 s',
      '1 h 1 min',
      '0 s',
    ])
    expect([12, 1500, 25_000_000].map(formatBytes)).toEqual(['12 B', '1.5 kB', '25.0 MB'])
  })
  it('shortens a text only between visible characters', () => {
    expect([shortened('👩‍👩‍👧 and', 1), shortened('abc', 3), shortened('abcd', 3), shortened('', 3)]).toEqual([
      '👩‍👩‍👧',
      'abc',
      'abc',
      '',
    ])
  })
  it('shows which part of an estimate is unknown', () => {
    expect(estimateWords({ cost: null, unknown: ['price'] })).toBe(
      'The price list has no price for this, so the cost is unknown in advance.',
    )
    expect(estimateWords({ cost: { least: '20000000000', most: '40000000000' }, unknown: ['choice'] })).toBe(
      'Costs $0.02 – $0.04. The cost depends on the options you left to the service.',
    )
    expect(
      estimateWords({
        cost: { least: '1', most: '1' },
        unknown: [],
        counted: { of: 10, unusable: 2, requests: 8 },
      }),
    ).toMatch(/ Total: 10, in 8 requests\. 2 can’t be sent\.$/)
  })
  it('counts parts and rows in a state', () => {
    expect(stateWords({ kind: 'speech', state: 'sending', parts: { of: 5, done: 2 } })).toBe(
      'Sent to service: 2 of 5 parts',
    )
    expect(
      stateWords({
        kind: 'batch',
        state: 'sending',
        parts: { of: 9, done: 4 },
        rows: { done: 3, failed: 1, unknown: 1 },
      }),
    ).toBe('Running: 3 of 9 rows done, 1 failed, 1 unknown')
  })
  it('shows how much of a file is sent until all of it is sent', () => {
    expect(
      stateWords({ kind: 'transcription', state: 'sending', onItsWay: { sent: 1_500_000, of: 25_000_000 } }),
    ).toBe('Sending: 1.5 MB of 25.0 MB sent')
    expect(
      stateWords({
        kind: 'transcription',
        state: 'sending',
        parts: { of: 3, done: 1 },
        onItsWay: { sent: 1_500_000, of: 25_000_000 },
      }),
    ).toBe('Sending: 1.5 MB of 25.0 MB sent, 1 of 3 parts done')
    expect(
      stateWords({ kind: 'transcription', state: 'sending', onItsWay: { sent: 25_000_000, of: 25_000_000 } }),
    ).toBe('Sent to service')
  })
  it('formats a job as one line, even if its texts contain control characters', () => {
    const job: Job = {
      id: 'one',
      at: 0,
      changedAt: 0,
      kind: 'image',
      state: 'done',
      pay: 'balance',
      caller: { kind: 'cli' },
      ask: { kind: 'image', model: 'm', prompt: 'a\nb\u001b[31m' },
      cost: '20000000000',
      files: [
        { index: 1, role: 'made', name: 'otter.png', type: 'image/png', bytes: 1500, width: 2, height: 3 },
      ],
      may: [],
    }
    expect(jobLine(job)).toBe(
      'one  1970-01-01 00:00 UTC  image “a b[31m”: Cost $0.02; 1 otter.png 2×3 (1.5 kB)',
    )
  })
})

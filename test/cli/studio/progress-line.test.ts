import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ProgressLine } from '../../../src/cli/studio/progress-line.ts'
import { elapsed, estimateWords, jobLine, megabytes, shortened, stateWords } from '../../../src/cli/studio/words.ts'
import type { Job } from '../../../src/shared/job.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

function terminal(isTTY: boolean, columns = 60) {
  let written = ''
  return { stream: { isTTY, columns, write: (text: string | Uint8Array) => (written += String(text)) !== '' }, written: () => written }
}

describe('the line of progress', () => {
  it('shows on a terminal what goes on, and how long, over itself', () => {
    const { stream, written } = terminal(true)
    const line = new ProgressLine(stream)
    line.show('the service is making it', 940_000)
    vi.advanceTimersByTime(2000)
    line.end()
    expect(written().split('\r\u001b[K')).toEqual(['', 'the service is making it  1:00', 'the service is making it  1:01', 'the service is making it  1:02', ''])
    vi.advanceTimersByTime(5000)
    expect(written().endsWith('1:02\r\u001b[K')).toBe(true)
  })
  it('says nothing where there is no terminal, but what is said once', () => {
    const { stream, written } = terminal(false)
    const line = new ProgressLine(stream)
    line.show('sending')
    vi.advanceTimersByTime(5000)
    line.say('It costs $0.02 by the listing.')
    line.end()
    expect(written()).toBe('It costs $0.02 by the listing.\n')
  })
  it('keeps within the line, and lets nobody move the cursor', () => {
    const { stream, written } = terminal(true, 20)
    new ProgressLine(stream).show(`a\u001b[2J${'é'.repeat(50)}`)
    expect(written()).toBe(`\r\u001b[Ka[2J${'é'.repeat(15)}`)
  })
})

describe('words', () => {
  it('of time and size', () => {
    expect([0, 59_999, 60_000, 3_600_000 + 61_000, -5].map(elapsed)).toEqual(['0:00', '0:59', '1:00', '1:01:01', '0:00'])
    expect([12, 1500, 25_000_000].map(megabytes)).toEqual(['12 B', '1.5 kB', '25.0 MB'])
  })
  it('of a text are cut between what a reader takes for characters', () => {
    expect([shortened('👩‍👩‍👧 and', 1), shortened('abc', 3), shortened('abcd', 3), shortened('', 3)]).toEqual(['👩‍👩‍👧', 'abc', 'abc', ''])
  })
  it('of a price never make nothing of what is unknown', () => {
    expect(estimateWords({ cost: null, unknown: ['price'] })).toBe('What it costs is not known, as no price is listed.')
    expect(estimateWords({ cost: { least: '20000000000', most: '40000000000' }, unknown: ['choice'] })).toBe('It costs $0.02 – $0.04 by the listing.')
    expect(estimateWords({ cost: { least: '1', most: '1' }, unknown: [], counted: { of: 10, unusable: 2, requests: 8 } })).toMatch(/ 10 in all, in 8 requests; 2 cannot be sent\.$/)
  })
  it('of a state count parts and rows', () => {
    expect(stateWords({ state: 'sending', parts: { of: 5, done: 2 } })).toBe('sent, waiting for the answer: 2 of 5 parts')
    expect(stateWords({ state: 'sending', parts: { of: 9, done: 4 }, rows: { done: 3, failed: 1, unknown: 1 } })).toBe('sent, waiting for the answer: 5 of 9 rows, 1 failed, 1 of unknown end')
  })
  it('of a file on its way say how much of it is sent, until all of it is', () => {
    expect(stateWords({ state: 'sending', onItsWay: { sent: 1_500_000, of: 25_000_000 } })).toBe('on its way: 1.5 MB of 25.0 MB sent')
    expect(stateWords({ state: 'sending', parts: { of: 3, done: 1 }, onItsWay: { sent: 1_500_000, of: 25_000_000 } })).toBe('on its way: 1.5 MB of 25.0 MB sent; 1 of 3 parts done')
    expect(stateWords({ state: 'sending', onItsWay: { sent: 25_000_000, of: 25_000_000 } })).toBe('sent, waiting for the answer')
  })
  it('of a job are one line, whatever the service or a file is called', () => {
    const job: Job = {
      id: 'one', at: 0, changedAt: 0, kind: 'image', state: 'done', pay: 'balance', caller: { kind: 'cli' }, ask: { kind: 'image', model: 'm', prompt: 'a\nb\u001b[31m' }, cost: '20000000000',
      files: [{ index: 1, role: 'made', name: 'otter.png', type: 'image/png', bytes: 1500, width: 2, height: 3 }], may: [],
    }
    expect(jobLine(job)).toBe('one  1970-01-01 00:00  image “a b[31m”: $0.02; 1 otter.png 2×3 (1.5 kB)')
  })
})

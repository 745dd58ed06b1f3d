import { expect, it } from 'vitest'
import { historyMatches } from '../../../src/core/jobs/history-match.ts'
import type { JobPart, JobRecord } from '../../../src/shared/job-record.ts'

const HOUR = 3_600_000
const at = Date.UTC(2026, 4, 1, 12)
const never = new AbortController().signal
const base: JobRecord = {
  id: 'j',
  at,
  changedAt: at,
  state: 'unknown',
  pay: 'balance',
  accountId: 'a',
  caller: { kind: 'window' },
  ask: { kind: 'speech', text: 'Hello', model: 'voice' },
  files: [],
  sentAt: at,
}
const data = {
  kind: 'batch',
  method: 'POST',
  path: '/api/people/people-search',
  file: { file: 10_000 },
  columns: { who: { column: 0, as: 'text' } },
  header: true,
  concurrency: 2,
} as const

/** What a job is compared with: one record of its model each half hour of the days that are asked for. */
async function matched(
  job: JobRecord,
  parts: readonly JobPart[] = [],
): Promise<{ readonly hours: number[]; readonly days: string[] }> {
  const days: string[] = []
  const model = job.ask.kind === 'batch' ? 'people-search' : 'voice'
  const { matches } = await historyMatches(job, {
    signal: never,
    parts: {
      list: (_, { states, from }) =>
        parts.filter(({ part, state }) => part >= from && (!states || states.includes(state))),
    },
    service: {
      history: ({ from, until }) => {
        days.push(from, until)
        return Promise.resolve({
          pages: 1,
          records: Array.from({ length: 96 }, (_, half) => ({
            at: Date.UTC(2026, 4, 1) + (half * HOUR) / 2,
            model,
          })),
        })
      },
    },
  })
  return { hours: matches.map((match) => (match.at - at) / HOUR), days }
}

it('searches for a request sent in one part only around that time', async () => {
  expect(await matched({ ...base, changedAt: at + 9 * HOUR })).toEqual({
    hours: [0],
    days: ['2026-05-01', '2026-05-01'],
  })
})

it('searches for a request sent in several parts until its last change', async () => {
  const { hours, days } = await matched({ ...base, parts: { of: 90, done: 40 }, changedAt: at + 13 * HOUR })
  expect([hours.at(0), hours.at(-1), days]).toEqual([0, 13, ['2026-05-01', '2026-05-02']])
})

it('searches for each unresolved row of a batch around the time when it was sent', async () => {
  const row = (part: number, state: JobPart['state'], hour: number): JobPart => ({
    part,
    state,
    sentAt: at + hour * HOUR,
  })
  const job: JobRecord = {
    ...base,
    state: 'paused',
    ask: data,
    parts: { of: 9, done: 3 },
    changedAt: at + 20 * HOUR,
  }
  expect(
    (await matched(job, [row(0, 'done', 0), row(1, 'unknown', 5), row(2, 'done', 5.5), row(3, 'unknown', 6)]))
      .hours,
  ).toEqual([5, 5.5, 6])
})

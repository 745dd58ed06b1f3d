import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  batchKillPoints,
  clipKillPoints,
  embeddingKillPoints,
  makerCost,
  makerKillPoints,
  type MakerOrder,
  type MakerReport,
} from './maker.ts'

/** The test starts many processes, one after another, on any machine. */
const TIMEOUT_MS = 600_000

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-job-kill-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function maker(
  order: MakerOrder,
): Promise<{ readonly signal: string | null; readonly report: MakerReport | undefined }> {
  const child = fork(join(import.meta.dirname, 'maker-process.ts'), [JSON.stringify(order)], {
    env: { ...process.env, NODE_COMPILE_CACHE: join(order.folder, 'compiled') },
  })
  let report: MakerReport | undefined
  child.on('message', (message) => {
    report = message as MakerReport
  })
  return new Promise((resolve) => child.on('exit', (_code, signal) => resolve({ signal, report })))
}

describe.each(['balance', 'single'] as const)('a job that is paid %s', (pay) => {
  it(
    'and isn’t killed is done once and complete',
    async () => {
      const { report } = await maker({ folder, pay })
      expect(report).toMatchObject({ jobs: [{ state: 'done', whole: true }], done: [expect.any(String)] })
      expect(report?.paid).toHaveLength(pay === 'single' ? 1 : 0)
    },
    TIMEOUT_MS,
  )

  it(
    'and killed at every step is never sent or paid twice, and saved results are finished',
    async () => {
      for (const killAt of makerKillPoints[pay]) {
        expect([killAt, (await maker({ folder, pay, killAt })).signal]).toEqual([killAt, 'SIGKILL'])
      }
      // Run it twice, so that the state is final.
      await maker({ folder, pay, finish: true })
      const { report } = await maker({ folder, pay, finish: true })
      const { jobs = [], done = [], paid = [] } = report ?? {}
      expect(new Set(done).size).toBe(done.length)
      expect(new Set(paid).size).toBe(paid.length)
      for (const { prompt, state, whole, cost } of jobs) {
        const ended = pay === 'balance' ? ['ready', 'unknown', 'done'] : ['stopped', 'done']
        expect([prompt, ended.includes(state), state]).toEqual([prompt, true, state])
        expect([prompt, state, whole]).toEqual([prompt, state, state === 'done'])
        // A job that the wallet paid for is done. A job that the service did from the balance is done, or its
        // outcome is unknown.
        if (paid.includes(prompt)) expect([prompt, state]).toEqual([prompt, 'done'])
        if (pay === 'balance' && done.includes(prompt)) expect([prompt, state]).not.toEqual([prompt, 'ready'])
        if (state === 'done') expect(done).toContain(prompt)
        if (state === 'done' && pay === 'balance') expect([prompt, cost]).toEqual([prompt, makerCost])
      }
      for (const prompt of done) expect(jobs.map((job) => job.prompt)).toContain(prompt)
      expect(new Set(jobs.map(({ state }) => state))).toEqual(
        new Set(pay === 'balance' ? ['ready', 'unknown', 'done'] : ['stopped', 'done']),
      )
    },
    TIMEOUT_MS,
  )
})

describe('a video job', () => {
  it(
    'killed at every step is submitted once, and what the service accepted is polled, saved and has its cost',
    async () => {
      for (const killAt of clipKillPoints) {
        expect([killAt, (await maker({ folder, pay: 'balance', kind: 'video', killAt })).signal]).toEqual([
          killAt,
          'SIGKILL',
        ])
      }
      await maker({ folder, pay: 'balance', kind: 'video', finish: true })
      const { report: { jobs, done } = { jobs: [], done: [] } } = await maker({
        folder,
        pay: 'balance',
        kind: 'video',
        finish: true,
      })
      expect(new Set(done).size).toBe(done.length)
      // Jobs without a stored answer are unknown. A later process may be killed at its point because an
      // earlier job reaches that point first.
      const { length: unkept } = clipKillPoints.slice(0, clipKillPoints.indexOf('after file 0'))
      expect(
        jobs
          .map(({ state }) => state)
          .toReversed()
          .slice(0, unkept + 1),
      ).toEqual([...Array<string>(unkept).fill('unknown'), 'done'])
      expect(new Set(jobs.map(({ state }) => state))).toEqual(new Set(['unknown', 'done']))
      for (const { prompt, state, whole, cost } of jobs)
        if (state === 'done') expect([prompt, whole, cost]).toEqual([prompt, true, makerCost])
    },
    TIMEOUT_MS,
  )
})

describe.each(['balance', 'single'] as const)('a batch of rows that are paid %s', (pay) => {
  it(
    'and not killed has every row done once',
    async () => {
      const { report } = await maker({ folder, pay, kind: 'batch' })
      expect(report?.jobs.map(({ state, whole }) => [state, whole])).toEqual(Array(4).fill(['done', true]))
      expect(report?.done).toHaveLength(4)
      expect(report?.paid).toHaveLength(pay === 'single' ? 4 : 0)
    },
    TIMEOUT_MS,
  )

  it(
    'and killed at every step sends and pays for no row twice, neither automatically nor after its owner resumes',
    async () => {
      for (const killAt of batchKillPoints[pay]) {
        expect([killAt, (await maker({ folder, pay, kind: 'batch', killAt })).signal]).toEqual([
          killAt,
          'SIGKILL',
        ])
      }
      await maker({ folder, pay, kind: 'batch', finish: true })
      const { report: rested } = await maker({ folder, pay, kind: 'batch', finish: true })
      holds(rested)
      expect(new Set(rested?.jobs.map(({ state }) => state))).toEqual(
        new Set(pay === 'balance' ? ['ready', 'unknown', 'done'] : ['ready', 'done']),
      )
      // Automatically, nothing more was sent or paid. A resume by the owner sends the rest, and unknown rows
      // stay unknown.
      const { report } = await maker({ folder, pay, kind: 'batch', finish: true, resume: true })
      holds(report)
      const unknown = (reported: MakerReport | undefined): string[] =>
        reported?.jobs.filter(({ state }) => state === 'unknown').map(({ prompt }) => prompt) ?? []
      expect(unknown(report)).toEqual(unknown(rested))
      expect(report?.done.length).toBeGreaterThan(rested?.done.length ?? 0)
      for (const { prompt, state } of rested?.jobs ?? [])
        if (state === 'done')
          expect(report?.jobs).toContainEqual(expect.objectContaining({ prompt, state: 'done', whole: true }))
    },
    TIMEOUT_MS,
  )

  function holds(report: MakerReport | undefined): void {
    const { jobs = [], done = [], paid = [] } = report ?? {}
    expect(jobs.length).toBeGreaterThan(0)
    expect(new Set(done).size).toBe(done.length)
    expect(new Set(paid).size).toBe(paid.length)
    for (const { prompt, state, whole } of jobs) {
      expect([prompt, state, whole]).toEqual([prompt, state, state === 'done'])
      if (pay === 'single' && paid.includes(prompt)) expect([prompt, state]).toEqual([prompt, 'done'])
      if (pay === 'balance' && done.includes(prompt)) expect([prompt, state]).not.toEqual([prompt, 'ready'])
      if (state === 'done') expect(done).toContain(prompt)
    }
  }
})

describe('a job that embeds texts', () => {
  it(
    'killed at every step preserves finished parts without resending them, and only its owner sends the rest',
    async () => {
      const order = { folder, pay: 'balance', kind: 'embedding' } as const
      for (const killAt of embeddingKillPoints) {
        expect([killAt, (await maker({ ...order, killAt })).signal]).toEqual([killAt, 'SIGKILL'])
      }
      await maker({ ...order, finish: true })
      const { report: rested } = await maker({ ...order, finish: true })
      expect(new Set(rested?.jobs.map(({ state }) => state))).toEqual(new Set(['ready', 'unknown', 'done']))
      const sentBefore = rested?.done ?? []
      expect(new Set(sentBefore).size).toBe(sentBefore.length)
      const { report } = await maker({ ...order, finish: true, resume: true })
      for (const { state, whole } of report?.jobs ?? [])
        expect([state, whole]).toEqual([state, state === 'done'])
      expect(report?.jobs.map(({ state }) => state)).not.toContain('unknown')
      // Only a part that was in transit when the process ended is sent twice: one part of a job, of which
      // nothing was stored.
      const twice = (report?.done.filter((part, at, all) => all.indexOf(part) !== at) ?? []).map((part) =>
        part.split('-').slice(0, 2).join('-'),
      )
      expect(new Set(twice).size).toBe(twice.length)
      const unknown = rested?.jobs.filter(({ state }) => state === 'unknown').length ?? 0
      expect(twice.length).toBeLessThan(unknown)
    },
    TIMEOUT_MS,
  )
})

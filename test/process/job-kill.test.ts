import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makerKillPoints, type MakerOrder, type MakerReport } from './maker.ts'

/** Many processes are started, one after another, on whatever machine this is. */
const PATIENCE_MS = 600_000

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-job-kill-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function maker(order: MakerOrder): Promise<{ readonly signal: string | null; readonly report: MakerReport | undefined }> {
  const child = fork(join(import.meta.dirname, 'maker-process.ts'), [JSON.stringify(order)], { env: { ...process.env, NODE_COMPILE_CACHE: join(order.folder, 'compiled') } })
  let report: MakerReport | undefined
  child.on('message', (message) => {
    report = message as MakerReport
  })
  return new Promise((resolve) => child.on('exit', (_code, signal) => resolve({ signal, report })))
}

describe.each(['balance', 'single'] as const)('a job that is paid %s', (pay) => {
  it('and not killed is done once, and has all of it', async () => {
    const { report } = await maker({ folder, pay })
    expect(report).toMatchObject({ jobs: [{ state: 'done', whole: true }], done: [expect.any(String)] })
    expect(report?.paid).toHaveLength(pay === 'single' ? 1 : 0)
  }, PATIENCE_MS)

  it('and killed at every step is never sent or paid twice, and what was kept is finished', async () => {
    for (const killAt of makerKillPoints[pay]) {
      expect([killAt, (await maker({ folder, pay, killAt })).signal]).toEqual([killAt, 'SIGKILL'])
    }
    // Twice, so that nothing changes any more.
    await maker({ folder, pay, finish: true })
    const { report } = await maker({ folder, pay, finish: true })
    const { jobs = [], done = [], paid = [] } = report ?? {}
    expect(new Set(done).size).toBe(done.length)
    expect(new Set(paid).size).toBe(paid.length)
    for (const { prompt, state, whole } of jobs) {
      const ended = pay === 'balance' ? ['ready', 'unknown', 'done'] : ['stopped', 'done']
      expect([prompt, ended.includes(state), state]).toEqual([prompt, true, state])
      expect([prompt, state, whole]).toEqual([prompt, state, state === 'done'])
      // What the wallet paid for is here; from the balance what the service did is here, or its end is said to be unknown.
      if (paid.includes(prompt)) expect([prompt, state]).toEqual([prompt, 'done'])
      if (pay === 'balance' && done.includes(prompt)) expect([prompt, state]).not.toEqual([prompt, 'ready'])
      if (state === 'done') expect(done).toContain(prompt)
    }
    for (const prompt of done) expect(jobs.map((job) => job.prompt)).toContain(prompt)
    expect(new Set(jobs.map(({ state }) => state))).toEqual(new Set(pay === 'balance' ? ['ready', 'unknown', 'done'] : ['stopped', 'done']))
  }, PATIENCE_MS)
})

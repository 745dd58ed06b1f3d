import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeWave } from '../../src/sandbox/audio/wave.ts'
import type { Job, PayWay } from '../../src/shared/job.ts'
import { BRUSH, until } from '../core/jobs/studio-world.ts'
import { COMMAND } from './command.ts'
import { killedCommand } from './killed-command.ts'
import { startOwnedWorld, type OwnedWorld } from './owned-world.ts'

const TIMEOUT_MS = 300_000

describe.each(['balance', 'single'] as const)(
  'a command that is killed while another Sotto has its data folder, paid %s',
  (pay: PayWay) => {
    let world: OwnedWorld
    let folder: string
    /** Sent requests that can cost money. The last of `waitsAt` requests waits. */
    let left = 0
    let waitsAt = Infinity
    let release: () => void = () => undefined
    beforeAll(async () => {
      world = await startOwnedWorld('B', pay, {
        fetch: (network) => async (url, init) => {
          const paid = /^(?:L402|Payment) /.test(init.headers['authorization'] ?? '')
          if (
            init.method === 'POST' &&
            /\/(?:generations|people-search)$/.test(url) &&
            (pay === 'balance' || paid) &&
            ++left === waitsAt
          )
            await new Promise<void>((go) => (release = go))
          return network(url, init)
        },
      })
      folder = await mkdtemp(join(tmpdir(), 'sotto-killed-'))
    }, TIMEOUT_MS)
    afterAll(async () => {
      await world[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    })
    const payment = pay === 'single' ? ['--pay', 'single', '--yes'] : []
    const jobs = async (): Promise<Job[]> => ((await world.call('studio/list', {})) as { jobs: Job[] }).jobs
    const payments = async (): Promise<number> => (await world.sandbox.wallet()).payments().length

    /** Kills the command after it has sent this many requests, and then releases the last of them. */
    async function killedAt(times: number, args: readonly string[]): Promise<Job> {
      left = 0
      waitsAt = times
      const child = spawn(process.execPath, [COMMAND, ...args, ...payment], {
        env: { ...process.env, SOTTO_DATA_DIR: world.folder },
        stdio: 'ignore',
      })
      const closed = once(child, 'close')
      await expect.poll(() => left, { timeout: 120_000 }).toBe(times)
      child.kill('SIGKILL')
      await closed
      expect(child.signalCode).toBe('SIGKILL')
      release()
      const [job] = await jobs()
      if (!job) throw new Error('there is no job')
      return job
    }

    it(
      'in mid-job: it goes on there, is done once and paid once',
      async () => {
        const before = await payments()
        const { id } = await killedAt(1, ['image', 'an otter', '--model', BRUSH])
        expect(await until(world, id, 'done')).toMatchObject({
          files: [{ role: 'answer' }, { role: 'made' }],
        })
        expect([left, (await payments()) - before]).toEqual([1, pay === 'single' ? 1 : 0])
      },
      TIMEOUT_MS,
    )

    it(
      'in mid-batch: its rows go on there, each done once and paid once',
      async () => {
        const before = await payments()
        const table = join(folder, 'rows.csv')
        await writeFile(table, 'who\notter\nheron\nfox\nbeaver\n')
        const { id } = await killedAt(2, [
          'data',
          '/api/people/people-search',
          '--batch',
          table,
          '--map',
          'q_keywords=who',
          '--concurrency',
          '1',
        ])
        expect(await until(world, id, 'done')).toMatchObject({ rows: { done: 4, failed: 0, unknown: 0 } })
        expect([left, (await payments()) - before]).toEqual([4, pay === 'single' ? 4 : 0])
      },
      TIMEOUT_MS,
    )

    if (pay === 'balance') {
      it(
        'in mid-upload: nothing is asked, and nothing of the file is left',
        async () => {
          const recording = join(folder, 'recording.wav')
          await writeFile(recording, writeWave(new Float32Array(2_000_000), 'The tide comes in.'))
          const before = (await jobs()).length
          expect(
            await killedCommand(['transcribe', recording], { at: 'read' }, { SOTTO_DATA_DIR: world.folder }),
          ).toBe('SIGKILL')
          await expect.poll(() => readdir(join(world.folder, 'spool')), { timeout: 60_000 }).toEqual([])
          expect(await jobs()).toHaveLength(before)
          expect(world.sandbox.received().filter(({ path }) => path.endsWith('/transcriptions'))).toEqual([])
        },
        TIMEOUT_MS,
      )
    }
  },
)

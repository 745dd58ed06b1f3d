import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Studio } from '../../../src/cli/studio/at-studio.ts'
import { followJob, hasSettled, ProgressLine } from '../../../src/cli/studio/follow-job.ts'
import { stopJob } from '../../../src/cli/studio/stop-job.ts'
import type { ContractClient } from '../../../src/cli/client.ts'
import type { Job } from '../../../src/shared/job.ts'
import { COMMAND } from '../../process/command.ts'
import { runSotto, startSotto } from '../../process/sotto-process.ts'
import { dataOf } from '../../process/command-json.ts'

const base: Job = {
  id: '0123456789',
  at: 0,
  changedAt: 0,
  kind: 'image',
  state: 'sending',
  pay: 'balance',
  caller: { kind: 'cli' },
  ask: { kind: 'image', model: 'm', prompt: 'p' },
  files: [],
  may: [],
}

/** A contract client with one job, which goes through these states while it is watched. */
function at(
  first: Partial<Job>,
  ownsDataFolder: boolean,
  then: readonly Partial<Job>[] = [],
  onStop: Partial<Job> = { state: 'stopped', may: ['again'] },
) {
  const asked = new AbortController()
  const insisted = new AbortController()
  const done: string[] = []
  let job: Job = { ...base, ...first }
  const become = (name: string, next: Partial<Job>) => () => {
    done.push(name)
    job = { ...job, ...next }
    return Promise.resolve(job)
  }
  const studioArea = {
    get: () => Promise.resolve(job),
    stop: become('stop', onStop),
    pause: become('pause', { state: 'paused', may: ['resume'] }),
    watch: (_: unknown, { signal }: { signal?: AbortSignal } = {}) =>
      Promise.resolve(
        (async function* () {
          yield { jobs: [job], removed: [] }
          for (const next of then) {
            job = { ...job, ...next }
            yield { jobs: [job], removed: [] }
          }
          // An aborted watch ends; any other watch waits for more changes.
          if (signal?.aborted) return
          await new Promise<void>((resolve) =>
            signal?.addEventListener('abort', () => resolve(), { once: true }),
          )
        })(),
      ),
  }
  let output = ''
  const client = { studio: studioArea } as unknown as ContractClient
  const studio: Studio = {
    connection: { client, fetch: () => Promise.reject(new Error('nothing is fetched')), ownsDataFolder },
    interrupts: {
      asked: asked.signal,
      next: () => ({ signal: insisted.signal, [Symbol.dispose]: () => undefined }),
      [Symbol.dispose]: () => undefined,
    },
    progress: new ProgressLine({
      isTTY: false,
      columns: 80,
      write: (text: string | Uint8Array) => (output += String(text)) !== '',
    }),
    json: false,
  }
  asked.abort()
  return { client, studio, done, insist: () => insisted.abort(), said: () => output }
}
const ignore = (): void => undefined

describe('Ctrl-C', () => {
  it('stops a job that was neither sent nor paid', async () => {
    const { studio, done } = at({ state: 'ready', may: ['pay', 'stop'] }, true)
    expect((await stopJob(studio, base.id, ignore)).message).toBe('Stopped. Nothing was paid.')
    expect(done).toEqual(['stop'])
  })
  it('pauses a job of several requests instead of ending it', async () => {
    const { studio, done } = at({ kind: 'batch', parts: { of: 9, done: 4 }, may: ['pause', 'stop'] }, true)
    expect((await stopJob(studio, base.id, ignore)).message).toBe(
      'Paused. 4 of 9 parts are done and saved. To continue, add --resume 01234567 to the command.',
    )
    expect(done).toEqual(['pause'])
  })
  it('waits for the current part and reports the saved parts', async () => {
    const { studio, said } = at(
      { kind: 'speech', parts: { of: 5, done: 1 }, may: ['stop'], sentAt: 1 },
      false,
      [{ parts: { of: 5, done: 2 } }, { state: 'stopped' }],
      {},
    )
    expect((await stopJob(studio, base.id, ignore)).message).toBe(
      'Stopped. 2 of 5 parts are done and saved. To continue, add --resume 01234567 to the command.',
    )
    expect(said()).toContain('Waiting for the current part… Press Ctrl-C again to leave.')
  })
  it('waits for a result that only this process can receive, and warns that leaving makes the outcome unknown', async () => {
    const { studio, said } = at({}, true, [{ state: 'saving' }, { state: 'done' }])
    expect((await stopJob(studio, base.id, ignore)).job.state).toBe('done')
    expect(said()).toContain(
      'The request was already sent and can’t be canceled. Waiting for its result… Press Ctrl-C again to leave; the outcome is then unknown.',
    )
  })
  it('pressed twice leaves the job', async () => {
    const { studio, insist } = at({}, true)
    insist()
    expect((await stopJob(studio, base.id, ignore)).message).toContain(
      'The request was already sent, so its outcome is unknown.',
    )
  })
  it.each([
    ['sending', false, 'It continues in the running Sotto.'],
    ['working', false, 'It continues in the running Sotto.'],
    ['working', true, 'It continues when Sotto starts again.'],
    ['saving', true, 'It continues when Sotto starts again.'],
    ['paying', false, 'It is paid at most once'],
  ] as const)(
    'leaves at once if the job continues without this process: state %s, owner of the data folder: %s',
    async (state, ownsDataFolder, expected) => {
      const { studio, done } = at({ state }, ownsDataFolder)
      expect((await stopJob(studio, base.id, ignore)).message).toContain(expected)
      expect(done).toEqual([])
    },
  )
})

describe('waiting for a job', () => {
  it('notices a job that ended before the watch began', async () => {
    const { client } = at({ state: 'done' }, false)
    expect((await followJob(client, base.id, { enough: hasSettled, onChange: ignore })).state).toBe('done')
  })
  it('can be aborted without ending the job', async () => {
    const { client } = at({}, false)
    const stop = new AbortController()
    const waiting = followJob(client, base.id, {
      enough: hasSettled,
      onChange: () => stop.abort(),
      signal: stop.signal,
    })
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
  })
})

it.skipIf(process.platform === 'win32')(
  'Ctrl-C leaves a video job to the running Sotto, and `jobs wait` gets its result',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sotto-interrupted-'))
    const owner = await startSotto(folder)
    try {
      const child = spawn(
        process.execPath,
        [COMMAND, 'video', 'an otter', '--model', 'sandbox/carosello-video'],
        { env: { ...process.env, SOTTO_DATA_DIR: folder }, stdio: ['ignore', 'ignore', 'pipe'] },
      )
      let errorOutput = ''
      child.stderr.setEncoding('utf8').on('data', (text: string) => (errorOutput += text))
      const jobs = async (): Promise<Job[]> => ((await owner.call('studio/list', {})) as { jobs: Job[] }).jobs
      await expect.poll(async () => (await jobs())[0]?.state).toMatch(/working|saving/)
      child.kill('SIGINT')
      await once(child, 'close')
      const [job] = await jobs()
      expect([child.exitCode, errorOutput]).toEqual([
        130,
        expect.stringContaining(
          `The service is working on the request and charges it. It continues in the running Sotto. To wait for it, run: sotto jobs wait ${job?.id.slice(0, 8) ?? ''}`,
        ) as string,
      ])
      const waited = await runSotto(['jobs', 'wait', job?.id ?? '', '--json'], { SOTTO_DATA_DIR: folder })
      expect([waited.code, (dataOf(waited.stdout) as { job: Job }).job.state]).toEqual([0, 'done'])
      expect(await jobs()).toHaveLength(1)
    } finally {
      await owner.stop('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    }
  },
)

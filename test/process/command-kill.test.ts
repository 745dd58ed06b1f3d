import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeWave } from '../../src/sandbox/audio/wave.ts'
import type { Job, JobMatch } from '../../src/shared/job.ts'
import { BRUSH, PAINTER } from '../core/jobs/studio-world.ts'
import { doneBy, killedCommand, type KillAt } from './killed-command.ts'
import { runSotto, startSotto, type Finished, type SottoProcess } from './sotto-process.ts'
import { answerOf, dataOf } from './command-json.ts'

/**
 * Commands in their own processes, with no other Sotto on their data folder. Each owns the folder until it is
 * killed.
 */
const TIMEOUT_MS = 1_200_000
const CLIP = 'sandbox/carosello-video'
const EMBEDDER = 'sandbox/eco-embedding-small'
const TABLE = 'who\notter\nheron\nfox\nbeaver\nmarten\n'

let folder: string
let owner: SottoProcess | undefined
const environment = () => ({
  SOTTO_DATA_DIR: folder,
  SOTTO_VAULT: 'file',
  SOTTO_PASSPHRASE: 'correct horse',
  NODE_COMPILE_CACHE: join(folder, 'compiled'),
})
const kill = async (args: readonly string[], at: KillAt): Promise<void> =>
  expect([args[0], at, await killedCommand(args, at, environment())]).toEqual([args[0], at, 'SIGKILL'])
const sotto = (...args: string[]): Promise<Finished> => runSotto(args, environment())
const post = (at: 'asked' | 'did', path: string, more: object = {}): KillAt => ({
  at,
  method: 'POST',
  path,
  ...more,
})

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-command-kill-'))
})
afterEach(async () => {
  await owner?.stop('SIGKILL')
  owner = undefined
  await rm(folder, { recursive: true, force: true })
})

/** The jobs after the next start, when they don't continue automatically any more: the oldest first. */
async function rested(): Promise<readonly Job[]> {
  owner = await startSotto(folder)
  const list = async (): Promise<Job[]> =>
    ((await owner!.call('studio/list', {})) as { jobs: Job[] }).jobs.toReversed()
  await expect
    .poll(
      async () =>
        (await list())
          .map(({ state }) => state)
          .filter((state) => ['paying', 'sending', 'working', 'saving'].includes(state)),
      { timeout: 120_000 },
    )
    .toEqual([])
  const jobs = await list()
  await owner.stop('SIGTERM')
  owner = undefined
  return jobs
}
const short = ({ kind, state, files, rows, parts }: Job): unknown[] => [
  kind,
  state,
  files.filter(({ role }) => role === 'made').length,
  ...(rows ? [rows] : parts ? [parts] : []),
]

describe('a killed command that pays from the balance sends nothing twice: a request in progress is unknown and listed, and finished results remain', () => {
  it(
    'for images and videos',
    async () => {
      await kill(['image', 'an otter', '--model', PAINTER], post('asked', '/v1/images/generations'))
      await kill(['image', 'a heron', '--model', BRUSH], post('did', '/v1/images/generations'))
      await kill(['image', 'a fox', '--model', BRUSH], { at: 'asked', method: 'GET', path: '/v1/media/' })
      await kill(['video', 'an otter swims', '--model', CLIP], post('did', '/v1/videos'))
      await kill(['video', 'a heron flies', '--model', CLIP], {
        at: 'asked',
        method: 'GET',
        path: '/v1/videos/',
      })
      const jobs = await restedTwice()
      expect(jobs.map(short)).toEqual([
        ['image', 'unknown', 0],
        ['image', 'unknown', 0],
        ['image', 'done', 1],
        ['video', 'unknown', 0],
        ['video', 'done', 1],
      ])
      expect(doneBy(folder)).toEqual({ [BRUSH]: 2, [CLIP]: 2 })
      // The history contains every request that was done, and none that wasn't.
      expect(await compared(jobs[0])).toEqual([1, false, true])
      expect(await compared(jobs[1])).toEqual([0, true, true])
      expect(await compared(jobs[3])).toEqual([0, true, true])
    },
    TIMEOUT_MS,
  )

  it(
    'for speech, transcripts and embeddings',
    async () => {
      const recording = join(folder, 'recording.wav')
      const lines = join(folder, 'lines.txt')
      await writeFile(recording, writeWave(new Float32Array(2_000_000), 'The tide comes in.'))
      await writeFile(lines, 'one\ntwo\nthree\n')
      await kill(['transcribe', recording], { at: 'read' })
      // The spool contains no readable part of the uploaded file.
      for (const name of await readdir(join(folder, 'spool')))
        expect((await readFile(join(folder, 'spool', name))).includes('RIFF')).toBe(false)
      await kill(
        ['speak', 'The tide comes in, and the otters sleep upon it. '.repeat(9)],
        post('did', '/v1/audio/speech', { times: 2 }),
      )
      await kill(['transcribe', recording], post('did', '/v1/audio/transcriptions'))
      await kill(['embed', lines, '--model', EMBEDDER], post('did', '/v1/embeddings'))
      const jobs = await restedTwice()
      expect(jobs.map(short)).toEqual([
        ['speech', 'unknown', 0, { of: 2, done: 1 }],
        ['transcription', 'unknown', 0, { of: 1, done: 0 }],
        ['embedding', 'unknown', 0, { of: 3, done: 0 }],
      ])
      for (const job of jobs) expect([job.kind, await compared(job)]).toEqual([job.kind, [0, true, true]])
      const before = sum(doneBy(folder))
      expect(before).toBe(4)
      // A resume sends the part with an unknown outcome again, and no other.
      expect((await sotto('speak', '--resume', jobs[0]?.id ?? '')).code).toBe(0)
      expect(sum(doneBy(folder))).toBe(before + 1)
    },
    TIMEOUT_MS,
  )

  it(
    'for data, and for the rows of a table',
    async () => {
      const table = join(folder, 'rows.csv')
      await writeFile(table, TABLE)
      await kill(['data', '/api/websearch/search', 'query=otters'], post('did', '/v1/data/api/websearch'))
      await kill(
        [
          'data',
          '/api/people/people-search',
          '--batch',
          table,
          '--map',
          'q_keywords=who',
          '--concurrency',
          '1',
        ],
        post('did', '/v1/data/api/people', { times: 3 }),
      )
      const jobs = await restedTwice()
      expect(jobs.map(short)).toEqual([
        ['data', 'unknown', 0],
        ['batch', 'paused', 0, { done: 2, failed: 0, unknown: 1 }],
      ])
      for (const job of jobs) expect([job.kind, await compared(job)]).toEqual([job.kind, [0, true, true]])
      expect(sum(doneBy(folder))).toBe(4)
      // A resume sends the unsent rows, and the row with an unknown outcome only if the user asks for it.
      const resumed = async (...more: string[]): Promise<unknown> =>
        // A row with an unknown outcome is an error, with the job as its data.
        (
          answerOf((await sotto('data', '--resume', jobs[1]?.id ?? '', '--json', ...more)).stdout) as {
            job: Job
          }
        ).job.rows
      expect(await resumed()).toEqual({ done: 4, failed: 0, unknown: 1 })
      expect(sum(doneBy(folder))).toBe(6)
      expect(await resumed('--rows', 'unknown')).toEqual({ done: 5, failed: 0, unknown: 0 })
      expect(sum(doneBy(folder))).toBe(7)
    },
    TIMEOUT_MS,
  )

  /** A start sends nothing, and doesn't change the result of the first start. */
  async function restedTwice(): Promise<readonly Job[]> {
    const done = doneBy(folder)
    const jobs = await rested()
    expect(await rested()).toEqual(jobs)
    expect(doneBy(folder)).toEqual(done)
    return jobs
  }

  /** The exit code, whether a match exists, and whether the whole period was read. */
  async function compared(job: Job | undefined): Promise<unknown[]> {
    const { code, stdout } = await sotto('jobs', 'compare', job?.id ?? '', '--json')
    const { matches, whole } = dataOf(stdout) as { matches: JobMatch[]; whole: boolean }
    return [code, matches.length > 0, whole]
  }

  const sum = (counts: Readonly<Record<string, number>>): number =>
    Object.values(counts).reduce((all, times) => all + times, 0)
})

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ownerFetch } from '../../../src/host/owner-socket.ts'
import type { Job } from '../../../src/shared/job.ts'
import { BRUSH } from '../../core/jobs/studio-world.ts'
import { COMMAND } from '../../process/command.ts'
import { dataOf } from '../../process/command-json.ts'
import { answerCommands } from '../../process/other-owner.ts'
import { runSotto, startSotto, type SottoProcess } from '../../process/sotto-process.ts'

let folder: string
let target: string
let sotto: SottoProcess
let owner: AsyncDisposable
let jobId: string
/** The path of the requests that get no end of their response. */
let stalls: string
let responses: number
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-saving-'))
  sotto = await startSotto(join(folder, 'sotto'))
  const image = ['image', 'an otter', '--model', BRUSH, '--json']
  const { stdout } = await runSotto(image, { SOTTO_DATA_DIR: join(folder, 'sotto') })
  jobId = (dataOf(stdout) as { job: Job }).job.id
  const other = ownerFetch(join(folder, 'sotto'))
  owner = await answerCommands(join(folder, 'stalls'), (request) =>
    request.url.includes(stalls) ? Promise.resolve(stalled()) : other(request),
  )
})
afterAll(async () => {
  await owner[Symbol.asyncDispose]()
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  stalls = '/media/'
  responses = 0
  target = join(folder, 'target')
  await rm(target, { recursive: true, force: true })
  await mkdir(target)
})

function stalled(): Response {
  responses += 1
  return new Response(new ReadableStream({ start: (reader) => reader.enqueue(new Uint8Array(9)) }))
}

function start(...args: string[]): { child: ChildProcess; ended: Promise<unknown>; shown: () => string } {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    env: { ...process.env, SOTTO_DATA_DIR: join(folder, 'stalls') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let shown = ''
  child.stdout.on('data', () => (shown += 'content'))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (shown += text))
  return { child, ended: once(child, 'close'), shown: () => shown }
}

describe.skipIf(process.platform === 'win32')('Ctrl-C', () => {
  it.each([
    ['jobs save', () => ['jobs', 'save', jobId, '--out', target]],
    ['jobs save --force', () => ['jobs', 'save', jobId, '--out', join(target, 'a.png'), '--force']],
    ['jobs export', () => ['jobs', 'export', jobId, '--out', target]],
    ['jobs wait --out', () => ['jobs', 'wait', jobId, '--out', target]],
  ])(
    'stops %s, and leaves no file',
    async (_name, args) => {
      const { child, ended, shown } = start(...args())
      await expect.poll(() => readdir(target), { timeout: 10_000 }).toHaveLength(1)
      child.kill('SIGINT')
      await ended
      expect([child.exitCode, child.signalCode]).toEqual([130, null])
      expect(await readdir(target)).toEqual([])
      expect(shown()).toBe(
        'Stopped. The result is saved in Sotto. To save it as a file, run "sotto jobs save".\n',
      )
    },
    20_000,
  )

  it.each([
    ['jobs save --out -', () => ['jobs', 'save', jobId, '--out', '-']],
    ['jobs export --out -', () => ['jobs', 'export', jobId, '--out', '-']],
  ])(
    'stops %s',
    async (_name, args) => {
      const { child, ended, shown } = start(...args())
      await expect.poll(shown, { timeout: 10_000 }).toContain('content')
      child.kill('SIGINT')
      await ended
      expect([child.exitCode, child.signalCode]).toEqual([130, null])
    },
    20_000,
  )

  it('pressed twice ends the process, whatever it waits for', async () => {
    stalls = '/studio/get'
    const { child, ended } = start('jobs', 'get', jobId)
    await expect.poll(() => responses, { timeout: 10_000 }).toBe(1)
    child.kill('SIGINT')
    await sleep(300)
    child.kill('SIGINT')
    await ended
    // As every program that a signal ends: 130 in a shell.
    expect([child.exitCode, child.signalCode]).toEqual([null, 'SIGINT'])
  }, 20_000)
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ownerFetch } from '../../src/host/owner-socket.ts'
import { COMMAND } from '../process/command.ts'
import { answerCommands } from '../process/other-owner.ts'
import { runSotto, startSotto, type SottoProcess } from '../process/sotto-process.ts'

const RECORD = { at: Date.UTC(2026, 0, 2), model: 'private/a', cost: '5000000000' }
const FIRST_PAGE = {
  records: [RECORD],
  next: 'second',
  total: 2,
  unreadable: 0,
  missing: [],
  uncompared: 0,
}
const PRINTED = { at: '2026-01-02T00:00:00.000Z', model: 'private/a', costUsd: '0.005', inHistory: true }
const UNREACHABLE = { code: 'service/unreachable', says: 'The service can’t be reached.', remedy: '' }

let folder: string
let sotto: SottoProcess
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-history-fails-'))
  sotto = await startSotto(join(folder, 'sotto'))
  await runSotto(['lock'], { SOTTO_DATA_DIR: join(folder, 'sotto') })
})
afterAll(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

/** A Sotto whose history has two pages. It answers the rest as the Sotto above does. */
function withSecondPage(dataDir: string, second: () => Promise<Response>): Promise<AsyncDisposable> {
  const other = ownerFetch(join(folder, 'sotto'))
  return answerCommands(dataDir, async (request) => {
    if (!request.url.endsWith('/history/page')) return other(request)
    return (await request.text()).includes('second') ? second() : Response.json({ json: FIRST_PAGE })
  })
}

it('prints one JSON answer if the first page fails', async () => {
  const { code, stdout } = await runSotto(['history', '--json'], { SOTTO_DATA_DIR: join(folder, 'sotto') })
  expect([code, JSON.parse(stdout)]).toEqual([
    1,
    { data: null, error: expect.objectContaining({ code: 'vault/locked' }) as unknown, schema: 1 },
  ])
})

it('ends the list with the error if a later page fails', async () => {
  const dataDir = join(folder, 'fails')
  await using _socket = await withSecondPage(dataDir, () =>
    Promise.resolve(
      Response.json(
        { json: { defined: true, code: 'SOTTO', status: 502, message: 'failed', data: UNREACHABLE } },
        { status: 502 },
      ),
    ),
  )
  const { code, stdout } = await runSotto(['history', '--json'], { SOTTO_DATA_DIR: dataDir })
  expect([code, JSON.parse(stdout)]).toEqual([1, { data: [PRINTED], error: UNREACHABLE, schema: 1 }])
})

it('ends the list with an error if Ctrl-C stops it', async () => {
  const dataDir = join(folder, 'stops')
  await using _socket = await withSecondPage(dataDir, () => new Promise(() => undefined))
  const child = spawn(process.execPath, [COMMAND, 'history', '--json'], {
    env: { ...process.env, SOTTO_DATA_DIR: dataDir },
  })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  await expect.poll(() => stdout).toContain('private/a')
  child.kill('SIGINT')
  await once(child, 'close')
  expect([child.exitCode, JSON.parse(stdout)]).toMatchObject([
    130,
    { data: [PRINTED], error: { code: 'request/canceled' }, schema: 1 },
  ])
})

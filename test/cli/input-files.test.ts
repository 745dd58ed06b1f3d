import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownerFetch } from '../../src/host/owner-socket.ts'
import { COMMAND } from '../process/command.ts'
import { errorCodeOf } from '../process/command-json.ts'
import { answerCommands } from '../process/other-owner.ts'
import { runSotto, startSotto, type SottoProcess } from '../process/sotto-process.ts'

/** A file that everybody can open. Its first byte can't be read, because no memory is there. */
const UNREADABLE = '/proc/self/mem'
const PRLIMIT = '/usr/bin/prlimit'

let folder: string
let data: string
let sotto: SottoProcess
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-inputs-'))
  data = join(folder, 'data')
  sotto = await startSotto(data)
})
afterAll(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

describe.runIf(process.platform === 'linux')('a file that can’t be read', () => {
  it.each([
    ['ask with a folder', ['ask', 'What?', '--file', tmpdir()], tmpdir()],
    ['ask', ['ask', 'What?', '--file', UNREADABLE], UNREADABLE],
    ['ask with a missing file', ['ask', 'What?', '--file', '/none/x.txt'], '/none/x.txt'],
    ['chats import', ['chats', 'import', UNREADABLE], UNREADABLE],
    ['projects import', ['projects', 'import', UNREADABLE], UNREADABLE],
    ['convert', ['convert', UNREADABLE], UNREADABLE],
    ['speak', ['speak', '--file', UNREADABLE], UNREADABLE],
  ])('is a sentence and exit code 2: %s', async (_name, args, path) => {
    const { code, stdout, stderr } = await runSotto(args, { SOTTO_DATA_DIR: data })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`Couldn’t read “${path}”.`)
    expect(stderr).not.toMatch(/^ {4}at /m)
  })

  it('ends the import that began, and is one line of JSON', async () => {
    const asked: string[] = []
    const other = ownerFetch(data)
    const dataDir = join(folder, 'other')
    await using _owner = await answerCommands(dataDir, (request) => {
      asked.push(request.url.slice(request.url.lastIndexOf('/') + 1))
      return other(request)
    })
    const { code, stdout } = await runSotto(['chats', 'import', UNREADABLE, '--json'], {
      SOTTO_DATA_DIR: dataDir,
    })
    expect([code, errorCodeOf(stdout)]).toEqual([2, 'request/invalid'])
    expect(asked.slice(-2)).toEqual(['importBegin', 'importEnd'])
  })
})

it.runIf(process.platform === 'linux')('reads the output of a command from a pipe', async () => {
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const writer = spawn('/bin/sh', ['-c', 'echo The notice period is three months. >"$0"', pipe])
  const { code, stderr } = await runSotto(['ask', 'How long?', '--file', pipe], { SOTTO_DATA_DIR: data })
  writer.kill()
  expect([code, stderr]).toEqual([0, ''])
})

it.runIf(existsSync(PRLIMIT))('a full disk is a sentence, and leaves no part of the file', async () => {
  const target = join(folder, 'targets')
  await mkdir(target)
  await sotto.call('projects/create', { name: 'Lease', instructions: 'x'.repeat(5000) })
  const file = join(target, 'lease.project')
  const args = [COMMAND, 'projects', 'export', 'Lease', file, '--plain', '--json']
  // Node ignores the signal of a write beyond the limit, so the write fails as on a full disk.
  const child = spawn(PRLIMIT, ['--fsize=1000:unlimited', process.execPath, ...args], {
    env: { ...process.env, SOTTO_DATA_DIR: data, NODE_DISABLE_COMPILE_CACHE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  await once(child, 'close')
  expect([child.exitCode, errorCodeOf(stdout), existsSync(file)]).toEqual([1, 'store/unwritable', false])
})

import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createProgram } from '../../src/cli/program.ts'
import { runProgram } from '../../src/cli/run-program.ts'
import { errorCodeOf } from '../process/command-json.ts'

/** The commands without --json, with the reason. */
const WITHOUT_JSON: Readonly<Record<string, string>> = {
  open: 'opens a browser, or prints an address',
  run: 'standard output belongs to the agent',
  chat: 'streams the text of a reply',
  ask: 'streams the text of a reply',
  'chats export': 'its formats are files, one of them JSON',
  completion: 'prints a script of the shell',
  help: 'prints help',
}

/** No server listens at port 1. */
const ABSENT_DATABASE = 'postgres://ann@127.0.0.1:1/none'

/** What each command needs on its command line. */
const OPERANDS: Readonly<Record<string, readonly string[]>> = {
  'verify-release': ['missing-file'],
  image: ['A lighthouse'],
  video: ['A lighthouse'],
  speak: ['Hello'],
  transcribe: ['missing-file'],
  embed: ['missing-file'],
  convert: ['missing-file'],
  data: ['/weather'],
  'jobs get': ['1'],
  'jobs wait': ['1'],
  'jobs save': ['1'],
  'jobs stop': ['1'],
  'jobs compare': ['1'],
  'jobs remove': ['1'],
  'account use': ['Work'],
  'account backup': ['--output', 'missing-folder/file'],
  'account restore': ['missing-file'],
  'account forget': ['Work'],
  'keys add': ['Editor'],
  'keys edit': ['Editor', '--origin', 'https://notes.example'],
  'keys increase': ['Editor', '1'],
  'keys revoke': ['Editor'],
  'database migrate': ['--database', ABSENT_DATABASE],
  'database absences': ['--database', ABSENT_DATABASE],
  'database receipts': ['--database', ABSENT_DATABASE],
  'database keys list': ['--database', ABSENT_DATABASE],
  'database keys add': ['Editor', '--database', ABSENT_DATABASE],
  'database keys revoke': ['Editor', '--database', ABSENT_DATABASE],
  'database members list': ['--database', ABSENT_DATABASE],
  'database members add': ['ann@example.com', '--database', ABSENT_DATABASE],
  'database members remove': ['ann@example.com', '--database', ABSENT_DATABASE],
  'database vault rotate': ['missing-file', '--database', ABSENT_DATABASE],
  'database vault api-key': ['missing-file', '--database', ABSENT_DATABASE],
  'database wallet connect': ['missing-file', '--database', ABSENT_DATABASE],
  'database wallet resume': ['--database', ABSENT_DATABASE],
  'database releases approval': ['on', '--database', ABSENT_DATABASE],
  'database releases pin': ['missing-file', '--database', ABSENT_DATABASE],
  'database releases accept-older': ['enclave.example', 'ab'.repeat(32), '--database', ABSENT_DATABASE],
  'privacy fresh-evidence': ['relayed'],
  'privacy firmware-minimum': ['sotto'],
  'service-enclave route': ['relayed'],
  'service-enclave rule': ['published'],
  'service-enclave approve': ['ab'.repeat(48)],
  'service-enclave prove': ['missing-file', 'missing-file'],
  'service-enclave remove': ['ab'.repeat(48)],
  'chats search': ['words'],
  'chats import': ['missing-file'],
  'projects export': ['Lease', 'missing-folder/file', '--plain'],
  'projects import': ['missing-file'],
  'wallet retry': ['1'],
  'wallet give-up': ['1'],
  'wallet proof': ['1'],
}

const pathOf = (command: Command): string =>
  command.parent?.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves)
const commands = leaves(createProgram('1.2.3')).map((command) => [pathOf(command), command] as const)
const isJson = (command: Command) => command.options.some(({ long }) => long === '--json')

let stdout = ''
let stderr = ''
beforeEach(() => {
  stdout = ''
  stderr = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((stdout += String(text)), true))
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((stderr += String(text)), true))
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${String(code)}`)
  })
  vi.stubEnv('FORCE_COLOR', '1')
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  process.exitCode = undefined
})

const run = (...args: string[]) => runProgram(createProgram('1.2.3'), ['node', 'sotto', ...args])

describe.each(commands)('sotto %s', (path, command) => {
  it('ends with 2 for an unknown option, with the error on standard error only', async () => {
    await expect(run(...path.split(' '), ...(OPERANDS[path] ?? []), '--no-such-option')).rejects.toThrow(
      'exit 2',
    )
    expect([stdout, stderr]).toEqual(['', expect.stringContaining('--no-such-option')])
  })
  it('has --json, off by default, unless the table gives the reason', () => {
    expect([isJson(command), path in WITHOUT_JSON].toSorted()).toEqual([false, true])
    if (isJson(command)) expect(command.opts()['json']).toBe(false)
  })
})

describe('a usage error', () => {
  it.each([
    [['keys', 'add']],
    [['keys', 'add', 'Editor', '--rate', 'often']],
    [['keys', 'add', 'Editor', '--soft']],
    [['chats', 'export', '--format', 'pdf']],
    [['serve', '--port', '70000']],
    [['serve', '--host', '10.0.0.1', '--bind', '10.0.0.1:1']],
    [['help', 'kees']],
  ])('of %j ends with 2', async (args) => {
    await expect(run(...args)).rejects.toThrow('exit 2')
    expect([stdout, stderr]).toEqual(['', expect.stringMatching(/^error: /)])
  })
  it.each([[['serve', '--host', 'not-an-address']], [['serve', '--log-level', 'loud']]])(
    'of the setting in %j ends with 2',
    async (args) => {
      await run(...args)
      expect([process.exitCode, stdout]).toEqual([2, ''])
      expect(stderr).not.toBe('')
    },
  )
  it.each([[['--help']], [['keys', '--help']], [['--version']], [['help', 'keys', 'add']]])(
    'is none: %j ends with 0',
    async (args) => {
      await expect(run(...args)).rejects.toThrow('exit 0')
      expect(stderr).toBe('')
    },
  )
})

describe.skipIf(process.platform === 'win32')('a failure with --json', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sotto-every-'))
    // Others may write to its parent, so that each command refuses the data folder before it starts a core.
    await mkdir(join(folder, 'shared', 'data'), { recursive: true })
    await writeFile(join(folder, 'shared', 'data', 'owner.lock'), '')
    await chmod(join(folder, 'shared'), 0o777)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  // The self-test uses no data folder and runs for seconds (self-test.test.ts).
  it.each(
    commands.filter(([path, command]) => isJson(command) && path !== 'self-test').map(([path]) => path),
  )('of sotto %s is one line with its code, without colors', async (path) => {
    vi.stubEnv('SOTTO_DATA_DIR', join(folder, 'shared', 'data'))
    await run(...path.split(' '), ...(OPERANDS[path] ?? []), '--json')
    expect(stdout).toMatch(/^\{"data":null,"error":\{.*\},"schema":1\}\n$/)
    expect(errorCodeOf(stdout)).toMatch(/^[a-z]+\/[a-z-]+$/)
    expect([1, 2]).toContain(process.exitCode)
    expect(stdout + stderr).not.toContain('\u001b')
  })
  it('of a setting is a sentence on standard error and ends with 2', async () => {
    vi.stubEnv('SOTTO_PORT', 'often')
    await run('balance', '--json')
    expect([stdout, process.exitCode]).toEqual(['', 2])
    expect(stderr).toMatch(/SOTTO_PORT/)
  })
  it('without --json is a sentence on standard error with its code', async () => {
    vi.stubEnv('SOTTO_DATA_DIR', join(folder, 'shared', 'data'))
    await run('sandbox')
    expect([stdout, process.exitCode]).toEqual(['', 1])
    expect(stderr).toContain('(host/folder-writable-by-others)')
  })
})

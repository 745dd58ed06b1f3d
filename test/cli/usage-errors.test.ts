import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, describe, expect, it } from 'vitest'
import { createProgram } from '../../src/cli/program.ts'
import { exitOfFailure } from '../../src/cli/exit-codes.ts'
import { runSotto } from '../process/sotto-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'sotto-usage-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a command line prints as its usage error. Starts nothing. */
async function errorOf(...args: string[]): Promise<string> {
  let printed = ''
  const program = createProgram('1.2.3')
  const prepare = (command: Command): void => {
    command.exitOverride().configureOutput({ writeErr: (part) => (printed += part) })
    command.commands.forEach(prepare)
  }
  prepare(program)
  await expect(program.parseAsync(args, { from: 'user' })).rejects.toHaveProperty('exitCode', 1)
  return printed
}

describe('an unknown command', () => {
  it.each([
    [['kees'], "error: unknown command 'kees'\n(Did you mean keys?)\nFor usage, run: sotto --help\n"],
    [['kees', '--json'], "unknown command 'kees'"],
    [['keys', 'ad'], "error: unknown command 'ad'\n(Did you mean add?)\nFor usage, run: sotto keys --help\n"],
    [['wallet', 'shwo'], '(Did you mean show?)'],
    [['help', 'keys', 'ad'], "error: unknown command 'ad'\n(Did you mean add?)\n"],
    [['something-else'], "error: unknown command 'something-else'\nFor usage, run: sotto --help\n"],
    [['serve', 'keys'], 'too many arguments'],
    [['serve', '--prot', '1'], '(Did you mean --port?)'],
  ])('of %j is named', async (args, expected) => {
    expect(await errorOf(...args)).toContain(expected)
  })
})

describe('the exit code', () => {
  const run = (...args: string[]) => runSotto(args, { SOTTO_DATA_DIR: folder })
  it.each([
    [['kees']],
    [['keys', 'add']],
    [['keys', 'add', 'Editor', '--rate', 'often']],
    [['keys', 'add', 'Editor', '--soft']],
    [['verify', '--no-such-option']],
    [['chats', 'export', '--format', 'pdf']],
    [['serve', '--port', '70000']],
    [['serve', '--host', '10.0.0.1', '--bind', '10.0.0.1:1']],
    [['serve', '--host', 'not-an-address']],
    [['serve', '--log-level', 'loud']],
    [['help', 'kees']],
  ])('of %j is 2', async (args) => {
    const { code, stdout, stderr } = await run(...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).not.toBe('')
  })
  it.each([[['--help']], [['keys', '--help']], [['--version']], [['help', 'keys', 'add']]])(
    'of %j is 0',
    async (args) => {
      const { code, stderr } = await run(...args)
      expect([code, stderr]).toEqual([0, ''])
    },
  )
  it('of a setting in the environment that can’t be used is 2', async () => {
    const { code } = await runSotto(['balance'], { SOTTO_DATA_DIR: folder, SOTTO_PORT: 'often' })
    expect(code).toBe(2)
  })
  it('of a refusal is never that of a usage error', () => {
    const codes = [
      'vault/locked',
      'service/no-account',
      'account/unknown',
      'confirm/refused',
      'document/not-offered',
    ]
    expect(codes.map((code) => exitOfFailure({ code }))).toEqual(codes.map(() => 1))
    expect(exitOfFailure({ code: 'request/invalid' })).toBe(2)
  })
})

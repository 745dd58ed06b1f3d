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
  // every-command.test.ts has the others, without starting a process for each.
  it('of an unknown command is 2', async () => {
    const { code, stdout, stderr } = await runSotto(['kees'], { SOTTO_DATA_DIR: folder })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('kees')
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
    for (const code of ['request/invalid', 'topup/amount-out-of-range'])
      expect(exitOfFailure({ code })).toBe(2)
  })
})

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAN_PAGE_PATH, renderManPage } from '../../../build/man-page.ts'
import { allCommands, outlineOf } from '../../../src/cli/completion/command-outline.ts'
import { completionScript, shells, type Shell } from '../../../src/cli/completion/completion-command.ts'
import { quoteForShell } from '../../../src/cli/completion/posix-scripts.ts'
import { createProgram } from '../../../src/cli/program.ts'

const root = outlineOf(createProgram('1.2.3'))
const folder = mkdtempSync(join(tmpdir(), 'sotto-completion-'))
const fileOf = (shell: Shell): string => join(folder, `sotto.${shell}`)
beforeAll(async () => {
  for (const shell of shells) writeFileSync(fileOf(shell), await completionScript(shell, root))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const has = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0

/** What a shell offers after these words; the last one is being typed. */
const offers: Partial<Record<Shell, (line: readonly string[]) => string[]>> = {
  bash: (line) =>
    lines('bash', [
      '--norc',
      '-c',
      `. ${fileOf('bash')}; COMP_WORDS=(${line.map(quoteForShell).join(' ')}); COMP_CWORD=${String(line.length - 1)}; _sotto; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ]),
  // Outside of a terminal zsh completes nothing, so the functions of its completion print what they are given.
  zsh: (line) =>
    lines('zsh', [
      '-f',
      '-c',
      `compdef() { }; _files() { }; _describe() { print -l -- \${(P)@[-1]%%:*} }; . ${fileOf('zsh')}; words=(${line.map(quoteForShell).join(' ')}); CURRENT=${String(line.length)}; _sotto`,
    ]).filter((word) => word.startsWith(line.at(-1) ?? '')),
  fish: (line) =>
    lines('fish', [
      '--no-config',
      '-c',
      `source ${fileOf('fish')}; complete -C ${quoteForShell(line.join(' '))}`,
    ]).map((offer) => offer.split('\t')[0] ?? ''),
}
function lines(program: string, args: string[]): string[] {
  return execFileSync(program, args, { encoding: 'utf8', cwd: folder, env: { ...process.env, HOME: folder } })
    .split('\n')
    .filter((line) => line !== '')
}

describe.each(['bash', 'zsh', 'fish'] as const)('in %s', (shell) => {
  it.skipIf(!has(shell)).each([
    [['sotto', 'key'], ['keys']],
    [
      ['sotto', 'keys', ''],
      ['list', 'add', 'edit', 'increase', 'revoke'],
    ],
    [['sotto', 'keys', 'a'], ['add']],
    [['sotto', 'keys', 'add', 'Editor', '--bud'], ['--budget']],
    [
      ['sotto', 'keys', 'add', '--at-least', ''],
      ['sealed', 'relayed'],
    ],
    [['sotto', 'keys', 'add', '--per', 'w'], ['week']],
    [['sotto', 'completion', ''], [...shells]],
    [
      ['sotto', 'privacy', 'firmware-minimum', ''],
      ['sotto', 'provider'],
    ],
    [['sotto', '--bogus'], []],
    [['sotto', 'keys', 'no-such'], []],
  ] as const)('after %j', (line, expected) => {
    const found = offers[shell]?.(line) ?? []
    for (const word of expected) expect(found).toContain(word)
    if (expected.length === 0) expect(found).toEqual([])
    if (line.at(-1) !== '') expect(found).toHaveLength(expected.length)
  })
})

it.skipIf(!has('pwsh')).each([['sotto keys a', 'add']])('PowerShell completes %j', (line, expected) => {
  const script = `. ${fileOf('powershell')}; (TabExpansion2 '${line}' ${String(line.length)}).CompletionMatches.CompletionText`
  expect(lines('pwsh', ['-NoProfile', '-Command', script])).toEqual([expected])
})

it('PowerShell gets every command and its options, in balanced quotes', () => {
  const script = readFileSync(fileOf('powershell'), 'utf8')
  for (const { path, options } of allCommands(root)) {
    const row = script.split('\n').find((line) => line.startsWith(`    '${path}' = @{ Options`)) ?? ''
    for (const { long } of options) expect(row).toContain(`'${long}'`)
    expect((row.match(/'/g) ?? []).length % 2).toBe(0)
  }
})

it('a description can’t end the text that it is in', async () => {
  const hostile = new Command('sotto')
  hostile
    .command('odd')
    .description("it's $(touch broken) `touch broken` \\")
    .option('--opt <x>', "a '; touch broken; '")
  const outline = outlineOf(hostile)
  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    if (!has(shell)) continue
    const file = join(folder, `hostile.${shell}`)
    writeFileSync(file, await completionScript(shell, outline))
    const define = shell === 'zsh' ? 'compdef() { }; ' : ''
    const { stderr } = spawnSync(shell, ['-c', `${define}. ${file}`], { cwd: folder, encoding: 'utf8' })
    expect([shell, stderr, existsSync(join(folder, 'broken'))]).toEqual([shell, '', false])
  }
})

it('refuses a shell that it doesn’t know', async () => {
  const program = createProgram('1.2.3')
  for (const command of [program, ...program.commands])
    command.exitOverride().configureOutput({ writeErr: () => undefined })
  await expect(program.parseAsync(['completion', 'tcsh'], { from: 'user' })).rejects.toMatchObject({
    code: 'commander.invalidArgument',
  })
})

describe('the manual page', () => {
  const file = resolve(import.meta.dirname, '../../..', MAN_PAGE_PATH)
  it('is as the commands are', () => {
    expect(readFileSync(file, 'utf8'), 'run npm run man-page').toBe(renderManPage())
  })
  it.skipIf(!has('groff'))('is well formed and names every command', () => {
    const { stdout, stderr } = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-P-cbou', file], {
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    const text = stdout.replaceAll(/\s+/g, ' ')
    for (const { path, commands } of allCommands(root).slice(1))
      if (commands.length === 0) expect(text).toContain(path)
  })
})

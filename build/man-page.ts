import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { allCommands, outlineOf, type CommandOutline } from '../src/cli/completion/command-outline.ts'
import { createProgram } from '../src/cli/program.ts'

export const MAN_PAGE_PATH = 'docs/man/sotto.1'

/** Text for troff: no line begins as a request, and a hyphen is the one that people type. */
function troff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('’', '\\(cq')
    .replaceAll('“', '\\(lq')
    .replaceAll('”', '\\(rq')
    .replaceAll('…', '...')
    .replace(/^([.'])/gm, '\\&$1')
}

function optionsOf({ options }: CommandOutline): string[] {
  return options.flatMap(({ flags, description, choices }) => [
    '.TP',
    `.B ${troff(flags)}`,
    troff(choices.length > 0 ? `${description}. One of: ${choices.join(', ')}.` : description),
  ])
}

/** The manual page: every command with its options, from the same definitions as the help. */
export function renderManPage(): string {
  const root = outlineOf(createProgram(''))
  const sections = allCommands(root)
    .slice(1)
    .filter(({ commands }) => commands.length === 0)
    .flatMap((command) => [
      `.SS ${troff(`${command.path} ${command.usage}`)}`,
      troff(command.description),
      ...optionsOf(command),
    ])
  return `${[
    '.TH SOTTO 1 "" "Sotto" "User Commands"',
    '.SH NAME',
    `sotto \\- chat with private AI models, and serve them to local tools`,
    '.SH SYNOPSIS',
    '.B sotto',
    '[command] [options]',
    '.SH DESCRIPTION',
    troff(root.description),
    '.PP',
    troff('Without a command, sotto serves the window to a browser, as "sotto serve" does.'),
    '.SH COMMANDS',
    ...sections,
    '.SH OUTPUT',
    troff('Results are on standard output; progress, questions and errors are on standard error.'),
    troff(
      'With --json, a result is one line: {"data": ..., "schema": 1}. A failure also has "error" with its code.',
    ),
    '.SH EXIT STATUS',
    ...[
      ['0', 'Done.'],
      ['1', 'Refused or failed. The error code gives the reason.'],
      ['2', 'The command line, a setting or an input file can’t be used. Nothing was sent.'],
      ['130', 'Stopped with Ctrl-C.'],
      ['141', 'The reader of standard output ended.'],
    ].flatMap(([code = '', meaning = '']) => ['.TP', `.B ${code}`, troff(meaning)]),
    'The help of a command lists its other codes.',
    '.SH ENVIRONMENT',
    '.TP',
    '.B NO_COLOR',
    'If set and not empty, nothing is printed in color.',
    '.TP',
    '.B FORCE_COLOR',
    'If set, colors are also printed to a file or a pipe; 0 turns them off.',
    '.TP',
    '.B SOTTO_DATA_DIR',
    troff('The folder with Sotto’s data. docs/headless.md lists the other variables.'),
  ].join('\n')}\n`
}

if (import.meta.main) {
  const file = join(import.meta.dirname, '..', MAN_PAGE_PATH)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, renderManPage())
}

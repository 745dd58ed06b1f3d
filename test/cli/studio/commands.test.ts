import { describe, expect, it } from 'vitest'
import type { Command } from 'commander'
import { chatsCommand } from '../../../src/cli/chats-command.ts'
import { columnOf } from '../../../src/cli/studio/batch.ts'
import { dataCommand } from '../../../src/cli/studio/data-command.ts'
import { inputOf } from '../../../src/cli/studio/data.ts'
import { embedCommand } from '../../../src/cli/studio/embed-command.ts'
import { exitOfFailure } from '../../../src/cli/exit-codes.ts'
import { exitOfState } from '../../../src/cli/studio/job-options.ts'
import {
  imageCommand,
  videoCommand,
  speakCommand,
  transcribeCommand,
} from '../../../src/cli/studio/media-commands.ts'
import { jobsCommand } from '../../../src/cli/studio/jobs-command.ts'
import { resultForm } from '../../../src/cli/studio/save-files.ts'
import { jobStates } from '../../../src/shared/job-state.ts'
import { runSotto } from '../../process/sotto-process.ts'

const making = {
  image: imageCommand,
  video: videoCommand,
  speak: speakCommand,
  transcribe: transcribeCommand,
  embed: embedCommand,
  data: dataCommand,
}

function quiet(command: Command): Command {
  for (const each of [command, ...command.commands])
    each.exitOverride().configureOutput({ writeErr: () => undefined, writeOut: () => undefined })
  return command
}

it.each<[() => Command, string[]]>([
  [imageCommand, ['x', '--n', '0']],
  [imageCommand, ['x', '--n', '11']],
  [imageCommand, ['x', '--format', 'gif']],
  [imageCommand, ['x', '--seed', '1.5']],
  [imageCommand, ['x', '--extra', '[1]']],
  [imageCommand, ['x', '--extra', '{']],
  [imageCommand, ['x', '--max-cost', '-1']],
  [imageCommand, ['x', '--max-cost', 'much']],
  [imageCommand, ['x', '--pay', 'cash']],
  [videoCommand, ['x', '--duration', 'long']],
  [transcribeCommand, ['x.wav', '--format', 'pdf']],
  [embedCommand, ['x', '--format', 'xlsx']],
  [embedCommand, ['x', '--dimensions', '0']],
  [embedCommand, ['x', '--delimiter', 'x']],
  [dataCommand, ['x', '--input', '3']],
  [dataCommand, ['x', '--map', 'field']],
  [dataCommand, ['x', '--concurrency', '9']],
  [dataCommand, ['x', '--method', 'PUT']],
  [dataCommand, ['x', '--resume', 'y', '--rows', 'done']],
  [jobsCommand, ['list', '--limit', '0']],
  [jobsCommand, ['list', '--limit', '1e3']],
  [chatsCommand, ['search', 'x', '--limit', '0x10']],
  [jobsCommand, ['list', '--kind', 'song']],
])('a command refuses invalid arguments: %# %j', async (command, args) => {
  await expect(quiet(command()).parseAsync(args, { from: 'user' })).rejects.toMatchObject({
    code: 'commander.invalidArgument',
  })
})

describe('help', () => {
  it('lists every command', async () => {
    const { code, stdout } = await runSotto(['help'], {})
    expect(code).toBe(0)
    for (const name of [...Object.keys(making), 'jobs', 'chat', 'account', 'keys', 'history', 'wallet'])
      expect(stdout).toMatch(new RegExp(`^ {2}${name}(?:\\|\\w+)?[ \\[].*`, 'm'))
  })

  it.each(Object.entries(making))(
    'of %s shows the exit codes, the cost limit, the output path and who can read the request',
    (_name, command) => {
      let text = ''
      command()
        .configureOutput({ writeOut: (more) => (text += more) })
        .outputHelp()
      for (const expected of [
        '--json',
        '--max-cost <usd>',
        '--out <path>',
        '--force',
        '--again <job>',
        '--resume <job>',
        'Exit codes:',
        '130  Stopped with Ctrl-C',
        'The service and its providers can read what you send.',
      ])
        expect(text).toContain(expected)
    },
  )

  it('of jobs lists its commands', () => {
    expect(jobsCommand().commands.map((command) => command.name())).toEqual([
      'list',
      'get',
      'wait',
      'save',
      'export',
      'stop',
      'compare',
      'remove',
      'usage',
    ])
  })

  it('offers Lightning only for commands that the service sells that way', () => {
    const offers = Object.entries(making)
      .filter(([, command]) => command().options.some(({ long }) => long === '--pay'))
      .map(([name]) => name)
    expect(offers).toEqual(['image', 'video', 'data'])
  })
})

describe('exit codes', () => {
  it('separate invalid input from refused requests, and unknown outcomes from failures', () => {
    expect(
      [
        'studio/audio-type',
        'studio/csv-malformed',
        'request/invalid',
        'studio/above-cap',
        'payment/refused',
        'service/failed',
      ].map((code) => exitOfFailure({ code })),
    ).toEqual([2, 2, 2, 1, 1, 1])
    expect(jobStates.filter((state) => exitOfState(state) === 0)).toEqual(['done'])
    expect(jobStates.filter((state) => exitOfState(state) === 3)).toEqual(['unknown', 'lost'])
  })
})

describe('fields of a request', () => {
  it('are text, or JSON after :=, and override the members of --input', () => {
    expect(inputOf(['q=a=b', 'n:=3', 'list:=["x"]', 'empty='], { q: 'other', kept: true })).toEqual({
      q: 'a=b',
      n: 3,
      list: ['x'],
      empty: '',
      kept: true,
    })
    expect(inputOf([], undefined)).toEqual({})
    expect(inputOf(['__proto__=x'], undefined)).not.toHaveProperty('x')
  })
  it.each(['query', '=x', 'n:=three'])('refuse %j', (field) => {
    expect(() => inputOf([field], undefined)).toThrow()
  })
})

describe('a column', () => {
  const table = { columns: ['name', 'when: date', 'count', '2'] }
  it.each([
    ['name', { column: 0, as: 'text' }],
    ['count:number', { column: 2, as: 'number' }],
    ['3', { column: 2, as: 'text' }],
    ['2', { column: 3, as: 'text' }],
    ['when: date', { column: 1, as: 'text' }],
    ['when: date:json', { column: 1, as: 'json' }],
    ['1:list', { column: 0, as: 'list' }],
  ])('is found by %j', (named, column) => {
    expect(columnOf(table, named)).toEqual(column)
  })
  it.each(['', 'Name', '0', '5', 'name:date', 'nobody:text'])('is not found by %j', (named) => {
    expect(() => columnOf(table, named)).toThrow('The table has no column')
  })
})

it('results use the given format or the file’s extension, and refuse an unsupported one', () => {
  expect(resultForm('embedding', { out: '/tmp/vectors.PARQUET' })).toBe('parquet')
  expect(resultForm('embedding', { out: 'vectors.csv', format: 'npy' })).toBe('npy')
  expect([resultForm('embedding', {}), resultForm('batch', { out: '-' })]).toEqual(['npy', 'csv'])
  expect(() => resultForm('batch', { out: 'rows.npy' })).toThrow('The format “npy” isn’t supported here.')
})

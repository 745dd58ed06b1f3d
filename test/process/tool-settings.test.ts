import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findTool } from '../../src/renderer/features/developer/tools/index.ts'
import { codePointString, jsonString, shellWord } from '../../src/shared/tools/quote.ts'
import { PRIVATE_MODEL, startWorld } from '../world.ts'

/**
 * Passes the copyable settings to the programs that people paste them into. Each program starts once, for all
 * of the settings.
 */
const has = (program: string) => spawnSync(program, ['--version']).status === 0
const hostile = [
  "x'; touch /tmp/never #",
  '"$(id)`id`',
  '\\',
  "\\'",
  'a\nb',
  '\u202egpj',
  '\u001b[2J\u0003',
  '!!',
  '~',
  '*',
  '-e',
  '😀',
  "it's",
]
const text = fc
  .oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...hostile))
  .map((any) => any.toWellFormed().replaceAll('\0', ''))
const texts = [...hostile, ...fc.sample(text, { numRuns: 200, seed: 7 })]

function output(program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' },
  })
  expect(status, stderr).toBe(0)
  return stdout
}

function settingOf(id: string, model: string): string {
  return findTool(id)?.settings({ baseUrl: 'http://127.0.0.1:1/v1', key: "k'ey", model })[0]?.text ?? ''
}

/**
 * Runs commands with their program replaced by one that prints its arguments. Returns a list for each
 * command.
 */
function argumentsGiven(program: string, commands: readonly string[]): string[][] {
  const stdout = output('bash', ['-c', `${program}() { printf '%s\\0' "$@" END; }\n${commands.join('\n')}`])
  return stdout
    .split('END\0')
    .slice(0, -1)
    .map((command) => command.split('\0').slice(0, -1))
}

describe.runIf(has('bash'))('a shell', () => {
  it('reads every word as it was meant', () => {
    expect(
      output('bash', ['-c', `printf '%s\\0' ${texts.map(shellWord).join(' ')}`])
        .split('\0')
        .slice(0, -1),
    ).toEqual(texts)
  })

  it('gives curl one body, whatever the model is called', () => {
    const commandArgs = argumentsGiven(
      'curl',
      hostile.map((model) => settingOf('curl', model)),
    )
    for (const [at, model] of hostile.entries()) {
      expect(commandArgs[at]?.slice(0, -1)).toEqual([
        '-i',
        'http://127.0.0.1:1/v1/chat/completions',
        '-H',
        "Authorization: Bearer k'ey",
        '-H',
        'Content-Type: application/json',
        '-d',
      ])
      expect(JSON.parse(commandArgs[at]?.at(-1) ?? '')).toEqual({
        model,
        messages: [{ role: 'user', content: 'Say hello.' }],
      })
    }
  })

  it('gives aider the model, whatever it is called', () => {
    expect(
      argumentsGiven(
        'aider',
        hostile.map((model) => settingOf('aider', model)),
      ),
    ).toEqual(hostile.map((model) => ['--model', `openai/${model}`]))
  })
})

it('JavaScript reads every string as it was meant', () => {
  for (const word of texts) expect((0, eval)(jsonString(word)) as string).toBe(word)
})

it.runIf(has('python3'))('Python reads every string, and every program parses', () => {
  const programs = ['openai-python', 'anthropic-python', 'langchain'].flatMap((id) =>
    hostile.map((model) => settingOf(id, model)),
  )
  const read = output('python3', [
    '-c',
    `import ast, json\n[ast.parse(program) for program in [${programs.map(codePointString).join(',')}]]\nprint(json.dumps([${texts.map(codePointString).join(',')}]))`,
  ])
  expect(JSON.parse(read)).toEqual(texts)
})

it('the programs for the official packages run as they are shown, and are answered sealed', async () => {
  await using world = await startWorld()
  for (const id of ['openai-javascript', 'anthropic-typescript']) {
    const program =
      findTool(id)?.settings({ baseUrl: world.baseUrl, key: world.key, model: PRIVATE_MODEL })[0]?.text ?? ''
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { cwd: import.meta.dirname },
    )
    expect(stdout, id).toMatch(/\w/)
  }
  const { requests } = (await world.call('localApi/requests', {})) as {
    requests: { privacy: string; outcome: string; path: string }[]
  }
  expect(requests.map(({ privacy, outcome }) => [privacy, outcome])).toEqual([
    ['sealed', 'complete'],
    ['sealed', 'complete'],
  ])
})

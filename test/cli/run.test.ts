import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runnableTools } from '../../src/shared/tools/runnable.ts'
import { COMMAND } from '../process/command.ts'
import { runSotto, startSotto, type Finished, type SottoProcess } from '../process/sotto-process.ts'
import { dataOf } from '../process/command-json.ts'

/** The arguments, environment and files that the fake agent saw. */
interface Report {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly files: readonly {
    readonly path: string
    readonly mode: number
    readonly folderMode: number
    readonly content: string
  }[]
}

/** Replaces every agent: reports its arguments, environment and files, then ends as FAKE_END requests. */
const FAKE = `#!${process.execPath}
const { readdirSync, readFileSync, statSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const folders = readdirSync(tmpdir()).filter((name) => name.startsWith('sotto-run-')).map((name) => join(tmpdir(), name))
const files = folders.flatMap((folder) => readdirSync(folder).map((name) => {
  const path = join(folder, name)
  return { path, mode: statSync(path).mode & 0o777, folderMode: statSync(folder).mode & 0o777, content: readFileSync(path, 'utf8') }
}))
writeFileSync(process.env.FAKE_REPORT, JSON.stringify({ argv: process.argv.slice(2), env: process.env, files }))
process.stdout.write('started\\n')
process.stderr.write(process.env.FAKE_WARNING ?? '')
if (process.env.FAKE_END === 'wait') {
  process.on('SIGINT', () => process.exit(5))
  process.on('SIGTERM', () => process.exit(6))
  setInterval(() => undefined, 1000)
  process.stdout.write('waiting\\n')
} else if (process.env.FAKE_END === 'killed') process.kill(process.pid, 'SIGKILL')
else process.exitCode = 7
`

let folder: string
let temporary: string
let reportFile: string
let environment: Record<string, string>
let sotto: SottoProcess
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-run-test-'))
  const bin = join(folder, 'bin')
  temporary = join(folder, 'temporary')
  reportFile = join(folder, 'report.json')
  await Promise.all([bin, temporary].map((path) => mkdir(path)))
  for (const { command } of runnableTools.filter((tool) => tool.command !== 'goose')) {
    await writeFile(join(bin, command), FAKE)
    await chmod(join(bin, command), 0o755)
  }
  const dataDir = join(folder, 'data')
  environment = {
    SOTTO_DATA_DIR: dataDir,
    PATH: `${bin}:${dirname(process.execPath)}`,
    TMPDIR: temporary,
    FAKE_REPORT: reportFile,
    ANTHROPIC_API_KEY: 'of-the-user',
    CLAUDE_CODE_USE_BEDROCK: '1',
  }
  sotto = await startSotto(dataDir)
})
afterAll(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => rm(reportFile, { force: true }))

const run = (args: string[], more: Record<string, string> = {}): Promise<Finished> =>
  runSotto(['run', ...args], { ...environment, ...more })
const report = (): Report => JSON.parse(readFileSync(reportFile, 'utf8')) as Report
const leftovers = (): string[] => readdirSync(temporary).filter((name) => name.startsWith('sotto-run-'))
const keys = async () =>
  (
    dataOf((await runSotto(['keys', 'list', '--json'], environment)).stdout) as {
      keys: { name: string; state: string; limits: object }[]
    }
  ).keys
/** Every local key in the data that the agent could read. */
const secretsOf = ({ env, files }: Report): string[] => [
  ...new Set(
    [...Object.values(env), ...files.map(({ content }) => content)].flatMap(
      (text) => text.match(/sk-sotto-[\w-]{32}/g) ?? [],
    ),
  ),
]
const status = async (secret: string, model: string) =>
  (
    await fetch(`${sotto.ready.proxy.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 5 }),
    })
  ).status

describe('an agent', () => {
  it.each(runnableTools.filter((tool) => tool.command !== 'goose').map(({ command }) => command))(
    '%s gets one secret, outside its arguments, and its exit code is returned',
    async (command) => {
      const { code, stdout, stderr } = await run([command, '--', '--flag', 'two words'])
      expect([code, stdout]).toEqual([7, 'started\n'])
      const seen = report()
      expect(seen.argv.slice(-2)).toEqual(['--flag', 'two words'])
      const [secret = '', ...others] = secretsOf(seen)
      expect([secret, others]).toEqual([expect.stringMatching(/^sk-sotto-/), []])
      expect(`${seen.argv.join('\n')}\n${stderr}`).not.toContain('sk-sotto-')
      expect(stderr).toContain(
        `uses private/sandbox-whisper-70b with the local key “sotto run ${command}”.\n`,
      )
      for (const { mode, folderMode } of seen.files) expect([mode, folderMode]).toEqual([0o600, 0o700])
      expect(leftovers()).toEqual([])
      expect([
        await status(secret, 'private/sandbox-lento-8b'),
        await status(secret, 'sandbox/allegro-mini'),
      ]).toEqual([200, 403])
    },
  )

  it('is started with a warning if it needs a longer context than the model has', async () => {
    const { code, stderr } = await run(['claude', '--model', 'private/sandbox-lento-8b'])
    expect(code).toBe(7)
    expect(stderr).toContain(
      'Long sessions may fail: Claude Code needs a context of 65536 tokens, and this model has 32768.\n',
    )
    for (const args of [['claude'], ['codex', '--model', 'private/sandbox-lento-8b']])
      expect((await run(args)).stderr).not.toContain('Long sessions')
  })

  const warning = '[claude-code:unrecognized_model] {"model":"private/sandbox-whisper-70b"}'
  it.each([
    ['claude', ['-p', 'Hello'], false],
    ['claude', ['--print', 'Hello'], false],
    ['claude', ['-cp', 'Hello'], false],
    // Claude Code doesn't print the line in its window, and needs a terminal there.
    ['claude', ['--permission-mode', 'plan'], true],
    ['codex', ['-p', 'Hello'], true],
  ])('%s with %j: the line about a model of another maker is printed: %s', async (command, args, printed) => {
    const { code, stderr } = await run([command, '--', ...args], {
      FAKE_WARNING: `before\n${warning}\nquoted ${warning}\nthe end`,
    })
    expect(code).toBe(7)
    expect(stderr.includes(`before\n${warning}`)).toBe(printed)
    expect(stderr).toContain(`quoted ${warning}\nthe end`)
  })

  it('keeps nothing of the environment that would bypass the proxy', async () => {
    await run(['claude'])
    const { env, files } = report()
    expect(env).not.toHaveProperty('ANTHROPIC_API_KEY')
    expect(env).toMatchObject({
      ANTHROPIC_BASE_URL: new URL(sotto.ready.proxy.baseUrl).origin,
      CLAUDE_CODE_USE_BEDROCK: '0',
    })
    expect(JSON.parse(files[0]?.content ?? '')).toMatchObject({
      env: {
        ANTHROPIC_DEFAULT_FABLE_MODEL: 'private/sandbox-whisper-70b',
        CLAUDE_CODE_MAX_CONTEXT_TOKENS: '131072',
      },
      permissions: { deny: ['WebSearch', 'WebFetch'] },
    })
  })

  it.each([
    ['SIGINT', 5],
    ['SIGTERM', 6],
  ] as const)('gets %s, and its files are removed', async (signal, expected) => {
    const child = spawn(process.execPath, [COMMAND, 'run', 'claude'], {
      env: { ...process.env, ...environment, FAKE_END: 'wait' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    for await (const text of child.stdout.setEncoding('utf8') as AsyncIterable<string>) {
      output += text
      if (!output.includes('waiting')) continue
      expect(leftovers()).toHaveLength(1)
      child.kill(signal)
      break
    }
    if (child.exitCode === null) await once(child, 'exit')
    expect([child.exitCode, leftovers()]).toEqual([expected, []])
  })

  it('that is killed leaves no files', async () => {
    const { code } = await run(['claude'], { FAKE_END: 'killed' })
    expect([code, leftovers()]).toEqual([128 + 9, []])
  })
})

describe('the key of an agent', () => {
  const named = async (name: string) => (await keys()).filter((key) => key.name === name)

  it('is used again, for private models only and with a budget, until it is revoked', async () => {
    await run(['claude'])
    const first = secretsOf(report())
    await run(['claude'])
    expect(secretsOf(report())).toEqual(first)
    expect(await named('sotto run claude')).toMatchObject([
      { state: 'live', limits: { atLeast: 'sealed', budget: { period: 'day' } } },
    ])
    await runSotto(['keys', 'revoke', 'sotto run claude'], environment)
    await run(['claude'])
    expect(secretsOf(report())).not.toEqual(first)
    expect((await named('sotto run claude')).map(({ state }) => state)).toEqual(['revoked', 'live'])
  })

  it('allows other models only as a second key', async () => {
    expect((await run(['codex', '--model', 'sandbox/allegro-mini'])).code).toBe(2)
    expect(existsSync(reportFile)).toBe(false)
    expect((await run(['codex', '--any-model', '--model', 'sandbox/allegro-mini'])).code).toBe(7)
    expect(await status(secretsOf(report())[0] ?? '', 'sandbox/allegro-mini')).toBe(200)
    expect((await named('sotto run codex --any-model')).map(({ limits }) => limits)).toEqual([
      expect.not.objectContaining({ atLeast: 'sealed' }),
    ])
  })

  it('is not for pages', async () => {
    const response = await sotto.api('localApi/forTool', { tool: 'claude-code', anyModel: false })
    expect(await response.text()).toContain('local-key/command-line')
  })
})

describe('nothing starts', () => {
  it('if the agent is not installed, and it gets no key', async () => {
    const { code, stderr } = await run(['goose'])
    expect([code, stderr]).toEqual([
      127,
      'Goose isn’t installed. To install it: https://block.github.io/goose/docs/getting-started/installation\n',
    ])
    expect((await keys()).map(({ name }) => name)).not.toContain('sotto run goose')
  })

  it('if the model is not listed', async () => {
    const { code, stderr } = await run(['claude', '--model', 'private/sandbox-whisper-7b'])
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /^The service doesn’t list private\/sandbox-whisper-7b\. Similar: private\/sandbox-whisper-70b/,
      ),
    ])
    expect(existsSync(reportFile)).toBe(false)
  })

  it('if the agent is unknown', async () => {
    expect((await run(['emacs'])).code).not.toBe(0)
  })
})

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Model } from '../../src/shared/model.ts'
import type { Receipt } from '../../src/shared/receipt.ts'
import { continueConfig } from '../../src/shared/tools/editors.ts'
import { listedFacts, type ToolFacts } from '../../src/shared/tools/facts.ts'
import { runnableTools, type ToolRun } from '../../src/shared/tools/runnable.ts'
import { formsOf } from '../canary.ts'
import { png } from '../core/studio/image-bytes.ts'
import { chatRequests, OPEN_MODEL, PRIVATE_MODEL, PRIVATE_VISION_MODEL, startWorld, type World } from '../world.ts'
import { installPublished } from '../published-packages.ts'

/** Published agents. Some download the program for this platform in their own script. */
const packages = {
  '@openai/codex': { version: '0.171.0' },
  'opencode-ai': { version: '1.18.33', script: 'postinstall.mjs' },
  '@anthropic-ai/claude-code': { version: '2.1.332', script: 'install.cjs' },
  '@qwen-code/qwen-code': { version: '0.24.4' },
  '@mariozechner/pi-coding-agent': { version: '0.73.1' },
  'cline': { version: '3.0.65' },
  '@continuedev/cli': { version: '1.5.47' },
} as const

interface Setting {
  readonly bin: string
  /** The agent's home and its place of work. */
  readonly folder: string
  readonly facts: ToolFacts
}

interface Started {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin?: string
}

/** What a person types. */
interface Prompt {
  readonly text: string
  /** A picture to look at. */
  readonly image?: string
  /** Whether it continues the last session. */
  readonly again?: boolean
}

interface Agent {
  readonly name: string
  /** The tool with which it writes a file, and that tool's input. */
  call(file: string, content: string): { readonly tool: string; readonly input: object }
  start(setting: Setting, prompt: Prompt): Promise<Started>
  /** Whether a prompt can have an image. */
  readonly seesImages: boolean
  /** Whether it continues a session without a terminal. */
  readonly continues: boolean
}

type Change = (setting: Setting, prompt: Prompt) => Partial<Started>

/** An agent with the settings that `sotto run` gives it. `change` is what the test needs in addition. */
function viaRun(command: string, name: string, call: Agent['call'], change: Change, edit = (env: ToolRun['env']) => env): Agent {
  return {
    name,
    call,
    seesImages: true,
    continues: true,
    async start(setting, prompt) {
      const tool = runnableTools.find((each) => each.command === command)
      if (!tool) throw new Error(command)
      const run = await mkdtemp(join(setting.folder, 'run-'))
      const { env, files, args } = tool.run(setting.facts, (file) => join(run, file))
      await Promise.all(Object.entries(files).map(([file, content]) => writeFile(join(run, file), content)))
      const more = change(setting, prompt)
      return { command: join(setting.bin, command), ...more, args: [...args, ...more.args ?? []], env: { ...edit(env), ...more.env } }
    },
  }
}

const codex = viaRun('codex', 'Codex (responses)', (file, content) => ({ tool: 'exec_command', input: { cmd: `printf %s ${content} > ${file}` } }), ({ folder }, { text, image, again }) => ({
  // Codex takes every word after -i as an image, so the prompt comes through standard input.
  args: ['exec', '--skip-git-repo-check', '--sandbox', 'danger-full-access', ...(again ? ['resume', '--last'] : []), ...(image === undefined ? [] : ['-i', image]), '-'],
  env: { CODEX_HOME: folder },
  stdin: text,
}))

/** opencode speaks each of the three, through the SDK that its settings name. */
function opencode(npm: string, dialect: string): Agent {
  return viaRun('opencode', `opencode (${dialect})`, (file, content) => ({ tool: 'write', input: { filePath: file, content } }), ({ folder }, { text, image, again }) => ({
    args: ['run', ...(again ? ['--continue'] : []), ...(image === undefined ? [] : ['--file', image])],
    env: { ...Object.fromEntries(['DATA', 'CONFIG', 'CACHE', 'STATE'].map((name) => [`XDG_${name}_HOME`, join(folder, name)])), OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' },
    stdin: text,
  }), ({ OPENCODE_CONFIG_CONTENT: config = '' }) => ({ OPENCODE_CONFIG_CONTENT: config.replace('@ai-sdk/openai-compatible', npm) }))
}

const claudeCode = viaRun('claude', 'Claude Code (messages)', (file, content) => ({ tool: 'Write', input: { file_path: file, content } }), ({ folder }, { text, image, again }) => ({
  // Claude Code reads an image with a tool. The model of the sandbox calls it if the prompt names it.
  args: ['--dangerously-skip-permissions', ...(again ? ['--continue'] : []), '-p', image === undefined ? text : `Please call Read with ${JSON.stringify({ file_path: image })}`],
  env: { CLAUDE_CONFIG_DIR: join(folder, 'home'), IS_SANDBOX: '1' },
}))

const qwen = viaRun('qwen', 'Qwen Code (chat completions)', (file, content) => ({ tool: 'write_file', input: { file_path: file, content } }), (_, { text, image, again }) => ({
  args: ['--approval-mode', 'yolo', ...(again ? ['--continue'] : []), '-p', image === undefined ? text : `@${image} ${text}`],
}))

const pi = viaRun('pi', 'pi (chat completions)', (file, content) => ({ tool: 'write', input: { path: file, content } }), (_, { text, image, again }) => ({
  args: [...(again ? ['--continue'] : []), '-p', ...(image === undefined ? [] : [`@${image}`]), text], env: { PI_OFFLINE: '1' },
}))

/** With the file that the tool's page shows. */
const continueCli: Agent = {
  name: 'Continue (chat completions)',
  call: (file, content) => ({ tool: 'Write', input: { filepath: file, content } }),
  seesImages: false,
  continues: true,
  async start({ bin, folder, facts }, { text, again }) {
    const config = join(folder, 'config.yaml')
    await writeFile(config, continueConfig(facts))
    return { command: join(bin, 'cn'), args: ['--config', config, '--auto', ...(again ? ['--resume'] : []), '-p', text], env: { CONTINUE_TELEMETRY_ENABLED: '0' } }
  },
}

/** With the values that the tool's page shows. */
const cline: Agent = {
  name: 'Cline (chat completions)',
  call: (file, content) => ({ tool: 'editor', input: { path: file, new_text: content } }),
  seesImages: false,
  continues: false,
  async start({ bin, folder, facts: { baseUrl, key, model } }, { text }) {
    const own = ['--data-dir', join(folder, 'data')]
    await finished({ command: join(bin, 'cline'), args: ['auth', ...own, '--provider', 'openai-compatible', '--apikey', key, '--modelid', model, '--baseurl', baseUrl], env: {} }, folder)
    return { command: join(bin, 'cline'), args: [...own, '-P', 'openai-compatible', '-m', model, text], env: {} }
  },
}

const agents = [codex, opencode('@ai-sdk/openai-compatible', 'chat completions'), opencode('@ai-sdk/openai', 'responses'), opencode('@ai-sdk/anthropic', 'messages'), claudeCode, qwen, pi, continueCli, cline]

/** How these agents report that they guess a model's window or abilities. */
const GUESSES = /metadata for .* not found|fallback metadata|unknown model|unrecognized.model|context window|CLAUDE_CODE_MAX_CONTEXT_TOKENS/i

/** Claude Code prints this with -p for each model that isn't Anthropic's. The one setting that avoids it makes Claude Code assume the window of another model. */
const FOREIGN_MODEL = /^\[claude-code:unrecognized_model\] .*$/m

/** How the sandbox's models describe an image that they received. */
const SEES = /an image of type `image\//

/** It downloads hundreds of megabytes: `npm run test:agents`. */
const place = process.env['SOTTO_AGENTS']
describe.skipIf(place === undefined)('agents complete a task through the proxy', () => {
  let bin: string
  let world: World
  let folder: string
  beforeAll(async () => {
    bin = join(await installPublished(packages, place ?? ''), 'node_modules', '.bin')
    world = await startWorld()
  }, 600_000)
  afterAll(() => world[Symbol.asyncDispose]())
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sotto-agent-'))
    world.sandbox.clearReceived()
  })
  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

  async function settingOf(model: string): Promise<Setting> {
    const listed = (await world.call('models/list', {}) as Model[]).find(({ id }) => id === model)
    return { bin, folder, facts: { ...listedFacts(listed), baseUrl: world.baseUrl, key: world.key, model } }
  }
  async function receipts(): Promise<Receipt[]> {
    return await world.call('receipts/list', {}) as Receipt[]
  }
  /** Has the agent write a file. Returns what the file has to contain. */
  async function write(agent: Agent, setting: Setting, name: string, again: boolean): Promise<string> {
    const content = `whisper-${randomUUID()}`
    const file = join(folder, name)
    const { tool, input } = agent.call(file, content)
    const output = await finished(await agent.start(setting, { text: `Please call ${tool} with ${JSON.stringify(input)}`, again }), folder)
    expect(await readFile(file, 'utf8').catch(() => output)).toBe(content)
    expect(output.replace(FOREIGN_MODEL, '')).not.toMatch(GUESSES)
    return content
  }

  describe.each([[PRIVATE_MODEL, 'sealed'], [OPEN_MODEL, 'forwarded']] as const)('with %s', (model, privacy) => {
    it.each(agents)('$name writes a file, and another one in a second turn if it continues sessions', async (agent) => {
      const sent = world.outbound.length
      const known = new Set((await receipts()).map(({ id }) => id))
      const setting = await settingOf(model)
      const first = await write(agent, setting, 'hello.txt', false)
      // The agent sent the result of the tool, and the model replied.
      expect(chatRequests(world.sandbox).length).toBeGreaterThanOrEqual(2)
      const before = world.outbound.length
      const second = agent.continues ? await write(agent, setting, 'again.txt', true) : first
      const fresh = (await receipts()).filter(({ id }) => !known.has(id))
      expect(new Set(fresh.map((receipt) => `${receipt.privacy} ${receipt.outcome}`))).toEqual(new Set([`${privacy} complete`]))
      if (privacy === 'sealed') for (const content of [first, second]) expect(formsOf(content, Buffer.concat(world.outbound.slice(sent)))).toEqual([])
      // The second turn contains the first.
      else if (agent.continues) expect(formsOf(first, Buffer.concat(world.outbound.slice(before)))).not.toEqual([])
    }, 800_000)
  })

  it.each(agents.filter(({ seesImages }) => seesImages))('$name shows an image to a private model', async (agent) => {
    const image = join(folder, 'picture.png')
    await writeFile(image, png(64, 64))
    const known = new Set((await receipts()).map(({ id }) => id))
    const output = await finished(await agent.start(await settingOf(PRIVATE_VISION_MODEL), { text: 'Describe the picture', image }), folder)
    expect(output.replace(FOREIGN_MODEL, '')).not.toMatch(GUESSES)
    const fresh = (await receipts()).filter(({ id }) => !known.has(id))
    expect(new Set(fresh.map((receipt) => `${receipt.privacy} ${receipt.outcome}`))).toEqual(new Set(['sealed complete']))
    expect(output).toMatch(SEES)
  }, 400_000)
})

/** @returns what it wrote on standard output and standard error */
function finished({ command, args, env, stdin = '' }: Started, cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { PATH: process.env['PATH'] ?? '', HOME: cwd, ...env } })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.once('error', reject)
    child.once('close', () => resolve(output))
    child.stdin.end(stdin)
  })
}

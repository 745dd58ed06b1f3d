import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Model } from '../../src/shared/model.ts'
import type { Receipt } from '../../src/shared/receipt.ts'
import { continueConfig } from '../../src/shared/tools/editors.ts'
import { listedFacts, type ToolFacts } from '../../src/shared/tools/facts.ts'
import { runnableTools, type ToolRun } from '../../src/shared/tools/runnable.ts'
import { formsOf } from '../canary.ts'
import { chatRequests, OPEN_MODEL, PRIVATE_MODEL, startWorld, type World } from '../world.ts'
import { installAgents } from './install.ts'

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

interface Agent {
  readonly name: string
  /** The tool with which it writes a file, and that tool's input. */
  call(file: string, content: string): { readonly tool: string; readonly input: object }
  start(setting: Setting, prompt: string): Promise<Started>
}

/** An agent with the settings that `sotto run` gives it. `change` is what the test needs in addition. */
function viaRun(command: string, name: string, call: Agent['call'], change: (setting: Setting, prompt: string) => Partial<Started>, edit = (env: ToolRun['env']) => env): Agent {
  return {
    name,
    call,
    async start(setting, prompt) {
      const tool = runnableTools.find((each) => each.command === command)
      if (!tool) throw new Error(command)
      const run = join(setting.folder, 'run')
      await mkdir(run)
      const { env, files, args } = tool.run(setting.facts, (file) => join(run, file))
      await Promise.all(Object.entries(files).map(([file, content]) => writeFile(join(run, file), content)))
      const more = change(setting, prompt)
      return { command: join(setting.bin, command), ...more, args: [...args, ...more.args ?? []], env: { ...edit(env), ...more.env } }
    },
  }
}

const codex = viaRun('codex', 'Codex (responses)', (file, content) => ({ tool: 'exec_command', input: { cmd: `printf %s ${content} > ${file}` } }), ({ folder }, prompt) => ({
  args: ['exec', '--skip-git-repo-check', '--sandbox', 'danger-full-access', prompt],
  env: { CODEX_HOME: folder },
}))

/** opencode speaks each of the three, through the SDK that its settings name. */
function opencode(npm: string, dialect: string): Agent {
  return viaRun('opencode', `opencode (${dialect})`, (file, content) => ({ tool: 'write', input: { filePath: file, content } }), ({ folder }, prompt) => ({
    args: ['run'],
    env: { ...Object.fromEntries(['DATA', 'CONFIG', 'CACHE', 'STATE'].map((name) => [`XDG_${name}_HOME`, join(folder, name)])), OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' },
    stdin: prompt,
  }), ({ OPENCODE_CONFIG_CONTENT: config = '' }) => ({ OPENCODE_CONFIG_CONTENT: config.replace('@ai-sdk/openai-compatible', npm) }))
}

const claudeCode = viaRun('claude', 'Claude Code (messages)', (file, content) => ({ tool: 'Write', input: { file_path: file, content } }), ({ folder }, prompt) => ({
  args: ['--dangerously-skip-permissions', '-p', prompt],
  env: { CLAUDE_CONFIG_DIR: join(folder, 'home'), IS_SANDBOX: '1' },
}))

const qwen = viaRun('qwen', 'Qwen Code (chat completions)', (file, content) => ({ tool: 'write_file', input: { file_path: file, content } }), (_, prompt) => ({ args: ['--approval-mode', 'yolo', '-p', prompt] }))

const pi = viaRun('pi', 'pi (chat completions)', (file, content) => ({ tool: 'write', input: { path: file, content } }), (_, prompt) => ({ args: ['-p', prompt], env: { PI_OFFLINE: '1' } }))

/** With the file that the tool's page shows. */
const continueCli: Agent = {
  name: 'Continue (chat completions)',
  call: (file, content) => ({ tool: 'Write', input: { filepath: file, content } }),
  async start({ bin, folder, facts }, prompt) {
    const config = join(folder, 'config.yaml')
    await writeFile(config, continueConfig(facts))
    return { command: join(bin, 'cn'), args: ['--config', config, '--auto', '-p', prompt], env: { CONTINUE_TELEMETRY_ENABLED: '0' } }
  },
}

/** With the values that the tool's page shows. */
const cline: Agent = {
  name: 'Cline (chat completions)',
  call: (file, content) => ({ tool: 'editor', input: { path: file, new_text: content } }),
  async start({ bin, folder, facts: { baseUrl, key, model } }, prompt) {
    const own = ['--data-dir', join(folder, 'data')]
    await finished({ command: join(bin, 'cline'), args: ['auth', ...own, '--provider', 'openai-compatible', '--apikey', key, '--modelid', model, '--baseurl', baseUrl], env: {} }, folder)
    return { command: join(bin, 'cline'), args: [...own, '-P', 'openai-compatible', '-m', model, prompt], env: {} }
  },
}

const agents = [codex, opencode('@ai-sdk/openai-compatible', 'chat completions'), opencode('@ai-sdk/openai', 'responses'), opencode('@ai-sdk/anthropic', 'messages'), claudeCode, qwen, pi, continueCli, cline]

/** How these agents report that they guess a model's window or abilities. */
const GUESSES = /metadata for .* not found|fallback metadata|unknown model|unrecognized.model|context window|CLAUDE_CODE_MAX_CONTEXT_TOKENS/i

/** Claude Code prints this with -p for each model that isn't Anthropic's. The one setting that avoids it makes Claude Code assume the window of another model. */
const FOREIGN_MODEL = /^\[claude-code:unrecognized_model\] .*$/m

/** It downloads hundreds of megabytes: `npm run test:agents`. */
const place = process.env['SOTTO_AGENTS']
describe.skipIf(place === undefined)('agents complete a task through the proxy', () => {
  let bin: string
  let world: World
  let folder: string
  beforeAll(async () => {
    bin = await installAgents(place ?? '')
    world = await startWorld()
  }, 600_000)
  afterAll(() => world[Symbol.asyncDispose]())
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sotto-agent-'))
    world.sandbox.clearReceived()
  })
  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

  describe.each([[PRIVATE_MODEL, 'sealed'], [OPEN_MODEL, 'forwarded']] as const)('with %s', (model, privacy) => {
    it.each(agents)('$name writes a file', async (agent) => {
      const content = `whisper-${randomUUID()}`
      const file = join(folder, 'hello.txt')
      const { tool, input } = agent.call(file, content)
      const sent = world.outbound.length
      const known = (await receipts()).length
      const listed = (await world.call('models/list', {}) as Model[]).find(({ id }) => id === model)
      const started = await agent.start({ bin, folder, facts: { ...listedFacts(listed), baseUrl: world.baseUrl, key: world.key, model } }, `Please call ${tool} with ${JSON.stringify(input)}`)
      const output = await finished(started, folder)
      expect(await readFile(file, 'utf8').catch(() => output)).toBe(content)
      expect(output.replace(FOREIGN_MODEL, '')).not.toMatch(GUESSES)
      // The agent sent the result of the tool, and the model replied.
      expect(chatRequests(world.sandbox).length).toBeGreaterThanOrEqual(2)
      const fresh = (await receipts()).slice(0, -known || undefined)
      expect(new Set(fresh.map((receipt) => `${receipt.privacy} ${receipt.outcome}`))).toEqual(new Set([`${privacy} complete`]))
      if (privacy === 'sealed') expect(formsOf(content, Buffer.concat(world.outbound.slice(sent)))).toEqual([])
    }, 400_000)
  })

  async function receipts(): Promise<Receipt[]> {
    return await world.call('receipts/list', {}) as Receipt[]
  }
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

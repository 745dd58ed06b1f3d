import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Receipt } from '../../src/shared/receipt.ts'
import { formsOf } from '../canary.ts'
import { chatRequests, OPEN_MODEL, PRIVATE_MODEL, startWorld, type World } from '../world.ts'
import { installAgents } from './install.ts'

interface Setting {
  readonly bin: string
  /** The agent's home and its place of work. */
  readonly folder: string
  readonly baseUrl: string
  readonly key: string
  readonly model: string
}

interface Agent {
  readonly name: string
  /** The tool by which it writes a file, and what that tool is given. */
  call(file: string, content: string): { readonly tool: string; readonly input: object }
  start(setting: Setting, prompt: string): Promise<{ readonly command: string; readonly args: readonly string[]; readonly env: Record<string, string>; readonly stdin?: string }>
}

const codex: Agent = {
  name: 'Codex (responses)',
  call: (file, content) => ({ tool: 'exec_command', input: { cmd: `printf %s ${content} > ${file}` } }),
  async start({ bin, folder, baseUrl, key, model }, prompt) {
    const home = join(folder, 'home')
    await mkdir(home, { recursive: true })
    await writeFile(join(home, 'config.toml'), `model = "${model}"\nmodel_provider = "sotto"\nweb_search = "disabled"\n\n[model_providers.sotto]\nname = "Sotto"\nbase_url = "${baseUrl}"\nenv_key = "SOTTO_API_KEY"\nwire_api = "responses"\n`)
    return { command: join(bin, 'codex'), args: ['exec', '--skip-git-repo-check', '--sandbox', 'danger-full-access', prompt], env: { CODEX_HOME: home, SOTTO_API_KEY: key } }
  },
}

/** opencode speaks each of the three, through the SDK that its settings name. */
function opencode(npm: string, dialect: string): Agent {
  return {
    name: `opencode (${dialect})`,
    call: (file, content) => ({ tool: 'write', input: { filePath: file, content } }),
    async start({ bin, folder, baseUrl, key, model }, prompt) {
      const provider = { npm, name: 'Sotto', options: { baseURL: baseUrl, apiKey: key }, models: { [model]: { name: model } } }
      await writeFile(join(folder, 'opencode.json'), JSON.stringify({ model: `sotto/${model}`, small_model: `sotto/${model}`, provider: { sotto: provider }, autoupdate: false, share: 'disabled', permission: { edit: 'allow', bash: 'allow' } }))
      const places = ['DATA', 'CONFIG', 'CACHE', 'STATE'].map((name) => [`XDG_${name}_HOME`, join(folder, name)])
      return { command: join(bin, 'opencode'), args: ['run'], env: { ...Object.fromEntries(places) as Record<string, string>, OPENCODE_DISABLE_MODELS_FETCH: '1' }, stdin: prompt }
    },
  }
}

const claudeCode: Agent = {
  name: 'Claude Code (messages)',
  call: (file, content) => ({ tool: 'Write', input: { file_path: file, content } }),
  start: ({ bin, folder, baseUrl, key, model }, prompt) => Promise.resolve({
    command: join(bin, 'claude'),
    args: ['--dangerously-skip-permissions', '-p', prompt],
    env: {
      CLAUDE_CONFIG_DIR: join(folder, 'home'), ANTHROPIC_BASE_URL: baseUrl.replace(/\/v1$/, ''), ANTHROPIC_AUTH_TOKEN: key, ANTHROPIC_MODEL: model, ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', IS_SANDBOX: '1',
    },
  }),
}

const agents = [codex, opencode('@ai-sdk/openai-compatible', 'chat completions'), opencode('@ai-sdk/openai', 'responses'), opencode('@ai-sdk/anthropic', 'messages'), claudeCode]

/** Hundreds of megabytes are fetched for it: `npm run test:agents`. */
describe.skipIf(process.env['SOTTO_AGENTS'] === undefined)('agents complete a task through the proxy', () => {
  let bin: string
  let world: World
  let folder: string
  beforeAll(async () => {
    bin = await installAgents()
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
      const started = await agent.start({ bin, folder, baseUrl: world.baseUrl, key: world.key, model }, `Please call ${tool} with ${JSON.stringify(input)}`)
      const said = await finished(started, folder)
      expect(await readFile(file, 'utf8').catch(() => said)).toBe(content)
      // What the tool returned was sent back and answered.
      expect(chatRequests(world.sandbox).length).toBeGreaterThanOrEqual(2)
      const fresh = (await receipts()).slice(0, -known || undefined)
      expect(new Set(fresh.map((receipt) => `${receipt.privacy} ${receipt.outcome}`))).toEqual(new Set([`${privacy} complete`]))
      if (privacy === 'sealed') expect(formsOf(content, Buffer.concat(world.outbound.slice(sent)))).toEqual([])
    }, 180_000)
  })

  async function receipts(): Promise<Receipt[]> {
    return await world.call('receipts/list', {}) as Receipt[]
  }
})

/** What it said, once it has ended. */
function finished({ command, args, env, stdin = '' }: Awaited<ReturnType<Agent['start']>>, cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { PATH: process.env['PATH'] ?? '', HOME: cwd, ...env } })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text))
    child.once('error', reject)
    child.once('close', () => resolve(said))
    child.stdin.end(stdin)
  })
}

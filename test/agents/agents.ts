import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runnableTools, type ToolRun } from '../../src/shared/tools/runnable.ts'
import { finished, type Agent, type Prompt, type SessionAgent, type Setting, type Started } from './agent.ts'
import { cline } from './cline.ts'
import { continueCli } from './continue.ts'

/** Published agents. Some download the program for this platform in their own script. */
export const packages = {
  '@openai/codex': { version: '0.171.0' },
  'opencode-ai': { version: '1.18.33', script: 'postinstall.mjs' },
  '@anthropic-ai/claude-code': { version: '2.1.332', script: 'install.cjs' },
  '@qwen-code/qwen-code': { version: '0.24.4' },
  '@mariozechner/pi-coding-agent': { version: '0.73.1' },
  cline: { version: '3.0.65' },
  '@continuedev/cli': { version: '1.5.47' },
} as const

type Change = (setting: Setting, prompt: Prompt) => Partial<Started>

interface ViaRun extends Pick<SessionAgent, 'name' | 'write' | 'sessions'> {
  readonly command: string
  /** What the test needs in addition to the settings of `sotto run`. */
  readonly change: Change
  readonly edit?: (env: ToolRun['env']) => ToolRun['env']
}

/** An agent with the settings that `sotto run` gives it. */
function viaRun({ command, change, edit = (env) => env, ...agent }: ViaRun): Agent {
  return {
    ...agent,
    seesImages: true,
    async run(setting, prompt) {
      const tool = runnableTools.find((each) => each.command === command)
      if (!tool) throw new Error(command)
      const run = await mkdtemp(join(setting.folder, 'run-'))
      const { env, files, args } = tool.run(setting.facts, (file) => join(run, file))
      await Promise.all(Object.entries(files).map(([file, content]) => writeFile(join(run, file), content)))
      const more = change(setting, prompt)
      const leftOut = tool.needlessLines?.(more.args ?? [])
      return finished(
        {
          ...(leftOut && { leftOut }),
          command: join(setting.bin, command),
          ...more,
          args: [...args, ...(more.args ?? [])],
          env: { ...edit(env), ...more.env },
        },
        setting.folder,
      )
    },
  }
}

const codex = viaRun({
  name: 'Codex (responses)',
  command: 'codex',
  write: (file, content) => ({ tool: 'exec_command', input: { cmd: `printf %s ${content} > ${file}` } }),
  sessions: {
    read: (file) => ({ tool: 'exec_command', input: { cmd: `cat ${file}` } }),
    summary: 'You are performing a CONTEXT CHECKPOINT COMPACTION',
  },
  change: ({ folder }, { text, image, again }) => ({
    // Codex takes every word after -i as an image, so the prompt comes through standard input.
    args: [
      'exec',
      '--skip-git-repo-check',
      '--sandbox',
      'danger-full-access',
      ...(again ? ['resume', '--last'] : []),
      ...(image === undefined ? [] : ['-i', image]),
      '-',
    ],
    env: { CODEX_HOME: folder },
    stdin: text,
  }),
})

/** opencode speaks each of the three, through the SDK that its settings name. */
function opencode(npm: string, dialect: string): Agent {
  return viaRun({
    name: `opencode (${dialect})`,
    command: 'opencode',
    write: (file, content) => ({ tool: 'write', input: { filePath: file, content } }),
    sessions: {
      read: (file) => ({ tool: 'read', input: { filePath: file } }),
      summary: 'Here is the conversation so far:',
      needsLongContext: true,
    },
    change: ({ folder }, { text, image, again }) => ({
      args: ['run', ...(again ? ['--continue'] : []), ...(image === undefined ? [] : ['--file', image])],
      env: {
        ...Object.fromEntries(
          ['DATA', 'CONFIG', 'CACHE', 'STATE'].map((name) => [`XDG_${name}_HOME`, join(folder, name)]),
        ),
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_AUTOUPDATE: '1',
      },
      stdin: text,
    }),
    edit: ({ OPENCODE_CONFIG_CONTENT: config = '' }) => ({
      OPENCODE_CONFIG_CONTENT: config.replace('@ai-sdk/openai-compatible', npm),
    }),
  })
}

const claudeCode = viaRun({
  name: 'Claude Code (messages)',
  command: 'claude',
  write: (file, content) => ({ tool: 'Write', input: { file_path: file, content } }),
  sessions: {
    read: (file) => ({ tool: 'Read', input: { file_path: file } }),
    summary: 'CRITICAL: Respond with TEXT ONLY.',
    needsLongContext: true,
  },
  change: ({ folder }, { text, image, again }) => ({
    // Claude Code reads an image with a tool. The model of the sandbox calls it if the prompt names it.
    args: [
      '--dangerously-skip-permissions',
      ...(again ? ['--continue'] : []),
      '-p',
      image === undefined ? text : `Please call Read with ${JSON.stringify({ file_path: image })}`,
    ],
    env: { CLAUDE_CONFIG_DIR: join(folder, 'home'), IS_SANDBOX: '1' },
  }),
})

const qwen = viaRun({
  name: 'Qwen Code (chat completions)',
  command: 'qwen',
  write: (file, content) => ({ tool: 'write_file', input: { file_path: file, content } }),
  sessions: {
    read: (file) => ({ tool: 'read_file', input: { file_path: file } }),
    summary: 'First, reason in your <analysis> block.',
  },
  change: (_, { text, image, again }) => ({
    args: [
      '--approval-mode',
      'yolo',
      ...(again ? ['--continue'] : []),
      '-p',
      image === undefined ? text : `@${image} ${text}`,
    ],
  }),
})

const pi = viaRun({
  name: 'pi (chat completions)',
  command: 'pi',
  write: (file, content) => ({ tool: 'write', input: { path: file, content } }),
  sessions: {
    read: (file) => ({ tool: 'read', input: { path: file } }),
    summary: 'You are a context summarization assistant',
    needsLongContext: true,
  },
  change: (_, { text, image, again }) => ({
    args: [...(again ? ['--continue'] : []), '-p', ...(image === undefined ? [] : [`@${image}`]), text],
    env: { PI_OFFLINE: '1' },
  }),
})

export const agents: readonly Agent[] = [
  codex,
  opencode('@ai-sdk/openai-compatible', 'chat completions'),
  opencode('@ai-sdk/openai', 'responses'),
  opencode('@ai-sdk/anthropic', 'messages'),
  claudeCode,
  qwen,
  pi,
  continueCli,
  cline,
]

export const sessionAgents = agents.filter((agent): agent is SessionAgent => agent.sessions !== undefined)

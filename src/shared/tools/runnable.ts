import { claudeCodeNeedlessLines, claudeCodeRunEnvironment, claudeCodeRunSettings } from './claude-code.ts'
import { CODEX_CATALOG, CODEX_KEY, codexCatalog, codexOptions } from './codex.ts'
import type { ToolId } from './documentation.ts'
import { contextOf, outputOf, originOf, type ToolFacts } from './facts.ts'
import { opencodeRunConfig } from './opencode.ts'
import { PI_KEY, piExtension } from './pi.ts'
import { QWEN_KEY, qwenSettings } from './qwen-code.ts'
import { jsonText } from './quote.ts'

/**
 * Variables take precedence over Goose's configuration and keychain.
 * @see https://block.github.io/goose/docs/guides/environment-variables
 */
export function gooseEnvironment(facts: ToolFacts): Record<string, string> {
  return {
    GOOSE_PROVIDER: 'openai',
    GOOSE_MODEL: facts.model,
    GOOSE_PLANNER_PROVIDER: 'openai',
    GOOSE_PLANNER_MODEL: facts.model,
    OPENAI_HOST: originOf(facts.baseUrl),
    OPENAI_BASE_PATH: 'v1/chat/completions',
    OPENAI_API_KEY: facts.key,
    GOOSE_CONTEXT_LIMIT: String(contextOf(facts)),
    GOOSE_MAX_TOKENS: String(outputOf(facts)),
  }
}

/** The prefix selects aider's client. aider doesn't send it. @see https://aider.chat/docs/llms/openai-compat.html */
export function aiderModel({ model }: Pick<ToolFacts, 'model'>): string {
  return `openai/${model}`
}

/** For `--model-metadata-file`. @see https://aider.chat/docs/config/adv-model-settings.html */
export function aiderMetadata(facts: ToolFacts): string {
  return jsonText({
    [aiderModel(facts)]: {
      max_tokens: outputOf(facts),
      max_input_tokens: contextOf(facts),
      max_output_tokens: outputOf(facts),
      litellm_provider: 'openai',
      mode: 'chat',
      supports_vision: facts.images ?? false,
    },
  })
}

/** How one run of a tool differs from a run by the user. The secret is in variables and files only: arguments are visible to every process. */
export interface ToolRun {
  /** Variables to set; undefined removes one of the user's. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Temporary files by name, with their content. */
  readonly files: Readonly<Record<string, string>>
  /** Before the user's own arguments. */
  readonly args: readonly string[]
}

export interface RunnableTool {
  readonly id: ToolId
  readonly name: string
  /** The program that starts, which is also its name for `sotto run`. */
  readonly command: string
  /** A command that installs it. */
  readonly install: string
  /** The shortest context, in tokens, with which it can compact a long session (docs/tools.md); absent if it compacts with every tested one. */
  readonly leastContext?: number
  /**
   * Lines of standard error that `sotto run` leaves out, because they warn of what Sotto has set.
   * @param args - of the user
   * @returns undefined if the tool prints none with these arguments. Its standard error then stays a terminal.
   */
  readonly needlessLines?: (args: readonly string[]) => RegExp | undefined
  /** @param place - the absolute path that a temporary file will have */
  readonly run: (facts: ToolFacts, place: (name: string) => string) => ToolRun
}

/** Tools that `sotto run` starts. None of them changes the user's own configuration. */
export const runnableTools: readonly RunnableTool[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    command: 'claude',
    install: 'npm install -g @anthropic-ai/claude-code',
    leastContext: 65_536,
    needlessLines: claudeCodeNeedlessLines,
    run: (facts, place) => ({
      env: {
        ...claudeCodeRunEnvironment(facts),
        ANTHROPIC_API_KEY: undefined,
        ANTHROPIC_SMALL_FAST_MODEL: undefined,
        CLAUDE_CODE_OAUTH_TOKEN: undefined,
      },
      files: { 'settings.json': claudeCodeRunSettings(facts) },
      args: ['--settings', place('settings.json')],
    }),
  },
  {
    id: 'codex',
    name: 'Codex CLI',
    command: 'codex',
    install: 'npm install -g @openai/codex',
    run: (facts, place) => ({
      env: { [CODEX_KEY]: facts.key },
      files: { [CODEX_CATALOG]: codexCatalog(facts) },
      args: Object.entries(codexOptions(facts, place(CODEX_CATALOG))).flatMap(([key, value]) => [
        '-c',
        `${key}=${value}`,
      ]),
    }),
  },
  {
    id: 'opencode',
    name: 'opencode',
    command: 'opencode',
    install: 'npm install -g opencode-ai',
    leastContext: 65_536,
    run: (facts) => ({ env: { OPENCODE_CONFIG_CONTENT: opencodeRunConfig(facts) }, files: {}, args: [] }),
  },
  {
    id: 'qwen-code',
    name: 'Qwen Code',
    command: 'qwen',
    install: 'npm install -g @qwen-code/qwen-code',
    run: (facts, place) => ({
      env: {
        [QWEN_KEY]: facts.key,
        QWEN_CODE_SYSTEM_SETTINGS_PATH: place('settings.json'),
        OPENAI_API_KEY: undefined,
        OPENAI_BASE_URL: undefined,
        OPENAI_MODEL: undefined,
        QWEN_MODEL: undefined,
      },
      files: { 'settings.json': qwenSettings(facts) },
      args: [],
    }),
  },
  {
    id: 'pi',
    name: 'pi',
    command: 'pi',
    install: 'npm install -g @mariozechner/pi-coding-agent',
    leastContext: 65_536,
    run: (facts, place) => ({
      env: { [PI_KEY]: facts.key },
      files: { 'sotto.js': piExtension(facts) },
      args: ['--extension', place('sotto.js'), '--provider', 'sotto', '--model', facts.model],
    }),
  },
  {
    id: 'aider',
    name: 'aider',
    command: 'aider',
    install: 'python -m pip install aider-install && aider-install',
    run: (facts, place) => ({
      // The prefixed variables take precedence over aider's configuration file and over .env.
      env: { OPENAI_API_BASE: facts.baseUrl, OPENAI_API_KEY: facts.key, AIDER_OPENAI_API_KEY: facts.key },
      files: { 'models.json': aiderMetadata(facts) },
      args: [
        '--openai-api-base',
        facts.baseUrl,
        '--model-metadata-file',
        place('models.json'),
        ...['--model', '--weak-model', '--editor-model'].flatMap((option) => [option, aiderModel(facts)]),
      ],
    }),
  },
  {
    id: 'goose',
    name: 'Goose',
    command: 'goose',
    install: 'https://block.github.io/goose/docs/getting-started/installation',
    run: (facts) => ({ env: gooseEnvironment(facts), files: {}, args: [] }),
  },
]

import { contextOf, originOf, outputOf, type ToolFacts } from './facts.ts'
import { jsonText } from './quote.ts'

/** Tasks and subagents ask for models of these families. Each would otherwise name a model that the proxy doesn't have. */
const MODEL_VARIABLES = [
  'ANTHROPIC_MODEL',
  'ANTHROPIC_DEFAULT_FABLE_MODEL',
  'ANTHROPIC_DEFAULT_OPUS_MODEL',
  'ANTHROPIC_DEFAULT_SONNET_MODEL',
  'ANTHROPIC_DEFAULT_HAIKU_MODEL',
  'CLAUDE_CODE_SUBAGENT_MODEL',
]

/** Other ways to a model. Each takes precedence over the base URL, so prompts would bypass the proxy. */
const OTHER_PROVIDERS = [
  'BEDROCK',
  'VERTEX',
  'FOUNDRY',
  'MANTLE',
  'ANTHROPIC_AWS',
  'ANTHROPIC_GOOGLE_CLOUD',
  'GATEWAY',
].map((name) => `CLAUDE_CODE_USE_${name}`)

/** Anthropic runs web search. Web fetch asks Anthropic about each host before it loads a page. */
const SERVER_TOOLS = ['WebSearch', 'WebFetch']

/** Claude Code prints this line for each model that isn't Anthropic's, if it runs without its window (`-p`). */
const FOREIGN_MODEL = /^\[claude-code:unrecognized_model\] /
const PRINT = /^(?:--print|-[a-oq-z]*p[a-z]*)$/i

/** The needless lines of a run with these arguments. Claude Code gets the limits of the model from Sotto's settings. */
export function claudeCodeNeedlessLines(args: readonly string[]): RegExp | undefined {
  return args.some((arg) => PRINT.test(arg)) ? FOREIGN_MODEL : undefined
}

/** @see https://code.claude.com/docs/en/env-vars */
export function claudeCodeEnvironment(facts: ToolFacts): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: originOf(facts.baseUrl),
    ANTHROPIC_AUTH_TOKEN: facts.key,
    ...Object.fromEntries(MODEL_VARIABLES.map((name) => [name, facts.model])),
    CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(contextOf(facts)),
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(outputOf(facts)),
    // Models of other makers don't know beta fields.
    CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS: '1',
    // Error and usage reports would bypass the proxy.
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }
}

/** The content of `settings.json`. @see https://code.claude.com/docs/en/settings */
export function claudeCodeSettings(facts: ToolFacts): string {
  return settingsText(claudeCodeEnvironment(facts))
}

/** Also overrides what the user's own settings set otherwise. */
export function claudeCodeRunEnvironment(facts: ToolFacts): Record<string, string> {
  return {
    ...claudeCodeEnvironment(facts),
    ...Object.fromEntries(OTHER_PROVIDERS.map((name) => [name, '0'])),
  }
}

/** For `--settings`, which takes precedence over the settings of the user and the project. */
export function claudeCodeRunSettings(facts: ToolFacts): string {
  return settingsText(claudeCodeRunEnvironment(facts))
}

function settingsText(env: Record<string, string>): string {
  return jsonText({ env, permissions: { deny: SERVER_TOOLS } })
}

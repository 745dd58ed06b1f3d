import { t } from '@lingui/core/macro'
import { codePointString, jsonText, shellWord } from './quote.ts'
import { originOf, type Facts, type Tool } from './tool.ts'

const kind = 'Coding agents'

export const agents: readonly Tool[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    kind,
    dialect: 'messages',
    fixedNames: ['claude-*'],
    settings: (facts) => [
      { place: '~/.claude/settings.json', text: jsonText({ env: claudeCodeEnvironment(facts) }) },
      { place: t`Or in a terminal, for that session only`, text: `${exports(claudeCodeEnvironment(facts))}\nclaude` },
    ],
    get notes() {
      return [
        t`Leave ANTHROPIC_API_KEY unset. Otherwise Claude Code warns about two keys.`,
        t`Claude Code uses this one model for both small and large tasks.`,
        t`If the file already has an env block, merge these into it. Don’t put the key in a project’s settings file, which is shared with others.`,
      ]
    },
  },
  {
    id: 'codex',
    name: 'Codex CLI',
    kind,
    dialect: 'responses',
    settings: (facts) => [
      { place: t`~/.codex/config.toml, above any [table]`, text: codexConfig(facts) },
      { place: t`In the terminal that runs codex`, text: exports({ SOTTO_API_KEY: facts.key }) },
    ],
    get notes() { return [t`The key is read from the environment. It isn’t stored in the file.`, t`Put the lines above the table at the top of the file, and the table at the end.`] },
  },
  {
    id: 'opencode',
    name: 'opencode',
    kind,
    dialect: 'chat',
    settings: (facts) => [{ place: '~/.config/opencode/opencode.json', text: opencodeConfig(facts) }],
    get notes() { return [t`opencode merges this with your existing settings. Choose the model with /models.`] },
  },
  {
    id: 'aider',
    name: 'aider',
    kind,
    dialect: 'chat',
    settings: ({ baseUrl, key, model }) => [{ place: t`In a terminal`, text: `${exports({ OPENAI_API_BASE: baseUrl, OPENAI_API_KEY: key })}\naider --model ${shellWord(`openai/${model}`)}` }],
    get notes() { return [t`The openai/ prefix tells aider which API to use. It isn’t sent.`, t`aider may warn that it doesn’t know the model. It works anyway.`] },
  },
  {
    id: 'cline',
    name: 'Cline',
    kind,
    dialect: 'chat',
    settings: ({ baseUrl, key, model }) => [{
      place: t`In Cline’s settings`,
      fields: [{ name: 'API Provider', value: 'OpenAI Compatible' }, { name: 'Base URL', value: baseUrl }, { name: 'API Key', value: key }, { name: 'Model ID', value: model }],
    }],
  },
]

function claudeCodeEnvironment({ baseUrl, key, model }: Facts): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: originOf(baseUrl),
    ANTHROPIC_AUTH_TOKEN: key,
    ANTHROPIC_MODEL: model,
    ANTHROPIC_DEFAULT_OPUS_MODEL: model,
    ANTHROPIC_DEFAULT_SONNET_MODEL: model,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
    // Fields before their release are none that a model of another maker knows.
    CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS: '1',
    // Reports of errors and of use would go out beside the proxy.
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }
}

function codexConfig({ baseUrl, model }: Facts): string {
  return `model = ${codePointString(model)}
model_provider = "sotto"
# OpenAI's own web search; no other service runs it, and Sotto refuses it by its name.
web_search = "disabled"

[model_providers.sotto]
name = "Sotto"
base_url = ${codePointString(baseUrl)}
env_key = "SOTTO_API_KEY"
wire_api = "responses"`
}

function opencodeConfig({ baseUrl, key, model, contextLength }: Facts): string {
  return jsonText({
    $schema: 'https://opencode.ai/config.json',
    provider: {
      sotto: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Sotto',
        options: { baseURL: baseUrl, apiKey: key },
        models: { [model]: contextLength === undefined ? { name: model } : { name: model, limit: { context: contextLength, output: Math.min(contextLength, 8192) } } },
      },
    },
    model: `sotto/${model}`,
  })
}

function exports(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables).map(([name, value]) => `export ${name}=${shellWord(value)}`).join('\n')
}

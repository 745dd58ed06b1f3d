import { t } from '@lingui/core/macro'
import { aiderMetadata, aiderModel, gooseEnvironment } from '../../../../shared/tools/runnable.ts'
import { claudeCodeEnvironment, claudeCodeSettings } from '../../../../shared/tools/claude-code.ts'
import { clineProviders } from '../../../../shared/tools/cline.ts'
import { CODEX_CATALOG, CODEX_KEY, codexCatalog, codexConfig } from '../../../../shared/tools/codex.ts'
import { contextOf, outputOf } from '../../../../shared/tools/facts.ts'
import { kiloConfig, opencodeConfig } from '../../../../shared/tools/opencode.ts'
import { piModels } from '../../../../shared/tools/pi.ts'
import { QWEN_KEY, qwenSettings } from '../../../../shared/tools/qwen-code.ts'
import { shellWord } from '../../../../shared/tools/quote.ts'
import type { ToolSettings } from './tool.ts'

const kind = 'Coding agents'

export const agents: readonly ToolSettings[] = [
  {
    id: 'claude-code',
    kind,
    dialect: 'messages',
    fixedNames: ['claude-*'],
    settings: (facts) => [
      { place: '~/.claude/settings.json', text: claudeCodeSettings(facts) },
      {
        place: t`Or in a terminal, for that session only`,
        text: `${exports(claudeCodeEnvironment(facts))}\nclaude --disallowedTools WebSearch WebFetch`,
      },
    ],
    get notes() {
      return [
        t`Leave ANTHROPIC_API_KEY unset. Otherwise Claude Code warns about two keys.`,
        t`Claude Code uses this one model for both small and large tasks.`,
        t`Web search and web fetch are denied because they contact Anthropic.`,
        t`If the file already has an env block, merge these into it. Don’t put the key in a project’s settings file, which is shared with others.`,
      ]
    },
  },
  {
    id: 'codex',
    kind,
    dialect: 'responses',
    settings: (facts) => [
      { place: '~/.codex/config.toml', text: codexConfig(facts) },
      { place: `~/.codex/${CODEX_CATALOG}`, text: codexCatalog(facts) },
      { place: t`In the terminal that runs codex`, text: exports({ [CODEX_KEY]: facts.key }) },
    ],
    get notes() {
      return [
        t`The key is read from the environment. It isn’t stored in the file.`,
        t`Put the lines above [model_providers.sotto] at the top of the file. Put that table at the end.`,
      ]
    },
  },
  {
    id: 'opencode',
    kind,
    dialect: 'chat',
    settings: (facts) => [{ place: '~/.config/opencode/opencode.json', text: opencodeConfig(facts) }],
    get notes() {
      return [t`opencode merges this with your existing settings. Choose the model with /models.`]
    },
  },
  {
    id: 'qwen-code',
    kind,
    dialect: 'chat',
    settings: (facts) => [
      { place: '~/.qwen/settings.json', text: qwenSettings(facts) },
      { place: t`In the terminal that runs qwen`, text: exports({ [QWEN_KEY]: facts.key }) },
    ],
    get notes() {
      return [t`The key is read from the environment. It isn’t stored in the file.`]
    },
  },
  {
    id: 'pi',
    kind,
    dialect: 'chat',
    settings: (facts) => [
      { place: '~/.pi/agent/models.json', text: piModels(facts) },
      { place: t`In a terminal`, text: `pi --provider sotto --model ${shellWord(facts.model)}` },
    ],
  },
  {
    id: 'aider',
    kind,
    dialect: 'chat',
    settings: (facts) => [
      {
        place: t`In a terminal`,
        text: `${exports({ OPENAI_API_BASE: facts.baseUrl, OPENAI_API_KEY: facts.key })}\naider --model ${shellWord(aiderModel(facts))}`,
      },
      { place: '~/.aider.model.metadata.json', text: aiderMetadata(facts) },
    ],
    get notes() {
      return [t`The openai/ prefix tells aider which API to use. It isn’t sent.`]
    },
  },
  {
    id: 'goose',
    kind,
    dialect: 'chat',
    settings: (facts) => [
      { place: t`In a terminal`, text: `${exports(gooseEnvironment(facts))}\ngoose session` },
    ],
    get notes() {
      return [t`These variables override Goose’s own settings for that session only.`]
    },
  },
  {
    id: 'cline',
    kind,
    dialect: 'chat',
    settings: (facts) => [
      {
        place: t`In Cline’s settings`,
        fields: [
          { name: 'API Provider', value: 'OpenAI Compatible' },
          { name: 'Base URL', value: facts.baseUrl },
          { name: 'API Key', value: facts.key },
          { name: 'Model ID', value: facts.model },
          { name: 'Context Window Size', value: String(contextOf(facts)) },
          { name: 'Max Output Tokens', value: String(outputOf(facts)) },
          { name: 'Supports Images', value: facts.images ? t`On` : t`Off` },
        ],
      },
      { place: '~/.cline/data/settings/providers.json', text: clineProviders(facts) },
    ],
    get notes() {
      return [t`The file is for Cline’s command line. If it exists, add this provider to it.`]
    },
  },
  {
    id: 'roo-code',
    kind,
    dialect: 'chat',
    settings: (facts) => [
      {
        place: t`In the extension’s settings, under Providers`,
        fields: [
          { name: 'API Provider', value: 'OpenAI Compatible' },
          { name: 'Base URL', value: facts.baseUrl },
          { name: 'API Key', value: facts.key },
          { name: 'Model', value: facts.model },
          { name: 'Context Window Size', value: String(contextOf(facts)) },
          { name: 'Max Output Tokens', value: String(outputOf(facts)) },
          { name: 'Image Support', value: facts.images ? t`On` : t`Off` },
        ],
      },
    ],
  },
  {
    id: 'kilo-code',
    kind,
    dialect: 'chat',
    settings: (facts) => [{ place: '~/.config/kilo/kilo.json', text: kiloConfig(facts) }],
    get notes() {
      return [t`If the file already has settings, merge these into it.`]
    },
  },
]

function exports(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}=${shellWord(value)}`)
    .join('\n')
}

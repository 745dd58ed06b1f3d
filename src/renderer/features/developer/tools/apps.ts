import { t } from '@lingui/core/macro'
import {
  continueConfig,
  libreChatConfig,
  vscodeModels,
  zedSettings,
} from '../../../../shared/tools/editors.ts'
import { contextOf, outputOf } from '../../../../shared/tools/facts.ts'
import { shellWord } from '../../../../shared/tools/quote.ts'
import type { ToolSettings } from './tool.ts'

const kind = 'Editors and apps'

export const apps: readonly ToolSettings[] = [
  {
    id: 'vscode',
    kind,
    dialect: 'chat',
    settings: (facts) => [
      {
        place: t`In Chat: Manage Language Models > Add Models > Custom Endpoint`,
        fields: [
          { name: 'Group Name', value: 'Sotto' },
          { name: 'API Key', value: facts.key },
          { name: 'API Type', value: 'Chat Completions' },
        ],
      },
      { place: t`In the group that VS Code adds to chatLanguageModels.json`, text: vscodeModels(facts) },
    ],
    get notes() {
      return [t`VS Code saves the key in its secret storage. Don’t put it in the file.`]
    },
  },
  {
    id: 'continue',
    kind,
    dialect: 'chat',
    settings: (facts) => [{ place: '~/.continue/config.yaml', text: continueConfig(facts) }],
    get notes() {
      return [t`If the file already lists models, add this one to the list.`]
    },
  },
  {
    id: 'zed',
    kind,
    dialect: 'chat',
    settings: (facts) => [
      { place: 'settings.json', text: zedSettings(facts) },
      {
        place: t`In Zed’s settings: AI > LLM Providers > sotto`,
        fields: [{ name: 'API key', value: facts.key }],
      },
    ],
    get notes() {
      return [t`Zed stores the key in the system keychain. Don’t put it in the file.`]
    },
  },
  {
    id: 'jetbrains',
    kind,
    dialect: 'chat',
    settings: ({ baseUrl, key, model }) => [
      {
        place: t`In Settings > Tools > AI Assistant > Providers & API keys`,
        fields: [
          { name: 'Provider', value: 'OpenAI-compatible' },
          { name: 'Base URL', value: baseUrl },
          { name: 'Key', value: key },
          { name: 'Model', value: model },
        ],
      },
    ],
    get notes() {
      return [t`Code completion may still use JetBrains’ own service. Choose a model for each feature there.`]
    },
  },
  {
    id: 'open-webui',
    kind,
    dialect: 'chat',
    settings: ({ baseUrl, key }) => [
      {
        place: t`In a terminal, before the first start`,
        text: `export OPENAI_API_BASE_URL=${shellWord(baseUrl)}\nexport OPENAI_API_KEY=${shellWord(key)}\nopen-webui serve`,
      },
      {
        place: t`Or later: Admin Settings > Connections > OpenAI API`,
        fields: [
          { name: 'URL', value: baseUrl },
          { name: 'Key', value: key },
        ],
      },
    ],
    get notes() {
      return [
        t`Open WebUI reads these variables only on first start, then saves them.`,
        t`In a container, use --network=host to reach this computer’s loopback address.`,
        t`Open WebUI also uses this key to generate chat titles and tags.`,
      ]
    },
  },
  {
    id: 'librechat',
    kind,
    dialect: 'chat',
    settings: (facts) => [
      { place: 'librechat.yaml', text: libreChatConfig(facts) },
      { place: '.env', text: `SOTTO_API_KEY=${facts.key}` },
    ],
    get notes() {
      return [
        t`In a container, use host networking to reach this computer’s loopback address.`,
        t`LibreChat also uses this key to generate chat titles.`,
      ]
    },
  },
  {
    id: 'anythingllm',
    kind,
    dialect: 'chat',
    settings: (facts) => [
      {
        place: t`In Settings > AI Providers > LLM`,
        fields: [
          { name: 'LLM Provider', value: 'Generic OpenAI' },
          { name: 'Base URL', value: facts.baseUrl },
          { name: 'API Key', value: facts.key },
          { name: 'Selected Model', value: facts.model },
          { name: 'Model context window', value: String(contextOf(facts)) },
          { name: 'Max Tokens', value: String(outputOf(facts)) },
        ],
      },
    ],
  },
  {
    id: 'obsidian',
    kind,
    dialect: 'chat',
    settings: ({ baseUrl, key, model }) => [
      {
        place: t`In Settings > Copilot > BYOK > Add a provider > Add a custom provider`,
        fields: [
          { name: 'Display name', value: 'Sotto' },
          { name: 'API key', value: key },
          { name: 'Base URL', value: baseUrl },
          { name: 'Models', value: model },
          { name: 'CORS', value: t`On` },
        ],
      },
    ],
    get notes() {
      return [t`Without CORS, Obsidian sends requests as a web page, which Sotto refuses.`]
    },
  },
]

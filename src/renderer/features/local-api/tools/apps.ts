import { t } from '@lingui/core/macro'
import { codePointString, jsonText, shellWord } from './quote.ts'
import type { Facts, Tool } from './tool.ts'

const kind = 'Editors and apps'

/** Zed must be told how long the context is; this is what a small model has. */
const SHORT_CONTEXT = 32_768

export const apps: readonly Tool[] = [
  {
    id: 'continue',
    name: 'Continue',
    kind,
    dialect: 'chat',
    settings: (facts) => [{ place: '~/.continue/config.yaml', text: continueConfig(facts) }],
    get notes() { return [t`If the file already lists models, add this one to the list.`] },
  },
  {
    id: 'zed',
    name: 'Zed',
    kind,
    dialect: 'chat',
    settings: (facts) => [
      { place: 'settings.json', text: zedSettings(facts) },
      { place: t`In Zed’s settings: AI > LLM Providers > sotto`, fields: [{ name: 'API key', value: facts.key }] },
    ],
    get notes() { return [t`Zed stores the key in the system keychain. Don’t put it in the file.`] },
  },
  {
    id: 'open-webui',
    name: 'Open WebUI',
    kind,
    dialect: 'chat',
    settings: ({ baseUrl, key }) => [
      { place: t`In a terminal, before the first start`, text: `export OPENAI_API_BASE_URL=${shellWord(baseUrl)}\nexport OPENAI_API_KEY=${shellWord(key)}\nopen-webui serve` },
      { place: t`Or later: Admin Settings > Connections > OpenAI API`, fields: [{ name: 'URL', value: baseUrl }, { name: 'Key', value: key }] },
    ],
    get notes() {
      return [
        t`Open WebUI reads these variables only on first start, then saves them.`,
        t`In a container, use --network=host to reach this computer’s loopback address.`,
        t`Open WebUI also uses this key to generate chat titles and tags.`,
      ]
    },
  },
]

function continueConfig({ baseUrl, key, model }: Facts): string {
  return `name: Sotto
version: 0.0.1
schema: v1
models:
  - name: ${codePointString(`${model} by Sotto`)}
    provider: openai
    model: ${codePointString(model)}
    apiBase: ${codePointString(baseUrl)}
    apiKey: ${codePointString(key)}
    roles:
      - chat
      - edit
      - apply`
}

function zedSettings({ baseUrl, model, contextLength = SHORT_CONTEXT }: Facts): string {
  return jsonText({
    language_models: {
      openai_compatible: {
        sotto: { api_url: baseUrl, available_models: [{ name: model, display_name: model, max_tokens: contextLength }] },
      },
    },
  })
}

import { contextOf, outputOf, type ToolFacts } from './facts.ts'
import { jsonString, jsonText, type JsonValue } from './quote.ts'

/** pi reads the key from this variable in the extension. */
export const PI_KEY = 'SOTTO_API_KEY'

/** The content of `models.json`. @see https://github.com/badlogic/pi-mono/blob/main/packages/coding-agent/docs/models.md */
export function piModels(facts: ToolFacts): string {
  return jsonText({ providers: { sotto: provider(facts, facts.key) } })
}

/** An extension that adds the provider to the user's own configuration. @see https://github.com/badlogic/pi-mono/blob/main/packages/coding-agent/docs/custom-provider.md */
export function piExtension(facts: ToolFacts): string {
  return `export default function (pi) {\n  pi.registerProvider(${jsonString('sotto')}, ${jsonText(provider(facts, PI_KEY), '  ')})\n}\n`
}

function provider(facts: ToolFacts, apiKey: string): Record<string, JsonValue> {
  const { baseUrl, model, images = false, reasoning = false } = facts
  const entry = {
    id: model,
    name: model,
    reasoning,
    input: images ? ['text', 'image'] : ['text'],
    contextWindow: contextOf(facts),
    maxTokens: outputOf(facts),
    // Some models of the service refuse the role "developer".
    compat: { supportsDeveloperRole: false },
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  }
  return { baseUrl, api: 'openai-completions', apiKey, models: [entry] }
}

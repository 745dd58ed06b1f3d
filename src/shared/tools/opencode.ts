import { contextOf, outputOf, type ToolFacts } from './facts.ts'
import { jsonText, type JsonValue } from './quote.ts'

/** The content of `opencode.json`. @see https://opencode.ai/docs/providers/#custom-provider */
export function opencodeConfig(facts: ToolFacts): string {
  return jsonText(config(facts))
}

/** For OPENCODE_CONFIG_CONTENT, which takes precedence over the files of the user and the project. @see https://opencode.ai/docs/config/ */
export function opencodeRunConfig(facts: ToolFacts): string {
  // Other providers would get the prompts, and a shared session is public.
  return jsonText({ ...config(facts), enabled_providers: ['sotto'], share: 'disabled' })
}

/** The content of Kilo Code's `kilo.json`, whose providers have the form of opencode's. @see https://kilo.ai/docs/ai-providers/openai-compatible */
export function kiloConfig(facts: ToolFacts): string {
  const { baseUrl, key, model } = facts
  const entry = { name: model, limit: { context: contextOf(facts), output: outputOf(facts) } }
  return jsonText({
    provider: {
      sotto: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: baseUrl, apiKey: key },
        models: { [model]: entry },
      },
    },
    model: `sotto/${model}`,
  })
}

function config(facts: ToolFacts): Record<string, JsonValue> {
  const { baseUrl, key, model, images = false, reasoning = false } = facts
  const entry = {
    name: model,
    tool_call: true,
    reasoning,
    attachment: images,
    modalities: { input: images ? ['text', 'image'] : ['text'], output: ['text'] },
    limit: { context: contextOf(facts), output: outputOf(facts) },
  }
  return {
    $schema: 'https://opencode.ai/config.json',
    provider: {
      sotto: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Sotto',
        options: { baseURL: baseUrl, apiKey: key },
        models: { [model]: entry },
      },
    },
    model: `sotto/${model}`,
    // Titles and summaries.
    small_model: `sotto/${model}`,
  }
}

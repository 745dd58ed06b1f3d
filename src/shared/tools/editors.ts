import { compactAt, contextOf, outputOf, type ToolFacts } from './facts.ts'
import { codePointString, jsonText } from './quote.ts'

/** The content of `config.yaml`. @see https://docs.continue.dev/reference */
export function continueConfig(facts: ToolFacts): string {
  const { baseUrl, key, model, images = false } = facts
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
      - apply
    capabilities:
      - tool_use${images ? '\n      - image_input' : ''}
    defaultCompletionOptions:
      contextLength: ${String(contextOf(facts))}
      maxTokens: ${String(outputOf(facts))}`
}

/** For Zed's settings. @see https://zed.dev/docs/ai/llm-providers#openai-api-compatible */
export function zedSettings(facts: ToolFacts): string {
  const { baseUrl, model, images = false } = facts
  const entry = {
    name: model,
    display_name: model,
    max_tokens: contextOf(facts),
    max_output_tokens: outputOf(facts),
    capabilities: { tools: true, images, parallel_tool_calls: false, prompt_cache_key: false },
  }
  return jsonText({
    language_models: { openai_compatible: { sotto: { api_url: baseUrl, available_models: [entry] } } },
  })
}

/** The models of a group in VS Code's `chatLanguageModels.json`. VS Code saves the key apart. @see https://code.visualstudio.com/docs/agent-customization/language-models */
export function vscodeModels(facts: ToolFacts): string {
  const { baseUrl, model, images = false, reasoning = false } = facts
  const entry = {
    id: model,
    name: model,
    url: `${baseUrl}/chat/completions`,
    toolCalling: true,
    vision: images,
    thinking: reasoning,
    maxInputTokens: compactAt(facts),
    maxOutputTokens: outputOf(facts),
  }
  return `"models": ${jsonText([entry])}`
}

/** The content of `librechat.yaml`; the key is in `.env`. @see https://www.librechat.ai/docs/configuration/librechat_yaml/object_structure/custom_endpoint */
export function libreChatConfig({ baseUrl, model }: ToolFacts): string {
  return `version: 1.2.1
endpoints:
  custom:
    - name: "Sotto"
      apiKey: "\${SOTTO_API_KEY}"
      baseURL: ${codePointString(baseUrl)}
      models:
        default:
          - ${codePointString(model)}
        fetch: false
      titleConvo: true
      titleModel: ${codePointString(model)}
      modelDisplayLabel: "Sotto"`
}

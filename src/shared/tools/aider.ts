import { contextOf, outputOf, type ToolFacts } from './facts.ts'
import { jsonText } from './quote.ts'

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

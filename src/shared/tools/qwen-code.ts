import { contextOf, outputOf, type ToolFacts } from './facts.ts'
import { jsonText } from './quote.ts'

/** Qwen Code reads the key from this variable. */
export const QWEN_KEY = 'SOTTO_API_KEY'

/**
 * The content of `settings.json`, in which the key isn't contained.
 * @see https://qwenlm.github.io/qwen-code-docs/en/users/configuration/model-providers/
 */
export function qwenSettings(facts: ToolFacts): string {
  const { baseUrl, model, images = false } = facts
  const generationConfig = {
    contextWindowSize: contextOf(facts),
    modalities: { image: images },
    samplingParams: { max_tokens: outputOf(facts) },
  }
  return jsonText({
    // The form of this version. Qwen Code migrates older ones, which writes the file.
    $version: 4,
    modelProviders: { openai: [{ id: model, name: model, envKey: QWEN_KEY, baseUrl, generationConfig }] },
    security: { auth: { selectedType: 'openai' } },
    model: { name: model },
    privacy: { usageStatisticsEnabled: false },
  })
}

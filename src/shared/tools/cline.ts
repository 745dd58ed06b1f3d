import { compactAt, outputOf, type ToolFacts } from './facts.ts'
import { jsonText } from './quote.ts'

/**
 * The content of `providers.json` for Cline's command line, whose own set-up doesn't ask for limits: it assumes 128,000 tokens
 * for each model.
 * @see https://docs.cline.bot/provider-config/openai-compatible
 */
export function clineProviders(facts: ToolFacts): string {
  const provider = 'openai-compatible'
  const settings = {
    provider,
    apiKey: facts.key,
    model: facts.model,
    baseUrl: facts.baseUrl,
    // Cline fills nine tenths of it before it compacts, so the reply isn't counted in.
    contextWindow: compactAt(facts),
    maxTokens: outputOf(facts),
  }
  return jsonText({
    version: 1,
    lastUsedProvider: provider,
    // Cline ignores a file without the time.
    providers: { [provider]: { settings, updatedAt: '2026-01-01T00:00:00.000Z' } },
  })
}

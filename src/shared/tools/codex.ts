import { compactAt, contextOf, type ToolFacts } from './facts.ts'
import { codePointString, jsonText } from './quote.ts'

/** Codex reads the key from this variable, so no file and no argument contains it. */
export const CODEX_KEY = 'SOTTO_API_KEY'
export const CODEX_CATALOG = 'sotto-models.json'

/**
 * The keys of `config.toml` with their TOML values. Dotted keys are those of the provider's table.
 * @param catalog - path of the file with `codexCatalog`; Codex resolves a relative one from the folder of its configuration
 * @see https://developers.openai.com/codex/config-reference
 */
export function codexOptions(facts: ToolFacts, catalog: string): Record<string, string> {
  return {
    model: codePointString(facts.model),
    model_provider: '"sotto"',
    model_context_window: String(contextOf(facts)),
    model_auto_compact_token_limit: String(compactAt(facts)),
    model_catalog_json: codePointString(catalog),
    // OpenAI runs this search itself. Sotto refuses it by its name.
    web_search: '"disabled"',
    'model_providers.sotto.name': '"Sotto"',
    'model_providers.sotto.base_url': codePointString(facts.baseUrl),
    'model_providers.sotto.env_key': codePointString(CODEX_KEY),
    'model_providers.sotto.wire_api': '"responses"',
  }
}

const TABLE = 'model_providers.sotto'

export function codexConfig(facts: ToolFacts): string {
  const lines = Object.entries(codexOptions(facts, CODEX_CATALOG))
  const inTable = lines.filter(([key]) => key.startsWith(`${TABLE}.`))
  return [
    ...lines.filter((line) => !inTable.includes(line)).map(([key, value]) => `${key} = ${value}`),
    '',
    `[${TABLE}]`,
    ...inTable.map(([key, value]) => `${key.slice(TABLE.length + 1)} = ${value}`),
  ].join('\n')
}

/** Codex has no instructions for models that its own catalog lacks, unless the entry brings them. */
const INSTRUCTIONS = `You are a coding agent in the Codex CLI, on the user's computer.

Work until the task is complete, then report briefly what you changed and how you checked it.
Read the files that matter before you edit them. Prefer rg for searches. Follow the AGENTS.md files that apply.
Run commands and edit files with the tools that you have. Keep changes small and in the style of the code around them.
Never discard changes that you didn't make. Don't commit unless the user asks for it.
If a command needs an approval that you don't get, explain what you need instead of working around it.`

/**
 * The model's entry for `model_catalog_json`. Without it, Codex warns that it has no metadata, and assumes a window and images.
 * @see https://github.com/openai/codex/blob/main/codex-rs/protocol/src/openai_models.rs
 */
export function codexCatalog(facts: ToolFacts): string {
  return jsonText({
    models: [
      {
        slug: facts.model,
        display_name: facts.model,
        supported_reasoning_levels: facts.reasoning
          ? ['low', 'medium', 'high'].map((effort) => ({ effort, description: effort }))
          : [],
        shell_type: 'unified_exec',
        visibility: 'list',
        supported_in_api: true,
        priority: 1,
        base_instructions: INSTRUCTIONS,
        support_verbosity: false,
        truncation_policy: { mode: 'tokens', limit: 10_000 },
        context_window: contextOf(facts),
        auto_compact_token_limit: compactAt(facts),
        experimental_supported_tools: [],
        input_modalities: facts.images ? ['text', 'image'] : ['text'],
      },
    ],
  })
}

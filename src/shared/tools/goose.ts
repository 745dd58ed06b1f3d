import { contextOf, originOf, outputOf, type ToolFacts } from './facts.ts'

/**
 * Variables take precedence over Goose's configuration and keychain.
 * @see https://block.github.io/goose/docs/guides/environment-variables
 */
export function gooseEnvironment(facts: ToolFacts): Record<string, string> {
  return {
    GOOSE_PROVIDER: 'openai',
    GOOSE_MODEL: facts.model,
    GOOSE_PLANNER_PROVIDER: 'openai',
    GOOSE_PLANNER_MODEL: facts.model,
    OPENAI_HOST: originOf(facts.baseUrl),
    OPENAI_BASE_PATH: 'v1/chat/completions',
    OPENAI_API_KEY: facts.key,
    GOOSE_CONTEXT_LIMIT: String(contextOf(facts)),
    GOOSE_MAX_TOKENS: String(outputOf(facts)),
  }
}

import OpenAI from 'openai'
import type { Service } from './service-client.ts'

/** OpenAI's own client, pointed straight at the sandbox. */
export function openAiClient({ sandbox, account }: Service, apiKey = account.apiKey): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${sandbox.baseUrl}/v1`, maxRetries: 0 })
}

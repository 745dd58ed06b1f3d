import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxFolder } from '../../../sandbox/cached-roots.ts'
import { startScriptedService, type ScriptedService } from '../../../scripted-service.ts'
import { startWorld, type World } from '../../../world.ts'

const OPEN = 'scripted/open'
const PRIVATE = 'private/scripted'

/** Each chunk has the usage so far, as vLLM and routers in front of it write it. */
const stream = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] },
  { choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: null }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  { choices: [] },
]
  .map((chunk, at) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'scripted',
    ...chunk,
    usage: { prompt_tokens: 7, completion_tokens: at, total_tokens: 7 + at },
  }))
  .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  .join('')

let service: ScriptedService
let world: World
let openai: OpenAI
beforeAll(async () => {
  service = await startScriptedService({
    folder: await sandboxFolder(),
    models: [OPEN, PRIVATE],
    script: (_request, answer) => {
      answer.begin({ 'content-type': 'text/event-stream' })
      answer.end(Buffer.from(`${stream}data: [DONE]\n\n`))
    },
  })
  world = await startWorld({ profile: (profile) => ({ ...profile, baseUrl: service.baseUrl }) })
  openai = new OpenAI({ baseURL: world.baseUrl, apiKey: world.key, maxRetries: 0 })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await service.close()
})

describe.each([[OPEN], [PRIVATE]])(
  'the official SDK and a stream of %s with the usage in each chunk',
  (model) => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'hello' }]

    it('reads the reply', async () => {
      const { choices, usage } = await openai.chat.completions
        .stream({ model, messages })
        .finalChatCompletion()
      expect(choices[0]?.message).toMatchObject({ role: 'assistant', content: 'Hello' })
      expect(usage).toBeUndefined()
    })
    it('reads the usage that it requested', async () => {
      const options = { include_usage: true }
      const request = { model, messages, stream_options: options }
      const { choices, usage } = await openai.chat.completions.stream(request).finalChatCompletion()
      expect(choices[0]?.message).toMatchObject({ role: 'assistant', content: 'Hello' })
      expect(usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 3 })
    })
  },
)

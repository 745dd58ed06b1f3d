import Fastify from 'fastify'
import { tellReady } from './child.ts'

/**
 * The basic cost of any service in Node: the same framework, a single route, JSON in, and an answer of the
 * same size out.
 */
const app = Fastify()
const answer = {
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_760_000_000,
  model: 'bench',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Only the one it is meant for. '.repeat(50), refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 500, completion_tokens: 400, total_tokens: 900 },
}
app.post('/v1/chat/completions', () => answer)
await app.listen({ host: '127.0.0.1', port: 0 })
tellReady({ port: Number(new URL(app.listeningOrigin).port) })

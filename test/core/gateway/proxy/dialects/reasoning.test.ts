import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PLAINTEXT_MODEL, startWorld, type World } from '../../../../world.ts'
import { chunk, done, usageChunk } from '../../dialect/stream-pieces.ts'
import { anthropicSdk } from './anthropic-client.ts'

/** A service whose model thinks aloud, in the member that its server has for it. The sandbox's do not. */
let world: World
const sent: { messages: object[] }[] = []
beforeAll(async () => {
  world = await startWorld({
    fetch: (fetch) => (url, init) => {
      if (!url.endsWith('/chat/completions')) return fetch(url, init)
      if (init.body instanceof Uint8Array)
        sent.push(JSON.parse(Buffer.from(init.body).toString()) as { messages: object[] })
      const events = [
        chunk({ reasoning: 'Let me ' }),
        chunk({ reasoning: 'see.' }),
        chunk({ content: 'Looking.' }),
        chunk({ tool_calls: [{ index: 0, id: 'call_1', function: { name: 'look', arguments: '{}' } }] }),
        chunk({}, 'tool_calls'),
        usageChunk,
        done,
      ]
      return Promise.resolve({
        status: 200,
        headers: new Headers({ 'content-type': 'text/event-stream' }),
        body: ReadableStream.from([Buffer.from(events.join(''))]),
      })
    },
  })
})
afterAll(() => world[Symbol.asyncDispose]())

const backAgain = {
  role: 'assistant',
  content: 'Looking.',
  reasoning: 'Let me see.',
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
}

describe('reasoning reaches the SDKs as they know it, and goes back to where it came from', () => {
  it.each(['summarized', 'omitted'] as const)('Anthropic, %s', async (display) => {
    const client = anthropicSdk(world)
    const ask = {
      model: PLAINTEXT_MODEL,
      max_tokens: 100,
      thinking: { type: 'adaptive' as const, display },
      tools: [{ name: 'look', input_schema: { type: 'object' as const } }],
    }
    const question = { role: 'user' as const, content: 'What is there?' }
    const { content, stop_reason: stop } = await client.messages
      .stream({ ...ask, messages: [question] })
      .finalMessage()
    expect(content).toMatchObject([
      { type: 'thinking', thinking: display === 'omitted' ? '' : 'Let me see.' },
      { type: 'text', text: 'Looking.' },
      { type: 'tool_use', id: 'call_1', name: 'look', input: {} },
    ])
    expect(stop).toBe('tool_use')
    await client.messages
      .stream({
        ...ask,
        messages: [
          question,
          { role: 'assistant', content },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'a door' }] },
        ],
      })
      .finalMessage()
    expect(sent.at(-1)?.messages).toEqual([
      question,
      backAgain,
      { role: 'tool', tool_call_id: 'call_1', content: 'a door' },
    ])
  })

  it('OpenAI', async () => {
    const { responses } = new OpenAI({ baseURL: world.baseUrl, apiKey: world.key, maxRetries: 0 })
    const ask = {
      model: PLAINTEXT_MODEL,
      store: false,
      include: ['reasoning.encrypted_content' as const],
      tools: [{ type: 'function' as const, name: 'look', parameters: {}, strict: false }],
    }
    const question = { role: 'user' as const, content: 'What is there?' }
    const { output } = await responses.stream({ ...ask, input: [question] }).finalResponse()
    expect(output).toMatchObject([
      { type: 'reasoning', summary: [], content: [{ text: 'Let me see.' }] },
      { type: 'message' },
      { type: 'function_call', call_id: 'call_1' },
    ])
    // The whole output goes back as it came.
    await responses
      .stream({
        ...ask,
        input: [
          question,
          ...(output as OpenAI.Responses.ResponseInputItem[]),
          { type: 'function_call_output', call_id: 'call_1', output: 'a door' },
        ],
      })
      .finalResponse()
    expect(sent.at(-1)?.messages).toEqual([
      question,
      backAgain,
      { role: 'tool', tool_call_id: 'call_1', content: 'a door' },
    ])
  })
})

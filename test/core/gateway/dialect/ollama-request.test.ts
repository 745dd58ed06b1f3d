import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Translated } from '../../../../src/core/gateway/dialect/dialect.ts'
import {
  readShow,
  translateEmbed,
  translateEmbeddings,
  translateOllamaChat,
  translateOllamaGenerate,
} from '../../../../src/core/gateway/dialect/ollama/index.ts'
import type { JsonObject } from '../../../../src/shared/strict-json.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const hello: JsonObject[] = [{ role: 'user', content: 'hello' }]
function translated(request: ReturnType<typeof translateOllamaChat>): Translated {
  if ('reply' in request) throw new Error('nothing to send')
  return request
}
const chat = (more: JsonObject): Translated =>
  translated(translateOllamaChat({ model: 'private/m', messages: hello, ...more }))
const generate = (more: JsonObject): Translated =>
  translated(translateOllamaGenerate({ model: 'private/m', prompt: 'let x =', ...more }))
const refused = (param: string, code = 'dialect/unsupported'): object =>
  expect.objectContaining({ code, details: expect.objectContaining({ param }) as object }) as object
const streamed = { stream: true, stream_options: { include_usage: true } }

describe('a chat becomes a chat completion', () => {
  it('streams unless the caller turns that off', () => {
    expect(chat({}).body).toEqual({ model: 'private/m', messages: hello, ...streamed })
    expect(chat({}).streamType).toBe('application/x-ndjson')
    expect(chat({ stream: false }).body).toEqual({ model: 'private/m', messages: hello })
  })
  it('carries over the options that chat completions have, and names the others', () => {
    const { body, ignored } = chat({
      stream: false,
      keep_alive: '5m',
      options: {
        temperature: 0,
        top_p: 0.5,
        seed: 7,
        stop: ['\n'],
        num_predict: 9,
        presence_penalty: 1,
        frequency_penalty: null,
        num_ctx: 4096,
        top_k: 3,
        'a\r\nb: c': 1,
      },
    })
    expect(body).toEqual({
      model: 'private/m',
      messages: hello,
      temperature: 0,
      top_p: 0.5,
      seed: 7,
      stop: ['\n'],
      max_completion_tokens: 9,
      presence_penalty: 1,
    })
    expect(ignored).toEqual(['keep_alive', 'options.num_ctx', 'options.top_k', 'options.a??b??c'])
  })
  it('names ignored options in characters of a header, whatever they are', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary', maxLength: 100 }), fc.constant(1), { maxKeys: 80 }),
        (options) => {
          const { ignored } = chat({ options })
          expect(ignored.length).toBeLessThanOrEqual(50)
          for (const name of ignored) expect(name).toMatch(/^options\.[\w.?-]{0,60}$/)
        },
      ),
    )
  })
  it.each([[-1], [-2], [0]])('takes num_predict %s as no limit', (most) => {
    expect(chat({ options: { num_predict: most } }).body).not.toHaveProperty('max_completion_tokens')
  })
  it.each([
    [true, 'medium'],
    [false, 'none'],
    ['low', 'low'],
    ['high', 'high'],
  ])('think %s is the effort %s', (think, effort) => {
    expect(chat({ think }).body).toMatchObject({ reasoning_effort: effort })
    expect(generate({ think }).body).toMatchObject({ reasoning_effort: effort })
  })
  it('asks for JSON, or for JSON of a schema', () => {
    const schema = { type: 'object', properties: { model: { type: 'string', default: null } } }
    expect(chat({ format: 'json' }).body).toMatchObject({ response_format: { type: 'json_object' } })
    expect(chat({ format: schema }).body).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { name: 'output', schema } },
    })
    for (const format of ['', null]) expect(chat({ format }).body).not.toHaveProperty('response_format')
  })
  it('gives images the type that their bytes have', () => {
    expect(
      chat({ messages: [{ role: 'user', content: 'look', images: [PNG, '/9j/4AAQSkZJRg=='] }] }).body[
        'messages'
      ],
    ).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
          { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,/9j/4AAQSkZJRg==' } },
        ],
      },
    ])
  })
  it('carries over tools, calls with objects as arguments, and results by the names of tools', () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } } }
    const called = (name: string, city: string): JsonObject => ({ function: { name, arguments: { city } } })
    const { body } = chat({
      stream: false,
      tools: [{ type: 'function', function: { name: 'weather', description: 'Weather.', parameters } }],
      messages: [
        ...hello,
        {
          role: 'assistant',
          content: '',
          thinking: 'Two cities.',
          tool_calls: [called('weather', 'Oslo'), called('time', 'Rome'), called('weather', 'Bern')],
        },
        { role: 'tool', tool_name: 'time', content: 'noon' },
        { role: 'tool', tool_name: 'weather', content: 'cold' },
        { role: 'tool', content: 'warm' },
      ],
    })
    expect(body['tools']).toEqual([
      { type: 'function', function: { name: 'weather', description: 'Weather.', parameters } },
    ])
    const chatCall = (id: string, name: string, city: string): object => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify({ city }) },
    })
    expect(body['messages']).toEqual([
      ...hello,
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'Two cities.',
        tool_calls: [
          chatCall('call_0', 'weather', 'Oslo'),
          chatCall('call_1', 'time', 'Rome'),
          chatCall('call_2', 'weather', 'Bern'),
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'noon' },
      { role: 'tool', tool_call_id: 'call_0', content: 'cold' },
      { role: 'tool', tool_call_id: 'call_2', content: 'warm' },
    ])
  })
  it('keeps the IDs that calls have', () => {
    const { body } = chat({
      messages: [
        ...hello,
        {
          role: 'assistant',
          content: '',
          tool_calls: [
            { id: 'a', function: { index: 0, name: 't', arguments: {} } },
            { id: 'b', function: { index: 1, name: 't', arguments: {} } },
          ],
        },
        { role: 'tool', tool_call_id: 'b', tool_name: 't', content: 'x' },
        { role: 'tool', tool_call_id: 'a', content: 'y' },
      ],
    })
    expect((body['messages'] as JsonObject[]).map(({ tool_call_id: id }) => id)).toEqual([
      undefined,
      undefined,
      'b',
      'a',
    ])
  })
  it('answers every pending call once, and never with the ID of another tool', () => {
    const name = fc.constantFrom('a', 'b', 'c')
    fc.assert(
      fc.property(
        fc
          .array(name, { minLength: 1, maxLength: 6 })
          .chain((names) =>
            fc.tuple(fc.constant(names), fc.shuffledSubarray(names, { minLength: names.length })),
          ),
        ([names, results]) => {
          const { body } = chat({
            messages: [
              ...hello,
              {
                role: 'assistant',
                content: '',
                tool_calls: names.map((each) => ({ function: { name: each, arguments: {} } })),
              },
              ...results.map((each) => ({ role: 'tool', tool_name: each, content: each })),
            ],
          })
          const [, assistant, ...answered] = body['messages'] as {
            tool_calls: { id: string; function: { name: string } }[]
            tool_call_id: string
            content: string
          }[]
          const nameOf = new Map(assistant!.tool_calls.map(({ id, function: called }) => [id, called.name]))
          expect(answered.map(({ tool_call_id: id }) => nameOf.get(id))).toEqual(
            answered.map(({ content }) => content),
          )
          expect(new Set(answered.map(({ tool_call_id: id }) => id)).size).toBe(names.length)
        },
      ),
    )
  })
})

describe('a prompt becomes a chat completion', () => {
  it('as a message, with the system message', () => {
    expect(generate({ system: 'Be brief.', images: [PNG], stream: false }).body).toEqual({
      model: 'private/m',
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'let x =' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
          ],
        },
      ],
    })
  })
  it('fills the gap in front of a suffix, or between the markers of a raw prompt', () => {
    for (const more of [
      { suffix: 'B', prompt: 'A' },
      { raw: true, prompt: '<|fim_prefix|>A<|fim_suffix|>B<|fim_middle|>' },
    ]) {
      expect((generate(more).body['messages'] as JsonObject[]).at(-1)).toEqual({
        role: 'user',
        content: '<before>A</before>\n<after>B</after>',
      })
    }
    expect((generate({ raw: true }).body['messages'] as JsonObject[])[0]).toMatchObject({
      role: 'system',
      content: expect.stringMatching(/^Continue the text/) as string,
    })
  })
})

describe('a request without a prompt', () => {
  const load = (request: ReturnType<typeof translateOllamaChat>): object =>
    'reply' in request ? request.reply(1_800_000_000) : {}
  it.each<[unknown, string]>([
    [undefined, 'load'],
    ['5m', 'load'],
    [-1, 'load'],
    [0, 'unload'],
    ['0', 'unload'],
    ['0s', 'unload'],
    ['00h', 'load'],
  ])('with keep_alive %s is done for the reason %s', (keepAlive, reason) => {
    const more = keepAlive === undefined ? {} : { keep_alive: keepAlive as string }
    const head = {
      model: 'private/m',
      created_at: '2027-01-15T08:00:00.000Z',
      done: true,
      done_reason: reason,
    }
    expect(load(translateOllamaChat({ model: 'private/m', messages: [], ...more }))).toEqual({
      ...head,
      message: { role: 'assistant', content: '' },
    })
    expect(load(translateOllamaGenerate({ model: 'private/m', ...more }))).toEqual({ ...head, response: '' })
  })
})

describe('a request is refused by name', () => {
  it.each<[string, JsonObject]>([
    ['think', { think: 'very' }],
    ['logprobs', { logprobs: true }],
    ['tool_choice', { tool_choice: 'auto' }],
    ['models', { models: ['private/x'] }],
    ['format', { format: 'yaml' }],
    ['messages[0].role', { messages: [{ role: 'function', content: 'x' }] }],
    ['messages[0].audio', { messages: [{ role: 'user', content: 'x', audio: 'y' }] }],
    ['messages[0].images[0]', { messages: [{ role: 'user', content: 'x', images: ['AAAA'] }] }],
    [
      'messages[0].images[0]',
      { messages: [{ role: 'user', content: 'x', images: [`data:image/png;base64,${PNG}`] }] },
    ],
    ['messages[0]', { messages: [{ role: 'tool', content: 'x' }] }],
    ['messages[1]', { messages: [...hello, { role: 'assistant', content: 'Well,' }] }],
  ])('%s of a chat: %j', (param, more) => {
    expect(() => chat(more)).toThrow(refused(param))
  })
  it.each<[string, JsonObject]>([
    ['template', { template: '{{ .Prompt }}' }],
    ['context', { context: [1, 2, 3] }],
    ['system', { raw: true, system: 'x' }],
    ['images', { suffix: 'x', images: [PNG] }],
    ['width', { width: 512 }],
  ])('%s of a prompt: %j', (param, more) => {
    expect(() => generate(more)).toThrow(refused(param))
  })
  it.each<[string, JsonObject]>([
    ['options.temperature', { options: { temperature: 'warm' } }],
    ['messages', { messages: 'hello' }],
    ['stream', { stream: 'no' }],
  ])('a malformed %s for what it is', (param, more) => {
    expect(() => chat(more)).toThrow(refused(param, 'proxy/invalid-request'))
  })
  it('without a model', () => {
    for (const read of [
      translateOllamaChat,
      translateOllamaGenerate,
      translateEmbed,
      translateEmbeddings,
      readShow,
    ])
      expect(() => read({})).toThrow(refused('model', 'proxy/model-missing'))
  })
})

describe('embeddings', () => {
  const answer = JSON.stringify({
    data: [
      { index: 1, embedding: [2] },
      { index: 0, embedding: [1] },
    ],
    usage: { prompt_tokens: 3, total_tokens: 3 },
  })
  it('are asked for, and read in the order of the texts', () => {
    const {
      body,
      ignored,
      answer: read,
    } = translateEmbed({
      model: 'e',
      input: ['a', 'b'],
      dimensions: 5,
      truncate: true,
      options: { num_ctx: 1 },
    })
    expect([body, ignored]).toEqual([
      { model: 'e', input: ['a', 'b'], dimensions: 5 },
      ['truncate', 'options.num_ctx'],
    ])
    expect(read(answer, 2)).toEqual({
      model: 'e',
      embeddings: [[1], [2]],
      total_duration: 2_000_000,
      load_duration: 0,
      prompt_eval_count: 3,
    })
  })
  it('of one text, by the older path', () => {
    const { body, answer: read } = translateEmbeddings({ model: 'e', prompt: 'a' })
    expect(body).toEqual({ model: 'e', input: 'a' })
    expect(read(JSON.stringify({ data: [{ embedding: [0.5] }] }), 0)).toEqual({ embedding: [0.5] })
  })
  it('of no text are none, and nothing is asked for', () => {
    for (const input of ['', []]) {
      const { body, answer: read } = translateEmbed({ model: 'e', input })
      expect([body, read(null, 0)['embeddings']]).toEqual([null, []])
    }
    expect(translateEmbeddings({ model: 'e' })).toMatchObject({ body: null })
  })
  it.each([['{'], ['{}'], [answer], [JSON.stringify({ data: [{ embedding: ['AAAA'] }] })]])(
    'fail if the answer has not one for each text: %s',
    (json) => {
      expect(() => translateEmbed({ model: 'e', input: 'a' }).answer(json, 0)).toThrow(
        expect.objectContaining({ code: 'service/response-invalid' }),
      )
    },
  )
})

it('reads the model to show by either name', () => {
  expect([readShow({ model: 'm', verbose: true }), readShow({ name: 'm' })]).toEqual(['m', 'm'])
})

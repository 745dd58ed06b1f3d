import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readReasoningToken } from '../../../../src/core/gateway/answer/index.ts'
import { translateMessages } from '../../../../src/core/gateway/dialect/messages/index.ts'
import type { AnswerWriter } from '../../../../src/core/gateway/dialect/dialect.ts'
import { SottoError } from '../../../../src/shared/errors.ts'
import type { JsonObject } from '../../../../src/shared/strict-json.ts'
import {
  answers,
  chunk,
  completion,
  cutAnywhere,
  done,
  facts,
  inOnePiece,
  parseEvents,
  stepOf,
  usage,
  usageChunk,
  writeAll,
  written,
  type Delta,
  type Event,
} from './stream-pieces.ts'

const request: JsonObject = {
  model: 'private/m',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'hello' }],
}
function writer(more: JsonObject = {}): AnswerWriter {
  return translateMessages({ ...request, ...more }).answer(facts)
}
const shown: JsonObject = { thinking: { type: 'adaptive' } }
const omitted: JsonObject = { thinking: { type: 'adaptive', display: 'omitted' } }

const start: Event = {
  type: 'message_start',
  message: {
    id: 'msg_abc123',
    type: 'message',
    role: 'assistant',
    model: 'private/m',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 },
  },
}
function end(stopReason: string): Event[] {
  return [
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: {
        input_tokens: 20,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 10,
        output_tokens: 12,
      },
    },
    { type: 'message_stop' },
  ]
}
function block(index: number, content: object, ...deltas: object[]): Event[] {
  return [
    { type: 'content_block_start', index, content_block: content },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

interface Block {
  type: string
  text?: string
  thinking?: string
  signature?: string
  id?: string
  name?: string
  input?: unknown
  json?: string
}

/** As the SDKs put a stream together. */
function accumulated(events: readonly Event[]): { content: Block[]; stop: unknown; open: number } {
  const content: Block[] = []
  let stop: unknown
  let open = 0
  for (const event of events) {
    const at = event['index'] as number
    if (event.type === 'content_block_start') {
      expect(at).toBe(content.length)
      expect(open++).toBe(0)
      content.push({ ...(event['content_block'] as Block), json: '' })
    } else if (event.type === 'content_block_delta') {
      const { type, ...delta } = event['delta'] as Record<string, string>
      expect(at).toBe(content.length - 1)
      const target = content[at]!
      if (type === 'text_delta') target.text = `${target.text ?? ''}${delta['text']!}`
      else if (type === 'thinking_delta') target.thinking = `${target.thinking ?? ''}${delta['thinking']!}`
      else if (type === 'signature_delta') target.signature = delta['signature']!
      else target.json = `${target.json ?? ''}${delta['partial_json']!}`
    } else if (event.type === 'content_block_stop') open--
    else if (event.type === 'message_delta') stop = (event['delta'] as { stop_reason: unknown }).stop_reason
  }
  for (const one of content) if (one.type === 'tool_use') one.input = JSON.parse(one.json || '{}')
  return { content, stop, open }
}

describe('a streamed chat completion becomes a streamed message', () => {
  it('text', () => {
    expect(
      writeAll(
        writer(),
        chunk({ content: '' }),
        chunk({ content: 'Hel' }),
        chunk({ content: 'lo' }),
        chunk({}, 'stop'),
        usageChunk,
        done,
      ),
    ).toEqual({
      failure: undefined,
      events: [
        start,
        ...block(
          0,
          { type: 'text', text: '' },
          { type: 'text_delta', text: 'Hel' },
          { type: 'text_delta', text: 'lo' },
        ),
        ...end('end_turn'),
      ],
    })
  })

  it('text and two consecutive calls', () => {
    const calls: Delta[] = [
      { tool_calls: [{ index: 0, id: 'call_a', function: { name: 'one', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"x":' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '1}' } }] },
      { tool_calls: [{ index: 1, id: 'call_b', function: { name: 'two', arguments: '{}' } }] },
    ]
    expect(
      writeAll(
        writer(),
        chunk({ content: 'Wait' }),
        ...calls.map((delta) => chunk(delta)),
        chunk({}, 'tool_calls'),
        usageChunk,
        done,
      ).events,
    ).toEqual([
      start,
      ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'Wait' }),
      ...block(
        1,
        { type: 'tool_use', id: 'call_a', name: 'one', input: {} },
        { type: 'input_json_delta', partial_json: '{"x":' },
        { type: 'input_json_delta', partial_json: '1}' },
      ),
      ...block(
        2,
        { type: 'tool_use', id: 'call_b', name: 'two', input: {} },
        { type: 'input_json_delta', partial_json: '{}' },
      ),
      ...end('tool_use'),
    ])
  })

  it('interleaved calls, as consecutive blocks', () => {
    const { events } = writeAll(
      writer(),
      chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'one', arguments: '{"x":"}' } }] }),
      chunk({ tool_calls: [{ index: 1, id: 'b', function: { name: 'two', arguments: '{"y":' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '"}' } }] }),
      chunk({ tool_calls: [{ index: 1, function: { arguments: '2}' } }] }),
      done,
    )
    expect(accumulated(events).content).toMatchObject([
      { id: 'a', input: { x: '}' } },
      { id: 'b', input: { y: 2 } },
    ])
  })

  it('calls that share an index or lack an id', () => {
    const { events } = writeAll(
      writer(),
      chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'one', arguments: '{}' } }] }),
      chunk({ tool_calls: [{ index: 0, id: 'b', function: { name: 'two', arguments: '{}' } }] }),
      chunk({ tool_calls: [{ index: 1, function: { name: 'three', arguments: '{}' } }] }),
      done,
    )
    expect(accumulated(events).content).toMatchObject([
      { id: 'a', name: 'one' },
      { id: 'b', name: 'two' },
      { id: 'toolu_abc123_2', name: 'three' },
    ])
  })

  const thinkingChunks = [
    chunk({ reasoning: 'Let me ' }),
    chunk({ reasoning: 'see.' }),
    chunk({ content: 'Yes' }),
    chunk({}, 'stop'),
    usageChunk,
    done,
  ]
  it.each<[string, Delta[]]>([
    [
      'in one piece',
      [
        {
          tool_calls: [
            { function: { name: 'f', arguments: '{"a":1}' } },
            { function: { name: 'g', arguments: '{"b":2}' } },
          ],
        },
      ],
    ],
    [
      'in pieces of their own',
      [
        { tool_calls: [{ index: 0, id: '', function: { name: 'f', arguments: '{"a":1}' } }] },
        { tool_calls: [{ index: 0, id: '', function: { name: 'g', arguments: '{"b":2}' } }] },
      ],
    ],
    [
      'each cut, with its name repeated',
      [
        { tool_calls: [{ function: { name: 'f', arguments: '{"a"' } }] },
        { tool_calls: [{ function: { name: 'f', arguments: ':1}' } }] },
        { tool_calls: [{ function: { name: 'f', arguments: '' } }] },
        { tool_calls: [{ function: { name: 'g', arguments: '{"b":' } }] },
        { tool_calls: [{ function: { name: 'g', arguments: '2}' } }] },
      ],
    ],
  ])('calls without index and id, separated by their ends: %s', (_how, deltas) => {
    const { events, failure } = writeAll(
      writer(),
      ...deltas.map((delta) => chunk(delta)),
      chunk({}, 'tool_calls'),
      done,
    )
    expect(failure).toBeUndefined()
    expect(accumulated(events).content).toMatchObject([
      { type: 'tool_use', name: 'f', input: { a: 1 } },
      { type: 'tool_use', name: 'g', input: { b: 2 } },
    ])
  })
  it('reasoning as thinking if it was requested, with a signature that names its source member', () => {
    const { content } = accumulated(writeAll(writer(shown), ...thinkingChunks).events)
    expect(content).toMatchObject([
      { type: 'thinking', thinking: 'Let me see.' },
      { type: 'text', text: 'Yes' },
    ])
    expect(readReasoningToken(content[0]!.signature!)).toEqual({ member: 'reasoning', text: '' })
  })
  it('omitted reasoning in the signature, with pings that show that the connection is alive', () => {
    const { events } = writeAll(writer(omitted), ...thinkingChunks)
    const { content } = accumulated(events)
    expect(content).toMatchObject([
      { type: 'thinking', thinking: '' },
      { type: 'text', text: 'Yes' },
    ])
    expect(readReasoningToken(content[0]!.signature!)).toEqual({ member: 'reasoning', text: 'Let me see.' })
    expect(events.filter(({ type }) => type === 'ping')).toHaveLength(2)
  })
  it.each([[{}], [{ thinking: { type: 'disabled' } }]])(
    'no reasoning if it was not requested: %j',
    (more) => {
      expect(accumulated(writeAll(writer(more), ...thinkingChunks).events).content).toMatchObject([
        { type: 'text', text: 'Yes' },
      ])
    },
  )
  it('reasoning that a server writes twice, once', () => {
    const { events } = writeAll(writer(shown), chunk({ reasoning_content: 'so', reasoning: 'so' }), done)
    expect(accumulated(events).content).toMatchObject([{ thinking: 'so' }])
  })

  it.each([
    ['length', 'max_tokens', {}],
    ['content_filter', 'refusal', {}],
    ['stop', 'end_turn', {}],
    ['function_call', 'end_turn', {}],
    ['something', 'end_turn', {}],
    ['stop', 'stop_sequence', { stop_sequences: ['END'] }],
  ])('finish reason %s as stop reason %s', (finish, stopReason, more) => {
    const last = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: finish, stop_reason: 'END' }] })}\n\n`
    const { events } = writeAll(writer(more), chunk({ content: 'a' }), last, done)
    expect(events.find(({ type }) => type === 'message_delta')?.['delta']).toEqual({
      stop_reason: stopReason,
      stop_sequence: stopReason === 'stop_sequence' ? 'END' : null,
    })
  })
  it('a refusal text with the stop reason refusal', () => {
    expect(
      accumulated(writeAll(writer(), chunk({ refusal: 'No.' }), chunk({}, 'stop'), done).events),
    ).toMatchObject({ content: [{ text: 'No.' }], stop: 'refusal' })
  })
  it('comments as pings, ignoring events that are no chat completion', () => {
    const { events, failure } = writeAll(
      writer(),
      ': busy\n\n',
      'event: other\ndata: {"a":1}\n\n',
      'data: {"object":"else"}\n\n',
      'id: 7\nretry: 10\n\n',
      chunk({ content: 'a' }),
      done,
    )
    expect(failure).toBeUndefined()
    expect(events.map(({ type }) => type)).toEqual([
      'ping',
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
  })
  it('an empty reply, ignoring events after its end', () => {
    expect(
      writeAll(writer(), done, chunk({ content: 'late' }), 'data: {').events.map(({ type }) => type),
    ).toEqual(['message_start', 'message_delta', 'message_stop'])
  })

  it.each([
    ['it stops before its end', 'service/interrupted', [chunk({ content: 'a' })]],
    [
      'it tells of an error',
      'service/failed',
      [chunk({ content: 'a' }), 'data: {"error":{"message":"too busy"}}\n\n'],
    ],
    [
      'a choice tells of an error',
      'service/failed',
      [
        chunk({ content: 'a' }),
        'data: {"choices":[{"index":0,"delta":{},"error":{"message":"too busy"}}]}\n\n',
        done,
      ],
    ],
    ['it ended by an error', 'service/failed', [chunk({ content: 'a' }), chunk({}, 'error'), done]],
    ['its event is an error', 'service/failed', ['event: error\ndata: {}\n\n']],
    ['an event is no JSON', 'service/response-invalid', ['data: {"choices":\n\n']],
    [
      'a chunk has another form',
      'service/response-invalid',
      ['data: {"choices":[{"delta":{"content":7}}]}\n\n'],
    ],
    [
      'a call never gets a name',
      'service/response-invalid',
      [chunk({ tool_calls: [{ index: 0, id: 'a', function: { arguments: '{}' } }] }), done],
    ],
    [
      'a call goes on after its end',
      'service/response-invalid',
      [
        chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'n', arguments: '{}' } }] }),
        chunk({ content: 'a' }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }),
        done,
      ],
    ],
    ['it is not UTF-8', 'service/response-invalid', [Buffer.from([0x64, 0xff, 0xfe])]],
  ])('fails if %s', (_why, code, chunks) => {
    const { failure, events } = written(
      writer(),
      chunks.map((one) => Buffer.from(one)),
    )
    expect(failure).toBe(code)
    expect(events.at(-1)).toMatchObject({
      type: 'error',
      error: { type: 'api_error', details: { error_code: code } },
    })
    if (chunks.some((text) => typeof text === 'string' && text.includes('too busy')))
      expect(JSON.stringify(events)).toContain('The response contains an error: “too busy”.')
  })
  it('refuses an event that never ends', () => {
    const piece = Buffer.from(`${chunk({ content: 'a' })}data: ${'x'.repeat(1024 * 1024)}`)
    const { failure } = written(
      writer(),
      Array.from({ length: 9 }, (_, at) => (at === 0 ? piece : piece.subarray(-1024 * 1024))),
    )
    expect(failure).toBe('service/response-invalid')
  })
})

describe('any data from the server', () => {
  it('becomes the same reply however it is split', () => {
    fc.assert(
      fc.property(
        answers.chain(({ chunks }) => fc.tuple(fc.constant(chunks.join('')), cutAnywhere(chunks.join('')))),
        ([text, pieces]) => {
          expect(written(writer(shown), pieces)).toEqual(written(writer(shown), [Buffer.from(text)]))
        },
      ),
      { numRuns: 150 },
    )
  })
  it('becomes the same reply whole, streamed or as events at once, with parallel pieces in any order', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const { events, failure } = writeAll(writer(shown), ...answer.chunks)
        expect(failure).toBeUndefined()
        const streamed = accumulated(events)
        expect(streamed.open).toBe(0)
        const whole = writer(shown).whole(stepOf(completion(answer))) as unknown as {
          content: Block[]
          stop_reason: string
          usage: object
        }
        const parts = (content: readonly Block[]): object => ({
          text: content.map(({ text = '' }) => text).join(''),
          thinking: content.map(({ thinking = '' }) => thinking).join(''),
          calls: content.flatMap(({ type, id, name, input }) =>
            type === 'tool_use' ? [{ id, name, input }] : [],
          ),
        })
        expect(parts(streamed.content)).toEqual(parts(whole.content))
        expect(streamed.stop).toBe(whole.stop_reason)
        const atOnce = accumulated(parseEvents(writer(shown).push(inOnePiece(completion(answer)))))
        expect({ ...atOnce, content: parts(atOnce.content) }).toEqual({
          ...streamed,
          content: parts(streamed.content),
        })
      }),
      { numRuns: 200 },
    )
  })
  it('never throws', () => {
    const line = fc.oneof(
      fc.string(),
      fc.json().map((json) => `data: ${json}`),
      fc.constantFrom(
        'data: [DONE]',
        'event: error',
        'data: {"choices":[{"delta":{"tool_calls":[{}]}}]}',
        'data: {"choices":[{"index":1,"delta":{"content":"no"}}]}',
        ':',
        '',
        'data:',
      ),
    )
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n', '\n\n', '\r'), (lines, ending) => {
        const { failure } = writeAll(writer(shown), lines.join(ending))
        expect(['service/interrupted', 'service/failed', 'service/response-invalid', undefined]).toContain(
          failure,
        )
      }),
      { numRuns: 300 },
    )
  })
})

it('a failing stream gives the same events and the same failure however it is split', () => {
  const line = fc.oneof(
    fc.json().map((json) => `data: ${json}`),
    fc.constantFrom(
      'data: {',
      'event: error',
      ': busy',
      '',
      chunk({ content: 'é' }),
      chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'n', arguments: '{}' } }] }),
      done,
    ),
  )
  fc.assert(
    fc.property(
      fc.array(line).chain((lines) => fc.tuple(fc.constant(lines.join('\n')), cutAnywhere(lines.join('\n')))),
      ([text, pieces]) => {
        expect(written(writer(), pieces)).toEqual(written(writer(), [Buffer.from(text)]))
      },
    ),
    { numRuns: 200 },
  )
})

describe('a whole chat completion becomes a message', () => {
  const whole = (message: object, finish = 'stop', more: JsonObject = {}): unknown =>
    writer(more).whole(stepOf({ model: 'm', choices: [{ index: 0, message, finish_reason: finish }], usage }))

  it('with its thinking, text and calls', () => {
    expect(
      whole(
        {
          content: 'a',
          reasoning_content: 'r',
          tool_calls: [{ id: 'i', type: 'function', function: { name: 'n', arguments: '{"x":1}' } }],
        },
        'tool_calls',
        shown,
      ),
    ).toEqual({
      ...(start['message'] as object),
      content: [
        { type: 'thinking', thinking: 'r', signature: expect.any(String) as string },
        { type: 'text', text: 'a' },
        { type: 'tool_use', id: 'i', name: 'n', input: { x: 1 } },
      ],
      stop_reason: 'tool_use',
      usage: {
        input_tokens: 20,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 10,
        output_tokens: 12,
      },
    })
  })
  it('without a call that the limit cut off, and refuses arguments that are not an object', () => {
    const cut = {
      content: null,
      tool_calls: [{ id: 'i', type: 'function', function: { name: 'n', arguments: '{"x":' } }],
    }
    expect(whole(cut, 'length')).toMatchObject({ content: [], stop_reason: 'max_tokens' })
    expect(() => whole(cut, 'tool_calls')).toThrow(SottoError)
    expect(() =>
      whole({ content: null, tool_calls: [{ id: 'i', function: { name: 'n', arguments: '[]' } }] }),
    ).toThrow(SottoError)
  })
  it.each([
    [{}],
    [null],
    [[]],
    [{ choices: [] }],
    [{ choices: [{ message: { content: 7 } }] }],
    [{ error: { message: 'x' } }],
  ])('refuses %j', (value) => {
    expect(() => inOnePiece(value)).toThrow(SottoError)
  })
})

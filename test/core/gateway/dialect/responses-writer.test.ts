import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readReasoningToken } from '../../../../src/core/gateway/answer/index.ts'
import type { AnswerWriter } from '../../../../src/core/gateway/dialect/dialect.ts'
import { translateResponses } from '../../../../src/core/gateway/dialect/responses/index.ts'
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
  usageChunk,
  writeAll,
  written,
  type Event,
} from './stream-pieces.ts'

function writer(more: JsonObject = {}): AnswerWriter {
  return translateResponses({ model: 'private/m', input: 'hello', ...more }).answer(facts)
}

interface Item {
  type: string
  id: string
  status: string
  content?: { text?: string; refusal?: string }[]
  arguments?: string
  call_id?: string
  name?: string
  namespace?: string
  encrypted_content?: string
}
interface Answered {
  status: string
  output: Item[]
  usage: unknown
  incomplete_details: unknown
  error: unknown
}
function last(events: readonly Event[]): Answered {
  return events.at(-1)!['response'] as Answered
}
const types = (events: readonly Event[]): string[] => events.map(({ type }) => type.replace('response.', ''))

/**
 * Checks the rules of every Response stream: each item begins and ends once, and its deltas add up to the content
 * of its end event.
 */
function checkProtocol(events: readonly Event[]): void {
  expect(events.map((event) => event['sequence_number'])).toEqual(events.map((_, at) => at))
  expect(types(events).slice(0, 2)).toEqual(['created', 'in_progress'])
  const texts = new Map<string, string>()
  const ended = new Map<number, unknown>()
  let count = 0
  for (const event of events) {
    const id = event['item_id'] as string
    if (event.type === 'response.output_item.added') {
      expect(event['output_index']).toBe(count++)
      texts.set((event['item'] as Item).id, '')
    } else if (event.type.endsWith('.delta')) texts.set(id, texts.get(id)! + (event['delta'] as string))
    else if (/\.(?:text|refusal|arguments)\.done$|reasoning_text\.done$/.test(event.type))
      expect(event['text'] ?? event['refusal'] ?? event['arguments']).toBe(texts.get(id))
    else if (event.type === 'response.output_item.done') {
      expect(ended.has(event['output_index'] as number)).toBe(false)
      ended.set(event['output_index'] as number, event['item'])
    }
  }
  const { output } = last(events)
  expect([...ended].sort(([a], [b]) => a - b).map(([, item]) => item)).toEqual(output)
}

describe('a streamed chat completion becomes a streamed Response', () => {
  it('text, event by event', () => {
    const { events, failure } = writeAll(
      writer(),
      chunk({ content: '' }),
      chunk({ content: 'Hel' }),
      chunk({ content: 'lo' }),
      chunk({}, 'stop'),
      usageChunk,
      done,
    )
    expect(failure).toBeUndefined()
    expect(types(events)).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ])
    checkProtocol(events)
    expect(last(events)).toMatchObject({
      id: 'resp_abc123',
      object: 'response',
      created_at: 1_800_000_000,
      status: 'completed',
      model: 'private/m',
      store: true,
      previous_response_id: null,
      output: [
        {
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
        },
      ],
      usage: {
        input_tokens: 30,
        input_tokens_details: { cached_tokens: 10 },
        output_tokens: 12,
        output_tokens_details: { reasoning_tokens: 5 },
        total_tokens: 42,
      },
    })
  })
  it('reasoning, text and interleaved calls, each as an item', () => {
    const { events } = writeAll(
      writer({ include: ['reasoning.encrypted_content'] }),
      chunk({ reasoning: 'hm' }),
      chunk({ content: 'so' }),
      chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'one', arguments: '{' } }] }),
      chunk({ tool_calls: [{ index: 1, id: 'b', function: { name: 'two', arguments: '{"y":' } }] }),
      chunk({
        tool_calls: [
          { index: 0, function: { arguments: '}' } },
          { index: 1, function: { arguments: '2}' } },
        ],
      }),
      chunk({}, 'tool_calls'),
      usageChunk,
      done,
    )
    checkProtocol(events)
    const { output } = last(events)
    expect(output).toMatchObject([
      { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'hm' }] },
      { type: 'message', content: [{ text: 'so' }] },
      { type: 'function_call', call_id: 'a', name: 'one', arguments: '{}', status: 'completed' },
      { type: 'function_call', call_id: 'b', name: 'two', arguments: '{"y":2}', status: 'completed' },
    ])
    expect(readReasoningToken(output[0]!.encrypted_content!)).toEqual({ member: 'reasoning', text: 'hm' })
  })
  it('no reasoning token unless requested, and the namespace of a tool that has one', () => {
    const tools = [{ type: 'namespace', name: 'crm', tools: [{ type: 'function', name: 'find' }] }]
    const { output } = last(
      writeAll(
        writer({ tools }),
        chunk({ reasoning_content: 'hm' }),
        chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'crm__find', arguments: '{}' } }] }),
        done,
      ).events,
    )
    expect(output[0]).not.toHaveProperty('encrypted_content')
    expect(output[1]).toMatchObject({ name: 'find', namespace: 'crm' })
  })
  it.each([
    ['length', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
  ])('%s as an incomplete Response', (finish, reason) => {
    const { events } = writeAll(
      writer(),
      chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'one', arguments: '{"x' } }] }),
      chunk({}, finish),
      done,
    )
    checkProtocol(events)
    expect(events.at(-1)?.type).toBe('response.incomplete')
    expect(last(events)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason },
      output: [{ status: 'incomplete', arguments: '{"x' }],
      usage: null,
    })
  })
  it.each([[{}], [{ arguments: '' }], [{ arguments: ' ' }]])(
    'a call without arguments (%j) as one with an empty object',
    (extra) => {
      const { events } = writeAll(
        writer(),
        chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'one', ...extra } }] }),
        chunk({}, 'tool_calls'),
        done,
      )
      expect(last(events).output).toMatchObject([
        {
          type: 'function_call',
          call_id: 'a',
          arguments: expect.stringMatching(/^\s*\{\}$/) as string,
          status: 'completed',
        },
      ])
      expect(
        events.find(({ type }) => type === 'response.function_call_arguments.done')?.['arguments'],
      ).toMatch(/^\s*\{\}$/)
    },
  )
  it('a refusal as a refusal part', () => {
    const { events } = writeAll(writer(), chunk({ refusal: 'No' }), chunk({ refusal: '.' }), done)
    checkProtocol(events)
    expect(last(events).output).toMatchObject([
      { type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] },
    ])
  })
  it('a comment as a comment', () => {
    expect(writer().push({ text: ': busy\n\n', events: ['waiting'], done: false })).toBe(': waiting\n\n')
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
    ['an event is no JSON', 'service/response-invalid', ['data: {\n\n']],
    [
      'a call never gets a name',
      'service/response-invalid',
      [chunk({ tool_calls: [{ index: 0, id: 'a' }] }), done],
    ],
  ])('fails if %s, with an event that SDKs raise and one that ends the Response', (_why, code, chunks) => {
    const { failure, events } = writeAll(writer(), ...chunks)
    expect(failure).toBe(code)
    // OpenAI's SDK for Python assembles a stream from this event on. If the error comes in any other event, the
    // SDK raises it without a code.
    expect(types(events).slice(0, 2)).toEqual(['created', 'in_progress'])
    expect(events.slice(-2)).toMatchObject([
      { type: 'error', code, param: null },
      { type: 'response.failed', response: { status: 'failed', error: { code } } },
    ])
    expect(events.map((event) => event['sequence_number'])).toEqual(events.map((_, at) => at))
    if (chunks.some((text) => text.includes('too busy')))
      expect(JSON.stringify(events)).toContain('The response contains an error: “too busy”.')
  })
})

describe('any data from the server', () => {
  it('becomes the same reply however it is split', () => {
    fc.assert(
      fc.property(
        answers.chain(({ chunks }) => fc.tuple(fc.constant(chunks.join('')), cutAnywhere(chunks.join('')))),
        ([text, pieces]) => {
          expect(written(writer(), pieces)).toEqual(written(writer(), [Buffer.from(text)]))
        },
      ),
      { numRuns: 150 },
    )
  })
  it('becomes the same reply whole, streamed or as events at once, with parallel pieces in any order', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const { events, failure } = writeAll(writer(), ...answer.chunks)
        expect(failure).toBeUndefined()
        checkProtocol(events)
        const parts = ({ output, status, usage }: Answered): object => ({
          status,
          usage,
          text: output
            .flatMap((item) => (item.type === 'message' ? item.content!.map(({ text }) => text) : []))
            .join(''),
          reasoning: output
            .flatMap((item) => (item.type === 'reasoning' ? item.content!.map(({ text }) => text) : []))
            .join(''),
          calls: output.flatMap((item) =>
            item.type === 'function_call'
              ? [{ id: item.call_id, name: item.name, json: item.arguments }]
              : [],
          ),
        })
        expect(parts(last(events))).toEqual(
          parts(writer().whole(stepOf(completion(answer))) as unknown as Answered),
        )
        const atOnce = parseEvents(writer().push(inOnePiece(completion(answer))))
        checkProtocol(atOnce)
        expect(parts(last(atOnce))).toEqual(parts(last(events)))
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
        '',
      ),
    )
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const { failure } = writeAll(writer(), lines.join('\n'))
        expect(['service/interrupted', 'service/failed', 'service/response-invalid', undefined]).toContain(
          failure,
        )
      }),
      { numRuns: 300 },
    )
  })
  it.each([[{}], [{ choices: [] }], [{ error: 'x' }]])(
    'a whole completion is refused if it is %j',
    (value) => {
      expect(() => inOnePiece(value)).toThrow(SottoError)
    },
  )
})

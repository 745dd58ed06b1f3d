import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AnswerStreamReader } from '../../../../src/core/gateway/answer/index.ts'
import type { AnswerWriter } from '../../../../src/core/gateway/dialect/dialect.ts'
import {
  toOllamaError,
  translateOllamaChat,
  translateOllamaGenerate,
} from '../../../../src/core/gateway/dialect/ollama/index.ts'
import { SottoError } from '../../../../src/shared/errors.ts'
import { errorCodeNames, isErrorCode } from '../../../../src/shared/error-codes.ts'
import type { JsonObject } from '../../../../src/shared/strict-json.ts'
import { answers, chunk, completion, cutAnywhere, done, facts, stepOf, usageChunk } from './stream-pieces.ts'

interface Line {
  message?: {
    role: string
    content: string
    thinking?: string
    tool_calls?: { id: string; function: { name: string; arguments: unknown } }[]
  }
  response?: string
  thinking?: string
  done?: boolean
  done_reason?: string
  error?: string
}

function chatWriter(more: JsonObject = {}, over: Partial<typeof facts> = {}): AnswerWriter {
  const translated = translateOllamaChat({
    model: 'private/m',
    messages: [{ role: 'user', content: 'hello' }],
    ...more,
  })
  if ('reply' in translated) throw new Error('nothing to send')
  return translated.answer({ ...facts, ...over })
}
function generateWriter(): AnswerWriter {
  const translated = translateOllamaGenerate({ model: 'private/m', prompt: 'hello' })
  if ('reply' in translated) throw new Error('nothing to send')
  return translated.answer(facts)
}

/** The lines of a stream that arrives in these pieces. */
function lines(writer: AnswerWriter, pieces: readonly Uint8Array[]): Line[] {
  const reader = new AnswerStreamReader({ usage: true, choices: 1 })
  let text = ''
  try {
    for (const piece of pieces) text += writer.push(reader.push(piece))
    text += writer.push(reader.end())
    if (reader.failure) throw reader.failure
    if (!reader.complete) throw new SottoError('service/interrupted')
  } catch (thrown) {
    if (!(thrown instanceof SottoError)) throw thrown
    text += writer.fail(thrown)
  }
  expect(text.endsWith('\n')).toBe(true)
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}
const write = (writer: AnswerWriter, ...chunks: string[]): Line[] =>
  lines(writer, [Buffer.from(chunks.join(''))])

const head = { model: 'private/m', created_at: '2027-01-15T08:00:00.000Z' }
const counts = {
  total_duration: 0,
  load_duration: 0,
  prompt_eval_count: 30,
  prompt_eval_duration: 0,
  eval_count: 12,
  eval_duration: 1,
}
const text = (content: string, more: object = {}): object => ({
  ...head,
  message: { role: 'assistant', content, ...more },
  done: false,
})
const last = (reason = 'stop'): object => ({
  ...head,
  message: { role: 'assistant', content: '' },
  done: true,
  done_reason: reason,
  ...counts,
})

describe('a streamed reply', () => {
  it('has a line for each piece, and a last line with the counts', () => {
    expect(
      write(
        chatWriter(),
        chunk({ content: '' }),
        chunk({ reasoning_content: 'Hm.' }),
        chunk({ content: 'Hel' }),
        chunk({ content: 'lo' }),
        chunk({}, 'stop'),
        usageChunk,
        done,
      ),
    ).toEqual([text('', { thinking: 'Hm.' }), text('Hel'), text('lo'), last()])
  })
  it('to a prompt has the text as "response"', () => {
    expect(
      write(
        generateWriter(),
        chunk({ reasoning: 'Hm.' }),
        chunk({ content: 'a' }),
        chunk({}, 'length'),
        usageChunk,
        done,
      ),
    ).toEqual([
      { ...head, response: '', thinking: 'Hm.', done: false },
      { ...head, response: 'a', done: false },
      { ...head, response: '', done: true, done_reason: 'length', ...counts },
    ])
  })
  it('omits the thinking if the request turns it off', () => {
    expect(
      write(
        chatWriter({ think: false }),
        chunk({ reasoning_content: 'Hm.' }),
        chunk({ content: 'a' }),
        chunk({}, 'stop'),
        usageChunk,
        done,
      ),
    ).toEqual([text('a'), last()])
  })
  it('has complete calls, with an object as arguments, and an ID if the service gave none', () => {
    const calls = [
      { tool_calls: [{ index: 0, function: { name: 'one', arguments: '{"a"' } }] },
      {
        tool_calls: [
          { index: 0, function: { arguments: ':1}' } },
          { index: 1, id: 'x', function: { name: 'two', arguments: '' } },
        ],
      },
    ]
    expect(
      write(
        chatWriter(),
        chunk({ content: 'Now:' }),
        ...calls.map((delta) => chunk(delta)),
        chunk({}, 'tool_calls'),
        usageChunk,
        done,
      ),
    ).toEqual([
      text('Now:'),
      text('', {
        tool_calls: [
          { id: 'call_abc123_0', function: { index: 0, name: 'one', arguments: { a: 1 } } },
          { id: 'x', function: { index: 1, name: 'two', arguments: {} } },
        ],
      }),
      last(),
    ])
  })
  it('omits a call that the token limit cut off, and fails for a malformed call', () => {
    const cut = chunk({ tool_calls: [{ index: 0, id: 'x', function: { name: 'one', arguments: '{"a"' } }] })
    expect(write(chatWriter(), cut, chunk({}, 'length'), usageChunk, done)).toEqual([last('length')])
    expect(write(chatWriter(), cut, chunk({}, 'tool_calls'), usageChunk, done)).toEqual([
      { error: expect.stringContaining('JSON object') as string },
    ])
  })
  it('lists the sources that the service sends separately from the text', () => {
    const [, sources] = write(
      chatWriter(),
      chunk({ content: 'a' }),
      chunk({}, 'stop', { citations: ['https://a.example/'] }),
      usageChunk,
      done,
    )
    expect(sources?.message?.content).toBe('\n\nSources:\n- https://a.example/')
  })
  it('measures the time to its first text, and the time since', () => {
    let now = 0
    const writer = chatWriter({}, { elapsedMs: () => now })
    const reader = new AnswerStreamReader({ usage: true, choices: 1 })
    const push = (ms: number, content: string): string => {
      now = ms
      return writer.push(reader.push(Buffer.from(content)))
    }
    push(100, chunk({ content: '' }))
    push(250, chunk({ content: 'a' }))
    push(400, chunk({ content: 'b' }))
    const end = push(500.5, chunk({}, 'stop') + usageChunk + done) + writer.push(reader.end())
    expect(JSON.parse(end)).toMatchObject({
      total_duration: 500_500_000,
      prompt_eval_duration: 250_000_000,
      eval_duration: 250_500_000,
    })
  })
})

describe('a reply', () => {
  it('has the same content in one piece and in several pieces', () => {
    fc.assert(
      fc.property(
        answers.chain((answer) => fc.tuple(fc.constant(answer), cutAnywhere(answer.chunks.join('')))),
        ([answer, pieces]) => {
          const whole = chatWriter({ stream: false }).whole(stepOf(completion(answer))) as unknown as Line
          const parts = lines(chatWriter(), pieces)
          expect(parts.map((line) => line.done)).toEqual([...parts.slice(1).map(() => false), true])
          const joined = (member: 'content' | 'thinking'): string =>
            parts.map(({ message }) => message?.[member] ?? '').join('')
          expect(joined('content')).toBe(whole.message?.content)
          expect(joined('thinking')).toBe(whole.message?.thinking ?? '')
          expect(parts.flatMap(({ message }) => message?.tool_calls ?? [])).toEqual(
            whole.message?.tool_calls ?? [],
          )
          expect(
            whole.message?.tool_calls?.map(({ function: called }) => JSON.stringify(called.arguments)) ?? [],
          ).toEqual(
            answer.message.tool_calls?.map(({ function: called }) =>
              JSON.stringify(JSON.parse(called.arguments)),
            ) ?? [],
          )
        },
      ),
    )
  })
  it('is never done after a failure, wherever it is cut off', () => {
    const chunks = [
      chunk({ content: 'a' }),
      chunk({ content: 'b' }),
      chunk({ content: 'c' }),
      chunk({}, 'stop'),
    ].join('')
    const end = chunks.lastIndexOf('data:')
    fc.assert(
      fc.property(fc.nat(end), (cut) => {
        const parts = write(chatWriter(), chunks.slice(0, cut))
        expect(parts.at(-1)).toEqual({ error: new SottoError('service/interrupted').message })
        expect(parts.some((line) => line.done === true)).toBe(false)
      }),
    )
  })
})

describe('an error', () => {
  it.each(errorCodeNames)('%s is a single text', (code) => {
    if (!isErrorCode(code)) throw new Error(code)
    const { error, ...more } = toOllamaError(new SottoError(code))
    expect(error.length).toBeGreaterThan(20)
    expect(more).toEqual({})
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  AnswerStreamReader,
  readWholeAnswer,
  type ChatStep,
} from '../../../../src/core/gateway/answer/index.ts'

const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const delta = (text: string): string => event({ choices: [{ index: 0, delta: { content: text } }] })
const finish = (reason: string, index = 0): string =>
  event({ choices: [{ index, delta: {}, finish_reason: reason }] })
const usage = event({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } })
const done = 'data: [DONE]\n\n'

function run(
  stream: string | Uint8Array,
  {
    cuts = [],
    usage: asked = false,
    choices = 1,
  }: { cuts?: readonly number[]; usage?: boolean; choices?: number } = {},
) {
  const reader = new AnswerStreamReader({ usage: asked, choices })
  const bytes = Buffer.from(stream)
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  const pieces = edges.slice(1).map((edge, at) => reader.push(bytes.subarray(edges[at], edge)))
  pieces.push(reader.end())
  const steps = pieces.flatMap(({ events }): ChatStep[] => events.filter((one) => one !== 'waiting'))
  return {
    reader,
    passed: pieces.map(({ text }) => text).join(''),
    text: steps.map((step) => step.text).join(''),
    steps,
    code: reader.failure?.code,
    detail: reader.failure?.message,
  }
}

describe('a streamed answer', () => {
  it('is the same however the stream is split, and is passed on event by event', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.array(fc.nat()), (texts, cuts) => {
        const stream = `: comment\n\n${texts.map(delta).join('')}${usage}${done}`
        const { passed, reader, text } = run(stream, { cuts, usage: true })
        expect({ passed, text, complete: reader.complete, done: reader.done, usage: reader.usage }).toEqual({
          passed: stream,
          text: texts.join(''),
          complete: true,
          done: true,
          usage: { prompt: 7, completion: 3, total: 10 },
        })
      }),
    )
  })

  it('omits only the usage event that the caller didn’t request', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.nat()), (texts, cuts) => {
        const { passed, reader } = run(`${texts.map(delta).join('')}${usage}${done}`, { cuts })
        expect(passed).toBe(`${texts.map(delta).join('')}${done}`)
        expect(reader.usage).toMatchObject({ prompt: 7, completion: 3 })
      }),
    )
    const both = event({
      choices: [{ delta: { content: 'x' } }],
      usage: { prompt_tokens: 1, completion_tokens: 1 },
    })
    expect(run(both + done, { usage: true }).passed).toBe(both + done)
    expect(run(both + done).passed).toBe(event({ choices: [{ delta: { content: 'x' } }] }) + done)
  })

  it('has every chunk with a choice if each states the usage, without a usage that the caller didn’t request', () => {
    const counts = { prompt_tokens: 7, completion_tokens: 0, total_tokens: 7 }
    const chunks = [
      { choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] },
      { choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: null }] },
      { choices: [{ index: 0, delta: {}, finish_reason: null }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ]
    const counted = chunks.map((chunk) => event({ ...chunk, usage: counts })).join('')
    for (const end of [usage, event({ usage: counts })]) {
      expect(run(counted + end + done).passed).toBe(chunks.map(event).join('') + done)
      expect(run(counted + end + done, { usage: true }).passed).toBe(counted + end + done)
    }
    const sources = { choices: [], citations: ['https://example.org/'] }
    expect(run(event({ ...sources, usage: counts }) + done).passed).toBe(event(sources) + done)
  })

  it('accepts all three line endings and a byte order mark', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const { passed, reader } = run(`${delta('a')}${usage}${done}`.replaceAll('\n', end), {
        cuts: [5, 40, 41],
        usage: true,
      })
      expect({ passed, done: reader.done }).toEqual({ passed: delta('a') + usage + done, done: true })
    }
    expect(run(`\uFEFF${done}`, { cuts: [1, 2] }).reader.done).toBe(true)
  })

  it('isn’t complete because of text that resembles [DONE]', () => {
    for (const stream of [delta('data: [DONE]'), ': [DONE]\n\n', 'event: [DONE]\n\n', delta('a'), usage])
      expect(run(stream).reader.complete).toBe(false)
    expect(run('data: [DONE] \n\n').code).toBe('service/response-invalid')
  })

  it('without [DONE] is complete if every choice has a finish reason, and the caller gets [DONE]', () => {
    const { reader, passed } = run(delta('a') + finish('stop'))
    expect([reader.complete, reader.done, passed]).toEqual([true, false, delta('a') + finish('stop') + done])
    expect(run(finish('stop'), { choices: 2 }).reader.complete).toBe(false)
    for (const reason of ['', 'null']) expect(run(delta('a') + finish(reason)).reader.complete).toBe(false)
    expect(run(finish('stop', 1) + finish('length', 0), { choices: 2 }).reader.complete).toBe(true)
    // Choice numbers beyond the requested count are ignored.
    expect(run(finish('stop', 5) + finish('stop', 0), { choices: 2 }).reader.complete).toBe(false)
  })

  it('omits an incomplete last event, unless it’s [DONE]', () => {
    expect(run(`${delta('a')}data: {"cho`)).toMatchObject({ passed: delta('a'), code: undefined })
    expect(run(`${delta('a')}data: [DONE]`).reader.done).toBe(true)
    expect(run(`${delta('a')}${finish('stop').trimEnd()}`).reader.complete).toBe(false)
    expect(run(`${delta('a')}${done}${delta('b')}`).text).toBe('a')
  })

  it('passes on events that aren’t part of a chat completion', () => {
    const other = 'event: ping\ndata: {"choices":7}\n\n'
    expect(run(`${other}${event({ id: 'x' })}${done}`)).toMatchObject({
      passed: `${other}${event({ id: 'x' })}${done}`,
      code: undefined,
    })
  })

  it('limits an event to 8 MiB', () => {
    expect(run(`data: ${'a'.repeat(9 * 1024 * 1024)}`, { cuts: [1024, 5_000_000] }).code).toBe(
      'service/response-invalid',
    )
  })

  it.each([
    ['data: {"choices"\n\n'],
    ['data: [DONE\n\n'],
    [event({ choices: 'none' })],
    [event({ choices: [null] })],
    [event({ choices: [{ delta: 7 }] })],
    [event({ choices: [{ delta: { content: 7 } }] })],
    [Buffer.from([0x64, 0xff, 0xfe])],
  ])('fails at %j, after the text before it', (broken) => {
    const { code, text } = run(
      Buffer.concat([Buffer.from(delta('before')), Buffer.from(broken), Buffer.from(done)]),
    )
    expect({ code, text }).toEqual({
      code: 'service/response-invalid',
      text: typeof broken === 'string' ? 'before' : '',
    })
  })

  it('of arbitrary events fails with a code or not at all', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { maxLength: 10 }),
        fc.array(fc.nat(), { maxLength: 10 }),
        (values, cuts) => {
          const { reader } = run(
            values
              .map((value) => event({ choices: [{ delta: value }], citations: value, usage: value }))
              .join(''),
            { cuts },
          )
          expect([undefined, 'service/response-invalid']).toContain(reader.failure?.code)
        },
      ),
      { numRuns: 300 },
    )
  })
})

/** The places where an answer of status 200 may report an error. */
const errors: readonly (readonly [string, string, string])[] = [
  ['first', event({ error: { message: 'Too busy', code: 'server_overloaded' } }), ''],
  ['mid-stream', delta('a') + event({ error: { message: 'Too busy', code: 'server_overloaded' } }), 'a'],
  [
    'beside a finish reason',
    delta('a') +
      event({ error: { message: 'Too busy' }, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    'a',
  ],
  ['after every choice ended', delta('a') + finish('stop') + event({ error: { message: 'Too busy' } }), 'a'],
  [
    'in a choice',
    delta('a') + event({ choices: [{ index: 0, delta: {}, error: { message: 'Too busy' } }] }),
    'a',
  ],
  ['as an error event', `${delta('a')}event: error\ndata: {"error":{"message":"Too busy"}}\n\n`, 'a'],
  ['as an error event that is the error', `${delta('a')}event: error\ndata: {"message":"Too busy"}\n\n`, 'a'],
  ['as text', delta('a') + event({ error: 'Too busy' }), 'a'],
]

describe('an error within a streamed answer', () => {
  it.each(errors)('ends it with the service’s message: %s', (_where, stream, before) => {
    for (const end of ['', done]) {
      const { reader, text, passed, detail } = run(stream + end)
      expect(reader.complete).toBe(false)
      expect(reader.failure?.code).toMatch(/^service\//)
      expect(detail).toContain('Too busy')
      expect(text).toBe(before)
      expect(passed).not.toContain('Too busy')
    }
  })

  it('ends it also if only finish_reason reports the error', () => {
    expect(run(delta('a') + finish('error') + done)).toMatchObject({ code: 'service/failed', text: 'a' })
  })

  it('has the code that matches its status', () => {
    const codeOf = (error: unknown): string | undefined => run(event({ error })).code
    expect(codeOf({ message: 'x', code: 429 })).toBe('service/rate-limited')
    expect(codeOf({ message: 'x', code: '402' })).toBe('service/insufficient-balance')
    expect(codeOf({ message: 'x', type: 'insufficient_quota' })).toBe('service/insufficient-balance')
    expect(codeOf({ message: 'x', code: 502 })).toBe('service/unavailable')
    expect(codeOf({ message: 'x', type: 'overloaded_error' })).toBe('service/unavailable')
    const { reader } = run(event({ error: { message: 'Too long', code: 'context_length_exceeded' } }))
    expect([reader.failure?.code, reader.failure?.codeForTools]).toEqual([
      'service/rejected',
      'context_length_exceeded',
    ])
  })

  it('doesn’t repeat a secret', () => {
    expect(run(event({ error: { message: 'Bad key sk-abcdefghijkl' } })).detail).not.toContain(
      'sk-abcdefghijkl',
    )
  })

  it.each([[null], [false], ['']])('isn’t detected in %j', (error) => {
    expect(run(event({ error, choices: [{ delta: { content: 'a' } }] }) + done)).toMatchObject({
      code: undefined,
      text: 'a',
    })
  })
})

describe('an answer that isn’t streamed', () => {
  const read = (value: unknown): ReturnType<typeof readWholeAnswer> =>
    readWholeAnswer(JSON.stringify(value), 'service/interrupted')
  it('is read as one event', () => {
    const value = {
      choices: [
        { message: { role: 'assistant', content: 'Rain.', tool_calls: null }, finish_reason: 'length' },
      ],
      usage: { prompt_tokens: '4', completion_tokens: 2 },
    }
    expect(read(value)).toMatchObject({
      text: JSON.stringify(value),
      done: true,
      usage: { prompt: 4, completion: 2 },
      events: [{ text: 'Rain.', finishReason: 'length' }],
    })
  })
  it('that is truncated fails with the given code', () => {
    expect(() => readWholeAnswer('{"choices":[', 'channel/response-truncated')).toThrow(
      expect.objectContaining({ code: 'channel/response-truncated' }),
    )
  })
  it.each([
    [null],
    [7],
    [[]],
    [{}],
    [{ choices: [] }],
    [{ choices: [{ message: { content: 7 } }] }],
    ['<html>'],
  ])('is refused if it’s %j', (value) => {
    expect(() => read(value)).toThrow(expect.objectContaining({ code: 'service/response-invalid' }))
  })
  it('fails if it’s an error', () => {
    expect(() => read({ error: { message: 'Too busy' } })).toThrow(/Too busy/)
    expect(() => read({ choices: [{ message: { content: 'a' }, finish_reason: 'error' }] })).toThrow(
      expect.objectContaining({ code: 'service/failed' }),
    )
  })
})

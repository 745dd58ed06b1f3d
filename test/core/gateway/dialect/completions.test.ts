import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readStep, type AnswerPiece, type ChatStep } from '../../../../src/core/gateway/answer/index.ts'
import { readGap } from '../../../../src/core/gateway/dialect/completions/gap.ts'
import { translateCompletions } from '../../../../src/core/gateway/dialect/completions/index.ts'
import { SottoError } from '../../../../src/shared/errors.ts'
import type { JsonObject, JsonValue } from '../../../../src/shared/strict-json.ts'

const base: JsonObject = { model: 'private/m', prompt: 'let x =' }
const chat = (more: JsonObject): JsonObject => translateCompletions({ ...base, ...more }).body
const user = (more: JsonObject): JsonValue => (chat(more)['messages'] as JsonObject[])[1]?.['content'] ?? null

describe('a completion becomes a chat completion', () => {
  it('asks to continue the text, with the default limit of the interface', () => {
    expect(chat({})).toEqual({
      model: 'private/m',
      max_completion_tokens: 16,
      messages: [
        { role: 'system', content: expect.stringMatching(/^Continue the text/) as string },
        { role: 'user', content: 'let x =' },
      ],
    })
  })
  it('carries over the settings, and asks a stream for its usage', () => {
    const settings = {
      temperature: 0,
      top_p: 0.5,
      presence_penalty: 1,
      frequency_penalty: 1,
      seed: 7,
      stop: ['\n'],
      user: 'u',
    }
    expect(chat({ ...settings, max_tokens: 99, stream: true })).toMatchObject({
      ...settings,
      max_completion_tokens: 99,
      stream: true,
      stream_options: { include_usage: true },
    })
  })
  it('takes a list of one text as that text', () => {
    expect(user({ prompt: ['one'] })).toBe('one')
  })
  it('asks to fill the gap in front of a suffix', () => {
    expect(user({ suffix: ';\nlog(x)' })).toBe('<before>let x =</before>\n<after>;\nlog(x)</after>')
  })
  it.each([
    ['Qwen', '<|fim_prefix|>A<|fim_suffix|>B<|fim_middle|>'],
    ['StarCoder', '<fim_prefix>A<fim_suffix>B<fim_middle>'],
    ['Code Llama', '<PRE>A<SUF>B<MID>'],
    ['DeepSeek', '<｜fim▁begin｜>A<｜fim▁hole｜>B<｜fim▁end｜>'],
    ['Codestral', '[SUFFIX]B[PREFIX]A'],
  ])('reads the gap from the markers of %s', (_, prompt) => {
    expect(user({ prompt })).toBe('<before>A</before>\n<after>B</after>')
  })
  it('keeps other files in front of the gap, and names what it ignores', () => {
    expect(
      user({ prompt: '<|file_sep|>b.ts\nexport const b = 1\n<|fim_prefix|>A<|fim_suffix|>B<|fim_middle|>' }),
    ).toBe('<before><|file_sep|>b.ts\nexport const b = 1\nA</before>\n<after>B</after>')
    expect(translateCompletions({ ...base, top_k: 5, cache_prompt: true }).ignored).toEqual([
      'top_k',
      'cache_prompt',
    ])
  })
  it('finds both texts again, whatever they are without markers', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '<', '|', '\n', ' ', '>', '中') })
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(readGap(`<|fim_prefix|>${before}<|fim_suffix|>${after}<|fim_middle|>`)).toEqual({
          before,
          after,
        })
        expect(readGap(`${before}${after}`)).toBeUndefined()
      }),
    )
  })
})

describe('a completion is refused by name', () => {
  it.each<[string, JsonObject]>([
    ['prompt', { prompt: ['one', 'two'] }],
    ['prompt', { prompt: [1, 2, 3] }],
    ['n', { n: 2 }],
    ['best_of', { best_of: 3 }],
    ['echo', { echo: true }],
    ['logprobs', { logprobs: 2 }],
    ['logit_bias', { logit_bias: { 50256: -100 } }],
    ['messages', { messages: [] }],
  ])('%s: %j', (param, more) => {
    expect(() => chat(more)).toThrow(
      expect.objectContaining({
        code: 'dialect/unsupported',
        details: expect.objectContaining({ param }) as object,
      }),
    )
  })
  it.each<[string, JsonObject]>([
    ['max_tokens', { max_tokens: 0 }],
    ['prompt', { prompt: 7 }],
    ['temperature', { temperature: 'warm' }],
  ])('and a malformed %s for what it is', (param, more) => {
    expect(() => chat(more)).toThrow(
      expect.objectContaining({
        code: 'proxy/invalid-request',
        details: expect.objectContaining({ param }) as object,
      }),
    )
  })
})

describe('the answer', () => {
  const facts = { id: 'abc', createdAt: 1_800_000_000, privacy: 'sealed', elapsedMs: () => 0 } as const
  const step = (value: object): ChatStep => {
    const read = readStep(value)
    if (!read) throw new Error('no step')
    return read
  }
  const usage = { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 }
  const piece = (...values: object[]): AnswerPiece => ({ text: '', events: values.map(step), done: false })
  const head = { id: 'cmpl-abc', object: 'text_completion', created: 1_800_000_000, model: 'private/m' }
  const events = (text: string): unknown[] =>
    text
      .split('\n\n')
      .filter((line) => line.startsWith('data: {'))
      .map((line) => JSON.parse(line.slice(6)) as unknown)

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['tool_calls', 'stop'],
  ])('in one piece, ended by %s', (reason, finish) => {
    const whole = translateCompletions(base)
      .answer(facts)
      .whole(step({ choices: [{ index: 0, message: { content: ' 1' }, finish_reason: reason }], usage }))
    expect(whole).toEqual({
      ...head,
      choices: [{ index: 0, text: ' 1', logprobs: null, finish_reason: finish }],
      usage,
    })
  })
  it('streams its text, and its usage if it is asked for', () => {
    const writer = translateCompletions({
      ...base,
      stream: true,
      stream_options: { include_usage: true },
    }).answer(facts)
    const text =
      writer.push(
        piece(
          { choices: [{ index: 0, delta: { content: ' 1' } }] },
          { choices: [{ index: 0, delta: { content: '2' }, finish_reason: 'length' }] },
          { choices: [], usage },
        ),
      ) + writer.push({ text: '', events: [], done: true })
    expect(events(text)).toEqual([
      { ...head, choices: [{ index: 0, text: ' 1', logprobs: null, finish_reason: null }] },
      { ...head, choices: [{ index: 0, text: '2', logprobs: null, finish_reason: null }] },
      { ...head, choices: [{ index: 0, text: '', logprobs: null, finish_reason: 'length' }] },
      { ...head, choices: [], usage },
    ])
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  })
  it('names its failure inside the stream, and no usage without being asked', () => {
    const writer = translateCompletions({ ...base, stream: true }).answer(facts)
    expect(
      events(
        writer.push(
          piece({ choices: [{ index: 0, delta: { content: '' }, finish_reason: 'stop' }], usage }),
        ) + writer.push({ text: '', events: [], done: true }),
      ),
    ).toHaveLength(1)
    expect(events(writer.fail(new SottoError('service/interrupted')))).toEqual([
      { error: expect.objectContaining({ code: 'service/interrupted', param: null }) as object },
    ])
  })
})

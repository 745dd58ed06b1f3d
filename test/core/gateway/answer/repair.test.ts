import { describe, expect, it } from 'vitest'
import {
  AnswerStreamReader,
  CallReader,
  readWholeAnswer,
  type ChatStep,
} from '../../../../src/core/gateway/answer/index.ts'

const DONE = 'data: [DONE]\n\n'
const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const delta = (message: unknown, rest: object = {}): string =>
  event({ choices: [{ index: 0, delta: message, ...rest }] })

function read(stream: string, model?: string) {
  const reader = new AnswerStreamReader({
    usage: true,
    choices: 1,
    ...(model !== undefined && { model: { id: model } }),
  })
  const pieces = [reader.push(Buffer.from(stream)), reader.end()]
  const steps = pieces.flatMap(({ events }) => events).filter((step): step is ChatStep => step !== 'waiting')
  return { passed: pieces.map(({ text }) => text).join(''), steps, reader }
}

describe('callers of chat completions get one form', () => {
  it.each([
    [
      'an index as text',
      event({ choices: [{ index: '0', delta: { content: 'a' } }] }),
      delta({ content: 'a' }),
    ],
    [
      'a call’s index as text',
      delta({ tool_calls: [{ index: '1', id: 'c', function: { name: 'f', arguments: '{}' } }] }),
      delta({ tool_calls: [{ index: 1, id: 'c', function: { name: 'f', arguments: '{}' } }] }),
    ],
    [
      'arguments as an object',
      delta({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: { city: 'Oslo' } } }] }),
      delta({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{"city":"Oslo"}' } }] }),
    ],
    [
      'content as parts',
      delta({
        content: [
          { type: 'text', text: 'a' },
          { type: 'output_text', text: 'b' },
        ],
      }),
      delta({ content: 'ab' }),
    ],
    [
      'content as parts with reasoning',
      delta({
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'a' },
        ],
      }),
      delta({ content: 'a', reasoning_content: 'hm' }),
    ],
  ])('%s', (_what, sent, passed) => {
    expect(read(sent + DONE).passed).toBe(passed + DONE)
  })
  it.each([
    [
      'parts that aren’t text',
      delta({
        content: [
          { type: 'text', text: 'a' },
          { type: 'image_url', image_url: { url: 'data:,x' } },
        ],
      }),
    ],
    [
      'what needs no repair, byte for byte',
      'data: { "choices":[ {"index":0,"delta":{"content":"a"},"x":1.0} ] }\n\n',
    ],
  ])('but not of %s', (_what, sent) => {
    expect(read(sent + DONE).passed).toBe(sent + DONE)
  })
  it('of a stream without [DONE] too', () => {
    expect(read(delta({}, { index: '0', finish_reason: 'stop' })).passed).toBe(
      `${event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}${DONE}`,
    )
  })
  it('of a whole answer too, in which arguments are an object', () => {
    const { text, events } = readWholeAnswer(
      JSON.stringify({
        model: 'lento',
        choices: [
          {
            index: '0',
            message: {
              content: [{ type: 'text', text: 'a' }],
              tool_calls: [{ id: 'c', function: { name: 'f', arguments: { a: 1 } } }],
            },
            finish_reason: 'tool_calls',
          },
        ],
      }),
      'service/interrupted',
      { id: 'private/lento' },
    )
    expect(JSON.parse(text)).toEqual({
      model: 'private/lento',
      choices: [
        {
          index: 0,
          message: { content: 'a', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{"a":1}' } }] },
          finish_reason: 'tool_calls',
        },
      ],
    })
    expect(events).toMatchObject([{ model: 'private/lento', text: 'a', finishReason: 'tool_calls' }])
  })
})

it('calls whose index is text are two calls', () => {
  const { steps } = read(
    delta({ tool_calls: [{ index: '0', id: 'a', function: { name: 'f', arguments: '{"x":' } }] }) +
      delta({ tool_calls: [{ index: '1', id: 'b', function: { name: 'g', arguments: '{' } }] }) +
      delta({ tool_calls: [{ index: '0', function: { arguments: '1}' } }] }) +
      delta({ tool_calls: [{ index: '1', function: { arguments: '}' } }] }) +
      DONE,
  )
  const calls = new CallReader(String)
  const written = ['', '']
  for (const call of steps.flatMap((step) => calls.read(step.calls)))
    if (call.kind === 'arguments') written[call.call] = `${written[call.call] ?? ''}${call.text}`
  expect(written).toEqual(['{"x":1}', '{}'])
})

it.each([
  ['private/lento', 'lento', 'private/lento'],
  ['openai/gpt-5', 'gpt-5', 'openai/gpt-5'],
  ['openai/gpt-5', 'openai/gpt-5', 'openai/gpt-5'],
  ['auto', 'openai/gpt-5', 'openai/gpt-5'],
])('asked for %s and answered by %s, the name is %s', (asked, answered, name) => {
  const { passed, steps } = read(
    event({ model: answered, choices: [{ index: 0, delta: { content: 'a' } }] }) + DONE,
    asked,
  )
  expect(passed).toContain(`"model":"${name}"`)
  expect(steps[0]?.model).toBe(name)
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  AnswerStreamReader,
  readWholeAnswer,
  type AnswerPiece,
} from '../../../../src/core/gateway/answer/index.ts'
import { AnswerContent } from '../../../../src/core/conversations/answer/answer-content.ts'

const encoder = new TextEncoder()
const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const chunk = (delta: object, rest: object = {}) => ({
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: null }],
  ...rest,
})

/** An answer that comes cut at these places. */
function read(
  contentType: 'application/json' | 'text/event-stream',
  body: string,
  cuts: readonly number[] = [],
) {
  const bytes = encoder.encode(body)
  const ends = [...new Set([...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].toSorted(
    (a, b) => a - b,
  )
  const content = new AnswerContent()
  let [text, reasoning] = ['', '']
  const tools: string[] = []
  const take = ({ events }: AnswerPiece): void => {
    for (const step of events) {
      if (step === 'waiting') continue
      const delta = content.add(step)
      text += delta.text
      reasoning += delta.reasoning
      tools.push(...delta.tools)
    }
  }
  if (contentType === 'application/json') take(readWholeAnswer(body, 'service/interrupted'))
  else {
    const reader = new AnswerStreamReader({ usage: false, choices: 1 })
    for (const [at, end] of ends.entries()) take(reader.push(bytes.subarray(ends[at - 1] ?? 0, end)))
    take(reader.end())
  }
  return { text, reasoning, tools, ...content.parts() }
}

const stream = [
  chunk({ role: 'assistant', reasoning_content: 'Hm. ' }),
  chunk({ content: 'It is ', reasoning: 'other' }),
  chunk({ content: 'raining €.' }),
  chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'weather', arguments: '{"city"' } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: ':"Turin"}' } }] }),
  chunk({
    annotations: [
      { type: 'url_citation', url_citation: { url: 'https://a.example/', start_index: 0, end_index: 5 } },
    ],
  }),
  {
    choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }],
    citations: ['https://b.example/'],
    search_results: [{ url: 'https://b.example/', title: 'B' }],
  },
]
  .map(event)
  .join(': alive\n\n')
const wanted = {
  text: 'It is raining €.',
  reasoning: 'Hm. ',
  tools: ['weather'],
  end: 'tool-calls',
  toolCalls: [{ id: 'c', name: 'weather', arguments: '{"city":"Turin"}' }],
  citations: [
    { url: 'https://a.example/', marks: [5] },
    { url: 'https://b.example/', title: 'B' },
  ],
}

describe('an answer', () => {
  it('is the same however the stream is split', () => {
    expect(read('text/event-stream', `${stream}data: [DONE]\n\n`)).toEqual(wanted)
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 40 }), (cuts) => {
        expect(read('text/event-stream', `${stream}data: [DONE]\n\n`, cuts)).toEqual(wanted)
      }),
      { numRuns: 200 },
    )
  })
  it('is read from a response that isn’t streamed', () => {
    const message = {
      role: 'assistant',
      content: 'Rain.',
      tool_calls: null,
      annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.example/' } }],
    }
    expect(
      read('application/json', JSON.stringify({ choices: [{ message, finish_reason: 'length' }] }), [7, 30]),
    ).toEqual({
      text: 'Rain.',
      reasoning: '',
      tools: [],
      end: 'length',
      citations: [{ url: 'https://a.example/' }],
    })
  })
  it('lists its parts that aren’t shown, and whether it’s a refusal', () => {
    const message = {
      content: [
        { type: 'text', text: 'a' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,BB==' } },
      ],
      audio: { data: 'AA==' },
    }
    expect(read('application/json', JSON.stringify({ choices: [{ message }] }))).toMatchObject({
      text: 'a',
      unshown: [
        { type: 'image/png', count: 2 },
        { type: 'audio', count: 1 },
      ],
    })
    expect(
      read('text/event-stream', event(chunk({ refusal: 'No' })) + event(chunk({ refusal: '.' }))),
    ).toMatchObject({ text: 'No.', end: 'refused' })
  })
  it('lists at most twenty kinds of parts', () => {
    const content = Array.from({ length: 100 }, (_, index) => ({ type: `kind-${String(index)}` }))
    expect(
      read('application/json', JSON.stringify({ choices: [{ message: { content } }] })).unshown,
    ).toHaveLength(20)
  })
})

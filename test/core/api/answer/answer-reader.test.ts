import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AnswerReader } from '../../../../src/core/api/answer/answer-reader.ts'

const encoder = new TextEncoder()
const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const chunk = (delta: object, rest: object = {}) => ({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: null }], ...rest })

/** The whole of an answer that comes cut at these places. */
function read(contentType: 'application/json' | 'text/event-stream', body: string, cuts: readonly number[] = []) {
  const bytes = encoder.encode(body)
  const ends = [...new Set([...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].toSorted((a, b) => a - b)
  const reader = new AnswerReader(contentType)
  let [text, reasoning, from] = ['', '', 0]
  const tools: string[] = []
  const take = (delta: ReturnType<AnswerReader['read']>) => {
    text += delta.text
    reasoning += delta.reasoning
    tools.push(...delta.tools)
  }
  for (const end of ends) {
    take(reader.read(bytes.subarray(from, end)))
    from = end
  }
  take(reader.end())
  return { text, reasoning, tools, ...reader.parts() }
}

const stream = [
  chunk({ role: 'assistant', reasoning_content: 'Hm. ' }),
  chunk({ content: 'It is ', reasoning: 'other' }),
  chunk({ content: 'raining €.' }),
  chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'weather', arguments: '{"city"' } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: ':"Turin"}' } }] }),
  chunk({ annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.example/', start_index: 0, end_index: 5 } }] }),
  { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }], citations: ['https://b.example/'], search_results: [{ url: 'https://b.example/', title: 'B' }] },
].map(event).join(': alive\n\n')
const wanted = {
  text: 'It is raining €.', reasoning: 'Hm. ', tools: ['weather'], end: 'tool-calls',
  toolCalls: [{ id: 'c', name: 'weather', arguments: '{"city":"Turin"}' }],
  citations: [{ url: 'https://a.example/', marks: [5] }, { url: 'https://b.example/', title: 'B' }],
}

describe('an answer', () => {
  it('is the same wherever it is cut', () => {
    expect(read('text/event-stream', `${stream}data: [DONE]\n\n`)).toEqual(wanted)
    fc.assert(fc.property(fc.array(fc.nat(), { maxLength: 40 }), (cuts) => {
      expect(read('text/event-stream', `${stream}data: [DONE]\n\n`, cuts)).toEqual(wanted)
    }), { numRuns: 200 })
  })
  it('in one piece is read as well', () => {
    const message = { role: 'assistant', content: 'Rain.', tool_calls: null, annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.example/' } }] }
    expect(read('application/json', JSON.stringify({ choices: [{ message, finish_reason: 'length' }] }), [7, 30])).toEqual({ text: 'Rain.', reasoning: '', tools: [], end: 'length', citations: [{ url: 'https://a.example/' }] })
  })
  it('that says nothing of the known form says nothing', () => {
    for (const odd of [null, 7, 'x', [], {}, { choices: 'none' }, { choices: [] }, { choices: [null] }, { choices: [{ delta: 7 }] }, { choices: [{ delta: { content: { text: 'x' }, tool_calls: 'x', annotations: 7 } }] }]) {
      expect(read('text/event-stream', event(odd))).toEqual({ text: '', reasoning: '', tools: [] })
    }
  })
  it('that is no JSON is told as such', () => {
    expect(() => read('text/event-stream', 'data: {"choices"\n\n')).toThrow(expect.objectContaining({ code: 'service/response-invalid' }))
    expect(() => read('application/json', '<html>')).toThrow(expect.objectContaining({ code: 'service/response-invalid' }))
  })
  it('of any events at all throws nothing', () => {
    fc.assert(fc.property(fc.array(fc.jsonValue(), { maxLength: 10 }), (values) => {
      read('text/event-stream', values.map((delta) => event({ choices: [{ delta }], citations: delta })).join(''))
    }), { numRuns: 300 })
  })
})

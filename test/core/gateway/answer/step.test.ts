import { describe, expect, it } from 'vitest'
import { readStep } from '../../../../src/core/gateway/answer/index.ts'

const read = (message: object, more: object = {}) =>
  readStep({ choices: [{ index: 0, message, finish_reason: 'stop' }], ...more })

describe('readStep', () => {
  it('reads the text, as a string or in parts', () => {
    expect(read({ content: 'a' })).toMatchObject({ text: 'a', parts: [] })
    expect(
      read({
        content: [{ type: 'text', text: 'a' }, 'b', { type: 'output_text', text: 'c' }, { text: 'd' }],
      }),
    ).toMatchObject({ text: 'abcd', parts: [] })
  })
  it('reads the reasoning from any known member', () => {
    expect(read({ reasoning_content: 'r', content: 'a' })?.reasoning.reasoning_content).toBe('r')
    expect(read({ reasoning: 'r' })?.reasoning.reasoning).toBe('r')
    expect(
      read({
        reasoning_details: [
          { type: 'reasoning.text', text: 'r' },
          { type: 'reasoning.summary', summary: 's' },
          { type: 'reasoning.encrypted', data: 'x' },
        ],
      }),
    ).toMatchObject({ reasoning: { reasoning: 'rs' }, parts: [] })
    expect(
      read({
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'r' }] },
          { type: 'text', text: 'a' },
        ],
      }),
    ).toMatchObject({ text: 'a', reasoning: { reasoning: 'r' } })
    // A server that writes both means the same text.
    expect(
      read({ reasoning: 'r', reasoning_details: [{ type: 'reasoning.text', text: 'r' }] })?.reasoning
        .reasoning,
    ).toBe('r')
  })
  it('reads a refusal', () => {
    expect(read({ refusal: 'No.' })).toMatchObject({ text: '', refusal: 'No.' })
    expect(read({ content: [{ type: 'refusal', refusal: 'No.' }] })).toMatchObject({ refusal: 'No.' })
  })
  it('reads image, audio and unknown parts', () => {
    expect(
      read({ images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] })?.parts,
    ).toEqual([{ type: 'image_url', url: 'data:image/png;base64,AA==' }])
    expect(
      read({
        content: [
          { type: 'image_url', image_url: { url: 'https://a.example/x.png' } },
          { type: 'video', x: 1 },
        ],
      })?.parts,
    ).toEqual([{ type: 'image_url', url: 'https://a.example/x.png' }, { type: 'video' }])
    expect(read({ content: null, audio: { id: 'a', data: 'AA==', transcript: 'Hello' } })).toMatchObject({
      text: 'Hello',
      parts: [{ type: 'audio' }],
    })
    expect(read({ content: [{ type: 'later', text: 'x' }, 7] })?.parts).toEqual([
      { type: 'later' },
      { type: 'unknown' },
    ])
  })
  it('reads sources in every known form', () => {
    const annotations = [
      {
        type: 'url_citation',
        url_citation: { url: 'https://a.example/', title: 'A', start_index: 0, end_index: 5 },
      },
      { type: 'url_citation', url: 'https://b.example/', content: 'x' },
      7,
      { title: 'none' },
    ]
    expect(
      read(
        { content: 'abcdef', annotations },
        { citations: ['https://c.example/'], search_results: [{ url: 'https://d.example/' }] },
      )?.sources.map(({ url, title, excerpt, mark }) => [url, title, excerpt, mark]),
    ).toEqual([
      ['https://c.example/', undefined, undefined, undefined],
      ['https://d.example/', undefined, undefined, undefined],
      ['https://a.example/', 'A', undefined, 5],
      ['https://b.example/', undefined, 'x', undefined],
    ])
  })
  it('reads the text although other members are malformed', () => {
    expect(
      readStep({
        model: 7,
        id: [],
        system_fingerprint: {},
        service_tier: 9,
        choices: [
          { index: null, delta: { content: 'a', role: 5, extra: [] }, finish_reason: 0, logprobs: 'x' },
        ],
        usage: 'none',
        citations: 7,
      }),
    ).toMatchObject({ text: 'a', model: undefined, usage: undefined, sources: [] })
  })
  it('reads the first choice, and lists all choices that ended', () => {
    expect(
      readStep({ choices: [{ index: 1, delta: { content: 'b' }, finish_reason: 'stop' }] }),
    ).toMatchObject({ text: '', finished: [1] })
  })
})

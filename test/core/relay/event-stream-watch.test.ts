import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventStreamWatch, usageOf } from '../../../src/core/relay/event-stream-watch.ts'

const delta = (text: string): string => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}\n\n`
const usage = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } })}\n\n`
const done = 'data: [DONE]\n\n'

function run(stream: string, cuts: number[], dropUsageEvent: boolean): { passed: string; watch: EventStreamWatch } {
  const watch = new EventStreamWatch({ dropUsageEvent })
  const bytes = Buffer.from(stream)
  const passed: Uint8Array[] = []
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  for (let at = 1; at < edges.length; at++) passed.push(watch.push(bytes.subarray(edges[at - 1], edges[at])))
  passed.push(watch.end())
  return { passed: Buffer.concat(passed).toString(), watch }
}

describe('EventStreamWatch', () => {
  it('passes every byte on, however the stream is cut', () => {
    fc.assert(fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.array(fc.nat()), (texts, cuts) => {
      const stream = `: comment\n\n${texts.map(delta).join('')}${usage}${done}`
      const { passed, watch } = run(stream, cuts, false)
      expect(passed).toBe(stream)
      expect(watch.done).toBe(true)
      expect(watch.usage).toEqual({ prompt: 7, completion: 3 })
    }))
  })

  it('takes out the usage event that the caller had not asked for, and only that', () => {
    fc.assert(fc.property(fc.array(fc.string()), fc.array(fc.nat()), (texts, cuts) => {
      const { passed, watch } = run(`${texts.map(delta).join('')}${usage}${done}`, cuts, true)
      expect(passed).toBe(`${texts.map(delta).join('')}${done}`)
      expect(watch.usage).toEqual({ prompt: 7, completion: 3 })
    }))
  })

  it('keeps an event that carries both text and usage', () => {
    const both = `data: ${JSON.stringify({ choices: [{ delta: { content: 'x' } }], usage: { prompt_tokens: 1, completion_tokens: 1 } })}\n\n`
    const { passed, watch } = run(both + done, [], true)
    expect(passed).toBe(both + done)
    expect(watch.usage).toEqual({ prompt: 1, completion: 1 })
  })

  it('is not done by words that only look so', () => {
    for (const stream of [delta('data: [DONE]'), ': [DONE]\n\n', 'data: [DONE] \n\n', 'event: [DONE]\n\n', 'data: [DONE]\ndata: x\n\n']) {
      expect(run(stream, [], true).watch.done).toBe(false)
    }
  })

  it('reads all three line endings', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const stream = (delta('a') + usage + done).replaceAll('\n', end)
      const { passed, watch } = run(stream, [5, 40, 41], false)
      expect(passed).toBe(stream)
      expect(watch).toMatchObject({ done: true, usage: { prompt: 7, completion: 3 } })
    }
  })

  it('reads an end of line that is cut, or of another kind than the one before it', () => {
    for (const ends of [['\n', '\r\n'], ['\r\n', '\n'], ['\r\n', '\r'], ['\r', '\r\n'], ['\n', '\r']]) {
      const [a, b] = ends.map((end) => (delta('a') + usage).replaceAll('\n', end))
      const stream = a! + b! + done
      for (let cut = 0; cut <= stream.length; cut++) {
        const { passed, watch } = run(stream, [cut], true)
        expect(passed).toBe(ends.map((end) => delta('a').replaceAll('\n', end)).join('') + done)
        expect(watch).toMatchObject({ done: true, usage: { prompt: 7, completion: 3 } })
      }
    }
  })

  it('passes an event on as soon as its empty line is there', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const watch = new EventStreamWatch({ dropUsageEvent: true })
      const event = Buffer.from(delta('a').replaceAll('\n', end))
      for (const byte of event.subarray(0, -end.length)) expect(watch.push(Buffer.from([byte]))).toHaveLength(0)
      expect(Buffer.from(watch.push(event.subarray(-end.length))).toString()).toBe(event.toString())
    }
  })

  it('ends without an event that has no end, unless that says [DONE]', () => {
    expect(run(`${delta('a')}data: {"cho`, [], true).passed).toBe(delta('a'))
    expect(run(`${delta('a')}data: [DONE]`, [], true)).toMatchObject({ passed: `${delta('a')}data: [DONE]`, watch: { done: true } })
    expect(run(`${delta('a')}${done}: bye`, [], true).passed).toBe(`${delta('a')}${done}: bye`)
  })

  it('reads past a byte order mark', () => {
    expect(run(`\uFEFF${done}`, [1, 2], true)).toMatchObject({ passed: `\uFEFF${done}`, watch: { done: true } })
  })

  it('passes on an event that is larger than any honest one, and what comes after it', () => {
    const watch = new EventStreamWatch({ dropUsageEvent: true })
    const piece = Buffer.alloc(1024 * 1024, 0x61)
    let passed = 0
    for (let count = 1; count <= 20; count++) {
      passed += watch.push(piece).byteLength
      // No more than the limit is ever held.
      expect(count * piece.byteLength - passed).toBeLessThanOrEqual(8 * 1024 * 1024)
    }
    expect(passed).toBe(20 * piece.byteLength)
    expect(Buffer.from(watch.push(Buffer.from('\n'))).toString()).toBe('\n')
    expect(Buffer.from(watch.push(Buffer.from(`\n${usage}${done}`))).toString()).toBe(`\n${done}`)
    expect(watch).toMatchObject({ done: true, usage: { prompt: 7, completion: 3 } })
  })

  it.each([[null], [{}], [{ usage: { prompt_tokens: -1, completion_tokens: 1 } }], [{ usage: { prompt_tokens: 1.5, completion_tokens: 1 } }], [{ usage: { prompt_tokens: '1', completion_tokens: 1 } }]])('finds no usage in %j', (answer) => {
    expect(usageOf(answer)).toBeUndefined()
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  RoutingReceiptReader,
  routingReceiptsOfHeaders,
  type RoutingReceiptFound,
} from '../../../src/verifier/service-enclave/index.ts'
import { verifyReceipt, textOf } from './minted-receipt.ts'

const RECEIPT = ': ppq-routing-receipt '
const SIGNATURE = ': ppq-routing-receipt-sig '
const NONE: RoutingReceiptFound = { receipts: [], afterData: false }

function read(...chunks: readonly (string | Uint8Array)[]): RoutingReceiptFound {
  const reader = new RoutingReceiptReader()
  for (const chunk of chunks) reader.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  return reader.found()
}

describe('a receipt in an event stream', () => {
  const stream = `: PPQ.AI PROCESSING\n\n${RECEIPT}{"v":2}\n${SIGNATURE}{"alg":"x"}\n\ndata: {"a":1}\n\ndata: [DONE]\n\n`
  const expected: RoutingReceiptFound = {
    receipts: [{ json: '{"v":2}', signature: '{"alg":"x"}' }],
    afterData: false,
  }

  it('is found ahead of the first data, also after a keep-alive', () => {
    expect(read(stream)).toEqual(expected)
    expect(read(`${RECEIPT}{"v":2}\n`)).toEqual({ receipts: [{ json: '{"v":2}' }], afterData: false })
    expect(read(': PPQ.AI PROCESSING\n\ndata: x\n')).toEqual(NONE)
    expect(read()).toEqual(NONE)
  })

  it('is found with each line end, and after a byte order mark', () => {
    for (const end of ['\n', '\r', '\r\n']) {
      expect(read(stream.replaceAll('\n', end))).toEqual(expected)
      expect(read(`\ufeff${stream.slice(stream.indexOf(RECEIPT)).replaceAll('\n', end)}`)).toEqual(expected)
    }
    // It’s none of the first line only.
    expect(read(`\n\ufeff${RECEIPT}{}\n`)).toEqual(NONE)
    expect(read(`\ufeff\ufeff${RECEIPT}{}\n`)).toEqual(NONE)
    expect(read(`\ufeffdata: x\n${RECEIPT}{}\n`)).toEqual({ receipts: [], afterData: true })
  })

  it('has a line of its own, and its end', () => {
    for (const text of [
      ` ${RECEIPT}{}\n`,
      `x${RECEIPT}{}\n`,
      `: x${RECEIPT}{}\n`,
      ':ppq-routing-receipt {}\n',
      `${RECEIPT}{}`,
      ': PPQ-ROUTING-RECEIPT {}\n',
      ': ppq-routing-receipts {}\n',
    ])
      expect(read(text)).toEqual(NONE)
  })

  it('that comes after data is only noticed', () => {
    for (const late of [`${RECEIPT}{}\n`, RECEIPT, `${SIGNATURE}{}\n`]) {
      for (const data of ['data: x\n\n', 'data\n', 'data:\r', `data: ${'x'.repeat(200_000)}\r\n`])
        expect(read(data + late)).toEqual({ receipts: [], afterData: true })
    }
    expect(read(`${stream}${RECEIPT}{}\n`)).toEqual({ ...expected, afterData: true })
    // Data that contains one, and lines that only begin like data.
    expect(read(`data: ${RECEIPT}{}\ndata: x ${RECEIPT}\n`)).toEqual(NONE)
    expect(read(`datax: y\n${RECEIPT}{}\n`)).toEqual({ receipts: [{ json: '{}' }], afterData: false })
    expect(read(`event: data:\nid: 1\n${RECEIPT}{}\n`)).toEqual({
      receipts: [{ json: '{}' }],
      afterData: false,
    })
  })

  it('counts twice at most', () => {
    expect(read(`${RECEIPT}{"a":1}\n${RECEIPT}{"b":1}\n${SIGNATURE}s\n${RECEIPT}{"c":1}\n`)).toEqual({
      receipts: [{ json: '{"a":1}' }, { json: '{"b":1}', signature: 's' }],
      afterData: false,
    })
  })

  it('has one signature, on a line after it', () => {
    const refusal = (text: string) => verifyReceipt('', { found: read(text) }).refusal
    expect(refusal(`${SIGNATURE}{}\n`)).toBe('malformed')
    expect(refusal(`${SIGNATURE}{}\n${RECEIPT}${textOf()}\n`)).toBe('repeated')
    expect(refusal(`${RECEIPT}${textOf()}\n${SIGNATURE}{}\n${SIGNATURE}{}\n`)).toBe('repeated')
  })

  it('that isn’t UTF-8 is refused', () => {
    const found = read(Buffer.concat([Buffer.from(RECEIPT), Buffer.of(0xff), Buffer.from('\n')]))
    expect(verifyReceipt('', { found })).toEqual({ state: 'refused', refusal: 'malformed' })
  })

  it('is looked for in the first 64 KiB', () => {
    const line = `${RECEIPT}{}\n`
    const filled = (length: number) => `:${'x'.repeat(length - 1)}\n`
    expect(read(filled(64 * 1024 - line.length + 1) + line).receipts).toHaveLength(1)
    expect(read(filled(64 * 1024 - line.length + 2) + line)).toEqual(NONE)
    expect(read(`${line}${filled(70_000)}${line}`).receipts).toHaveLength(1)
    expect(verifyReceipt('', { found: read(`${RECEIPT}${'x'.repeat(20_000)}\n`) }).refusal).toBe('malformed')
  })

  it('isn’t taken out of memory that the caller uses again', () => {
    const reader = new RoutingReceiptReader()
    const chunk = Buffer.from(`${RECEIPT}{"v":2}`)
    reader.push(chunk)
    chunk.fill(0)
    reader.push(Buffer.from('\n'))
    expect(reader.found().receipts).toEqual([{ json: '{"v":2}' }])
  })
})

/** By splitting the whole text: another way to the same result. */
function reference(text: string): RoutingReceiptFound {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
  const isData = (line: string) => line === 'data' || line.startsWith('data:')
  // The last one has no end; as data it counts from its colon on.
  const first = lines.findIndex(
    (line, index) => isData(line) && (index < lines.length - 1 || line !== 'data'),
  )
  const head = first < 0 ? lines.slice(0, -1) : lines.slice(0, first)
  const receipts: { json: string; signature?: string }[] = []
  for (const line of head) {
    const last = receipts.at(-1)
    if (line.startsWith(RECEIPT)) receipts.push({ json: line.slice(RECEIPT.length) })
    else if (line.startsWith(SIGNATURE) && last && last.signature === undefined)
      last.signature = line.slice(SIGNATURE.length)
    else if (line.startsWith(SIGNATURE)) receipts.push({ json: '', signature: line.slice(SIGNATURE.length) })
    if (receipts.length === 2) break
  }
  return {
    receipts,
    afterData: first >= 0 && lines.slice(first + 1).some((line) => line.startsWith(': ppq-routing-receipt')),
  }
}

describe('whatever the stream is', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '\n',
      '\r',
      '\r\n',
      '\n\n',
      RECEIPT,
      SIGNATURE,
      ': ppq-routing',
      'data',
      'data:',
      'data: {"x":1}',
      ':',
      ': PPQ.AI PROCESSING',
      '{"v":2}',
      '{"é":"模型"}',
      'event: x',
      '\ufeff',
    ),
    fc.string({ maxLength: 5 }),
  )
  const text = fc
    .array(piece, { maxLength: 20 })
    .map((pieces) => pieces.join(''))
    .filter((joined) => joined.isWellFormed())
  const cuts = fc.array(fc.nat(200), { maxLength: 20 })
  const chunksOf = (bytes: Buffer, at: readonly number[]): Buffer[] => {
    const ends = [...new Set(at.map((cut) => Math.min(cut, bytes.length)))].sort((a, b) => a - b)
    return [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
  }

  it('the same is found in any chunks, and by splitting the whole text', () => {
    fc.assert(
      fc.property(text, cuts, (stream, at) => {
        const bytes = Buffer.from(stream)
        const whole = read(bytes)
        expect(read(...chunksOf(bytes, at))).toEqual(whole)
        expect(read(...Array.from(bytes, (byte) => Buffer.of(byte)))).toEqual(whole)
        expect(whole).toEqual(reference(stream))
      }),
      { numRuns: 2000 },
    )
  })

  it('bytes of any kind are read without an error', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 10 }), (chunks) => {
        expect(read(...chunks)).toEqual(read(Buffer.concat(chunks)))
      }),
    )
  })
})

describe('a receipt in headers', () => {
  const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64')
  const headers = (receipt: string | null, signature: string | null = null) =>
    routingReceiptsOfHeaders(
      (name) =>
        new Map([
          ['ppq-routing-receipt', receipt],
          ['ppq-routing-receipt-sig', signature],
        ]).get(name) ?? null,
    )
  const refusal = (found: RoutingReceiptFound) => verifyReceipt('', { found }).refusal

  it('is base64 of its text, with letters of any alphabet', () => {
    const json = textOf({ requested_model: '模型/é' })
    expect(headers(base64(json), '{"alg":"x"}')).toEqual({
      receipts: [{ json, signature: '{"alg":"x"}' }],
      afterData: false,
    })
    expect(headers(base64(json))).toEqual({ receipts: [{ json }], afterData: false })
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 }), (text) => {
        expect(headers(base64(text)).receipts).toEqual([{ json: text }])
      }),
    )
  })

  it('can be missing; a signature is nothing without it', () => {
    expect(headers(null)).toEqual(NONE)
    expect(headers(null, '{}')).toEqual(NONE)
  })

  it('is refused if it isn’t base64 of UTF-8, is over 16 KiB, or comes twice', () => {
    for (const bad of [
      '',
      '{}',
      base64(textOf()).replace(/.$/, '!'),
      base64(Buffer.of(0xff)),
      base64(' '.repeat(16 * 1024 + 3) + textOf()),
    ])
      expect(refusal(headers(bad))).toBe('malformed')
    expect(refusal(headers(`${base64(textOf())}, ${base64(textOf())}`))).toBe('repeated')
  })

  it('is looked up by names in lower case', () => {
    const asked: string[] = []
    routingReceiptsOfHeaders((name) => {
      asked.push(name)
      return 'e30='
    })
    expect(asked).toEqual(['ppq-routing-receipt', 'ppq-routing-receipt-sig'])
  })
})

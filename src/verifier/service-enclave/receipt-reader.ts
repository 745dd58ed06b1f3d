import { decodeBase64 } from '../base64.ts'
import { MAX_RECEIPT_BYTES } from './limits.ts'
import type { RoutingReceiptFound } from './types.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
/** In the place of a receipt that can't be read: no JSON, so it's refused as malformed. */
const UNREADABLE = ''

type Receipt = RoutingReceiptFound['receipts'][number]

/**
 * Finds the receipt of an answer that wasn't streamed: `Ppq-Routing-Receipt` is base64 of its text, `Ppq-Routing-Receipt-Sig` its signature.
 * @param get a header's value by its lowercase name
 */
export function routingReceiptsOfHeaders(get: (name: string) => string | null): RoutingReceiptFound {
  const value = get('ppq-routing-receipt')
  if (value === null) return { receipts: [], afterData: false }
  const signature = get('ppq-routing-receipt-sig') ?? undefined
  // Fetch joins repeated headers by commas, which base64 doesn't have. Two are enough to refuse them.
  const receipts = value.split(',', 2).map((encoded) => ({
    json: decodeReceipt(encoded.trim()),
    ...(signature !== undefined && { signature }),
  }))
  return { receipts, afterData: false }
}

function decodeReceipt(encoded: string): string {
  if (encoded.length > Math.ceil(MAX_RECEIPT_BYTES / 3) * 4) return UNREADABLE
  const bytes = decodeBase64(encoded)
  return bytes ? decodeText(bytes) : UNREADABLE
}

function decodeText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    return UNREADABLE
  }
}

const CR = 0x0d
const LF = 0x0a
const BOM = Buffer.from('efbbbf', 'hex')
const DATA = Buffer.from('data')
const COLON = 0x3a
const MARK = Buffer.from(': ppq-routing-receipt')
const RECEIPT = Buffer.from(': ppq-routing-receipt ')
const SIGNATURE = Buffer.from(': ppq-routing-receipt-sig ')
/** Receipts come ahead of the first data. Keep-alives before them have a few bytes each. */
const MAX_HEAD_BYTES = 64 * 1024
/** Two are enough to refuse them. */
const MAX_RECEIPTS = 2

/**
 * Watches an event stream for receipts in its comments. Copies what it needs, keeps at most 64 KiB, and changes nothing. Ahead of the first
 * data it reads lines; afterwards it only compares how lines begin.
 */
export class RoutingReceiptReader {
  readonly #receipts: Receipt[] = []
  #afterData = false
  #state: 'head' | 'data' | 'done' = 'head'
  /** The lines ahead of the first data, without their ends; the current line begins at #lineStart. */
  #head = Buffer.alloc(MAX_HEAD_BYTES)
  #length = 0
  #lineStart = 0
  #isFirstLine = true
  /** In the data: how many bytes of the current line are the mark's. -1: the line is another. */
  #matched = 0

  push(chunk: Uint8Array): void {
    for (const byte of chunk) {
      if (this.#state === 'done') return
      // CR LF counts as two line ends: the empty line between them changes nothing.
      if (this.#state === 'data') this.#takeData(byte)
      else if (byte === CR || byte === LF) this.#endLine()
      else this.#takeHead(byte)
    }
  }

  /** Everything found until now. A line without its end isn't counted. */
  found(): RoutingReceiptFound {
    return { receipts: [...this.#receipts], afterData: this.#afterData }
  }

  #takeHead(byte: number): void {
    if (this.#length === MAX_HEAD_BYTES) {
      this.#leaveHead('done')
      return
    }
    this.#head[this.#length++] = byte
    const length = this.#length - this.#lineStart
    // A byte order mark at the very start isn't part of the first line.
    if (this.#isFirstLine && this.#length === BOM.length && BOM.equals(this.#line()))
      this.#lineStart = this.#length
    else if (byte === COLON && length === DATA.length + 1 && this.#startsWith(DATA)) this.#beginData(-1)
  }

  #endLine(): void {
    const line = this.#line()
    if (line.equals(DATA)) {
      this.#beginData(0)
      return
    }
    if (this.#startsWith(SIGNATURE)) this.#takeSignature(decodeText(line.subarray(SIGNATURE.length)))
    else if (this.#startsWith(RECEIPT)) this.#takeReceipt({ json: decodeText(line.subarray(RECEIPT.length)) })
    this.#lineStart = this.#length
    this.#isFirstLine = false
  }

  #beginData(matched: number): void {
    this.#leaveHead('data')
    this.#matched = matched
  }

  #leaveHead(state: 'data' | 'done'): void {
    this.#state = state
    this.#head = Buffer.alloc(0)
  }

  #takeData(byte: number): void {
    if (byte === CR || byte === LF) {
      this.#matched = 0
      return
    }
    if (this.#matched < 0) return
    this.#matched = byte === MARK[this.#matched] ? this.#matched + 1 : -1
    if (this.#matched < MARK.length) return
    this.#afterData = true
    this.#state = 'done'
  }

  #takeReceipt(receipt: Receipt): void {
    if (this.#receipts.length < MAX_RECEIPTS) this.#receipts.push(receipt)
  }

  /** A signature belongs to the receipt on the line before it. One without a receipt, or a second one, counts as a receipt that can't be read. */
  #takeSignature(signature: string): void {
    const last = this.#receipts.at(-1)
    if (!last || last.signature !== undefined) this.#takeReceipt({ json: UNREADABLE, signature })
    else this.#receipts.splice(-1, 1, { ...last, signature })
  }

  #line(): Buffer {
    return this.#head.subarray(this.#lineStart, this.#length)
  }

  #startsWith(start: Buffer): boolean {
    return this.#line().subarray(0, start.length).equals(start)
  }
}

import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'

const LINE_END = '\r\n'
const LAST_CHUNK = '0\r\n\r\n'

/**
 * An answer that is written as it comes, in the chunked transfer coding (RFC 9112 section 7.1). node:http hands the size of a chunk,
 * its content and both line ends to the socket one by one, which for a word at a time takes longer than the word: here a chunk is
 * one piece. A caller of HTTP/1.0 knows no chunks, and its answer ends with the connection.
 */
export class StreamedBody {
  readonly #response: ServerResponse
  readonly #chunked: boolean

  /** Writes the head, with status 200. It leaves with the first bytes, or when the response is told to flush it. */
  constructor(response: ServerResponse, headers: OutgoingHttpHeaders) {
    this.#response = response
    this.#chunked = response.req.httpVersionMajor > 1 || response.req.httpVersionMinor > 0
    response.writeHead(200, this.#chunked ? { ...headers, 'transfer-encoding': 'chunked' } : headers)
    // The head says so; what is written from here on is not to be cut into chunks once more.
    response.chunkedEncoding = false
  }

  /** False where the caller does not take more yet; see `drained`. */
  write(content: Uint8Array | string): boolean {
    // A chunk of no length is the last one.
    if (content.length === 0) return true
    return this.#response.write(this.#chunked ? chunk(content) : content)
  }

  /** The whole of it was written. To end without this is to say that it was cut off. */
  end(last: string = ''): void {
    this.write(last)
    this.#response.end(this.#chunked ? LAST_CHUNK : undefined)
  }
}

function chunk(content: Uint8Array | string): Buffer {
  const length = typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength
  const size = length.toString(16) + LINE_END
  const bytes = Buffer.allocUnsafe(size.length + length + LINE_END.length)
  bytes.write(size, 'latin1')
  if (typeof content === 'string') bytes.write(content, size.length)
  else bytes.set(content, size.length)
  bytes.write(LINE_END, size.length + length, 'latin1')
  return bytes
}

import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'

const LINE_END = '\r\n'
const LAST_CHUNK = '0\r\n\r\n'

/**
 * Writes an answer as it arrives, in the chunked transfer coding (RFC 9112 section 7.1). node:http passes the
 * size of a chunk, its content and both line ends to the socket separately, which takes longer than a short
 * text itself. Here a chunk is one piece. A caller of HTTP/1.0 doesn't know chunks, and its answer ends with
 * the connection.
 */
export class StreamedBody {
  readonly #response: ServerResponse
  readonly #chunked: boolean

  /** Writes the head, with status 200. It's sent with the first bytes, or when the response is flushed. */
  constructor(response: ServerResponse, headers: OutgoingHttpHeaders) {
    this.#response = response
    this.#chunked = response.req.httpVersionMajor > 1 || response.req.httpVersionMinor > 0
    response.writeHead(200, this.#chunked ? { ...headers, 'transfer-encoding': 'chunked' } : headers)
    // The head already has the header. node:http must not split the written chunks again.
    response.chunkedEncoding = false
  }

  /** Returns false if the caller can't receive more yet; see `drained`. */
  write(content: Uint8Array | string): boolean {
    // An empty chunk would end the body.
    if (content.length === 0) return true
    return this.#response.write(this.#chunked ? chunk(content) : content)
  }

  /** Ends a complete answer. Without this call the answer appears cut off. */
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

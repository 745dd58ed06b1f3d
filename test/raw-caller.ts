import { connect, type Socket } from 'node:net'
import { once } from 'node:events'

export interface RawAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Buffer
}

/** A caller that writes raw bytes: no HTTP client between it and the proxy corrects them. */
export class RawCaller {
  readonly socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #closed = false

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (chunk) => (this.#received = Buffer.concat([this.#received, chunk])))
    socket.on('close', () => (this.#closed = true))
    // `closed` already reports a reset, so the error needs no handling.
    socket.on('error', () => undefined)
  }

  static async to(port: number): Promise<RawCaller> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return new RawCaller(socket)
  }

  get received(): Buffer {
    return this.#received
  }

  /** The other side ended the connection. */
  get closed(): boolean {
    return this.#closed
  }

  write(bytes: string | Uint8Array): void {
    if (!this.socket.destroyed) this.socket.write(bytes)
  }

  /** The complete final answers so far, in order. Informational answers are left out. */
  answers(): RawAnswer[] {
    const answers: RawAnswer[] = []
    for (let at = 0; at < this.#received.length;) {
      const next = answerAt(this.#received, at)
      if (!next) break
      if (next.answer.status >= 200) answers.push(next.answer)
      at = next.end
    }
    return answers
  }

  destroy(): void {
    this.socket.destroy()
  }
}

function answerAt(bytes: Buffer, at: number): { answer: RawAnswer; end: number } | null {
  const blank = bytes.indexOf('\r\n\r\n', at)
  if (blank < 0) return null
  const [first = '', ...lines] = bytes.subarray(at, blank).toString('latin1').split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  const status = Number(first.split(' ')[1])
  const begin = blank + 4
  if (status < 200 || status === 204 || status === 304)
    return { answer: { status, headers, body: Buffer.alloc(0) }, end: begin }
  if (headers['transfer-encoding'] === 'chunked') {
    const whole = unchunked(bytes, begin)
    return whole && { answer: { status, headers, body: whole.body }, end: whole.end }
  }
  const end = begin + Number(headers['content-length'] ?? 0)
  return end > bytes.length ? null : { answer: { status, headers, body: bytes.subarray(begin, end) }, end }
}

/** RFC 9112 section 7.1, without extensions and trailers. */
function unchunked(bytes: Buffer, from: number): { body: Buffer; end: number } | null {
  const pieces: Buffer[] = []
  for (let at = from; ;) {
    const line = bytes.indexOf('\r\n', at)
    if (line < 0) return null
    const size = parseInt(bytes.subarray(at, line).toString('latin1'), 16)
    const end = line + 2 + size + 2
    if (end > bytes.length) return null
    if (size === 0) return { body: Buffer.concat(pieces), end }
    pieces.push(bytes.subarray(line + 2, line + 2 + size))
    at = end
  }
}

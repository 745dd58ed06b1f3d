import { connect, type Socket } from 'node:net'
import { once } from 'node:events'

export interface RawRequest {
  readonly method: string
  /** Written as it is: no client library corrects it. */
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: string
}

export interface RawResponse {
  /** 0: the connection was closed without an answer. */
  readonly status: number
  readonly head: string
  readonly body: Buffer
}

const NO_ANSWER: RawResponse = { status: 0, head: '', body: Buffer.alloc(0) }

/** Writes requests byte by byte on one connection, one after the other, and connects again when the server has closed it. */
export class RawClient {
  readonly #port: number
  #socket: Socket | undefined
  #received: Buffer = Buffer.alloc(0)
  #wake: () => void = () => undefined

  constructor(port: number) {
    this.#port = port
  }

  async ask({ method, target, headers, body = '' }: RawRequest): Promise<RawResponse> {
    const socket = await this.#connected()
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    socket.write(
      Buffer.from(
        `${method} ${target} HTTP/1.1\r\n${lines}content-length: ${String(Buffer.byteLength(body))}\r\n\r\n${body}`,
        'latin1',
      ),
    )
    for (;;) {
      const answer = this.#take(method)
      if (answer) return answer
      if (socket.destroyed) {
        const rest = this.#received.toString('latin1')
        this.#socket = undefined
        // An answer without a length ends with its connection.
        return /^HTTP\/1\.1 \d{3}/.test(rest)
          ? { status: Number(rest.slice(9, 12)), head: rest, body: this.#received }
          : NO_ANSWER
      }
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  close(): void {
    this.#socket?.destroy()
  }

  async #connected(): Promise<Socket> {
    if (this.#socket && !this.#socket.destroyed) return this.#socket
    this.#received = Buffer.alloc(0)
    const socket = connect(this.#port, '127.0.0.1')
    await once(socket, 'connect')
    socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk])
      this.#wake()
    })
    socket.on('error', () => undefined)
    socket.on('end', () => socket.destroy())
    socket.on('close', () => this.#wake())
    this.#socket = socket
    return socket
  }

  /** One final answer, once it has arrived whole. */
  #take(method: string): RawResponse | null {
    const blank = this.#received.indexOf('\r\n\r\n')
    if (blank < 0) return null
    const head = this.#received.subarray(0, blank).toString('latin1')
    const status = Number(head.slice(9, 12))
    const start = blank + 4
    const length = /^content-length: (\d+)$/im.exec(head)?.[1]
    const closes = /^connection: close$/im.test(head)
    let end: number
    if (method === 'HEAD' || status < 200 || status === 204 || status === 304) end = start
    else if (length !== undefined) end = start + Number(length)
    else if (/^transfer-encoding: chunked$/im.test(head)) {
      const last = this.#received.indexOf('0\r\n\r\n', start)
      if (last < 0) return null
      end = last + 5
    } else return null
    if (end > this.#received.length) return null
    const body = this.#received.subarray(start, end)
    this.#received = this.#received.subarray(end)
    if (closes) {
      this.#socket?.destroy()
      this.#socket = undefined
    }
    return status < 200 ? this.#take(method) : { status, head, body }
  }
}

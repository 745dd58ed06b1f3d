import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

/** A request of an agent, before the proxy converts or seals it. */
export interface ObservedRequest {
  readonly path: string
  /** The JSON as the agent wrote it. */
  readonly body: string
  /** Whether it offers tools. Titles don't. */
  readonly hasTools: boolean
  /** Turns and tool results that it contains. */
  readonly messages: number
  readonly status: number
}

export interface Observer extends AsyncDisposable {
  readonly baseUrl: string
  /** POST requests in the order of their replies. */
  readonly requests: readonly ObservedRequest[]
  clear(): void
}

const list = z.array(z.unknown()).catch([])
/** Responses has `input`, the others have `messages`. */
const bodySchema = z
  .looseObject({ tools: list, messages: list, input: list })
  .catch({ tools: [], messages: [], input: [] })

/** Passes everything on to the proxy and records what agents send, because the requests of private models leave the proxy sealed. */
export async function startObserver(target: string): Promise<Observer> {
  const { host, port, hostname } = new URL(target)
  let requests: ObservedRequest[] = []
  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const { 'transfer-encoding': _, ...headers } = incoming.headers
    const passed = ask(
      {
        hostname,
        port,
        path: incoming.url,
        method: incoming.method,
        headers: { ...headers, host, ...(body.length > 0 && { 'content-length': body.length }) },
      },
      (answer) => {
        if (incoming.method === 'POST')
          requests.push(observed(incoming.url ?? '', body.toString(), answer.statusCode ?? 0))
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    passed.once('error', () => outgoing.destroy())
    outgoing.once('close', () => passed.destroy())
    passed.end(body)
  }
  const server = createServer(
    (incoming, outgoing) => void pass(incoming, outgoing).catch(() => outgoing.destroy()),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`,
    get requests() {
      return requests
    },
    clear: () => {
      requests = []
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function observed(path: string, text: string, status: number): ObservedRequest {
  const { tools, messages, input } = bodySchema.parse(parsed(text))
  return { path, body: text, hasTools: tools.length > 0, messages: messages.length + input.length, status }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

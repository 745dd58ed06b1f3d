import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'

const querySchema = z.object({ query: z.string() })
const paymentSchema = z.object({ methodDetails: z.object({ invoice: z.string() }) })

/** Passes requests on to the sandbox, and remembers which purchase each invoice is for. */
export interface RecordingService extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly baseUrl: string
  /** The invoices that each query got. */
  readonly invoices: ReadonlyMap<string, readonly string[]>
}

/** @param target `http://127.0.0.1:PORT` of the sandbox */
export async function startRecordingService(target: string): Promise<RecordingService> {
  const invoices = new Map<string, string[]>()
  function record(body: Buffer, answer: IncomingMessage): void {
    const [, demand] = /request="([^"]*)"/.exec(answer.headers['www-authenticate'] ?? '') ?? []
    if (answer.statusCode !== 402 || demand === undefined) return
    const { query } = querySchema.parse(JSON.parse(body.toString()))
    const { methodDetails } = paymentSchema.parse(JSON.parse(Buffer.from(demand, 'base64url').toString()))
    invoices.set(query, [...(invoices.get(query) ?? []), methodDetails.invoice])
  }
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const body = await buffer(incoming)
      const { host: _, ...headers } = incoming.headers
      const sent = httpRequest(`${target}${incoming.url ?? ''}`, { method: incoming.method, headers })
      outgoing.on('close', () => sent.destroy())
      sent.end(body)
      const [answer] = z.tuple([z.custom<IncomingMessage>()]).parse(await once(sent, 'response'))
      record(body, answer)
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })().catch(() => outgoing.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${String(port)}`,
    invoices,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

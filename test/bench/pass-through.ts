import { Agent, createServer, request as httpRequest } from 'node:http'
import { givenArgument, tellReady } from './child.ts'

/** The least that a proxy in Node can do: node:http in, node:http out, bytes piped. */
const { port } = givenArgument() as { port: number }
const agent = new Agent({ keepAlive: true, maxSockets: 256 })

const server = createServer((incoming, outgoing) => {
  const upstream = httpRequest(
    {
      host: '127.0.0.1',
      port,
      agent,
      method: incoming.method,
      path: incoming.url,
      headers: incoming.headers,
    },
    (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    },
  )
  upstream.on('error', () => outgoing.destroy())
  outgoing.on('close', () => upstream.destroy())
  incoming.pipe(upstream)
})
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => tellReady(server.address()))

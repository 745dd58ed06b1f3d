import { Agent, createServer, request as httpRequest } from 'node:http'
import { createRequestSealer, ENCAPSULATED_KEY_HEADER, RESPONSE_NONCE_HEADER } from '../../src/ehbp/index.ts'
import { givenArgument, tellReady } from './child.ts'
import type { EnclaveReady } from './enclave.ts'

/**
 * The least work of a Node proxy that seals: the pass-through and the cryptography. It reads nothing of a
 * request, requires no key, counts no money and stores nothing. The difference between its time and Sotto's
 * is Sotto's own cost. The difference from the pass-through is the cost of HPKE.
 */
const { port, hpkePublicKey } = givenArgument() as EnclaveReady
const recipient = Buffer.from(hpkePublicKey, 'hex')
const agent = new Agent({ keepAlive: true, maxSockets: 256 })

const server = createServer((incoming, outgoing) => {
  const sealer = createRequestSealer(recipient)
  const { 'content-length': _, authorization: __, ...headers } = incoming.headers
  const upstream = httpRequest(
    {
      host: '127.0.0.1',
      port,
      agent,
      method: 'POST',
      path: `/private${incoming.url ?? ''}`,
      headers: { ...headers, [ENCAPSULATED_KEY_HEADER]: sealer.encapsulatedKey },
    },
    (response) => {
      const { 'content-length': ___, ...headersToSend } = response.headers
      outgoing.writeHead(response.statusCode ?? 502, headersToSend)
      const opener = sealer.decryptResponse(String(response.headers[RESPONSE_NONCE_HEADER.toLowerCase()]))
      response.on('data', (bytes: Buffer) => {
        for (const part of opener.push(bytes)) outgoing.write(part)
      })
      response.on('end', () => {
        opener.end()
        outgoing.end()
      })
    },
  )
  upstream.on('error', () => outgoing.destroy())
  outgoing.on('close', () => upstream.destroy())
  const parts: Buffer[] = []
  incoming.on('data', (part: Buffer) => parts.push(part))
  incoming.on('end', () => upstream.end(sealer.seal(Buffer.concat(parts))))
})
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => tellReady(server.address()))

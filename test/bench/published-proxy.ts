import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { Identity } from 'ehbp'
import { givenArgument, tellReady } from './child.ts'
import type { EnclaveReady } from './enclave.ts'

/** The published alternative: the smallest proxy over npm `ehbp`. It attests nothing and keeps no receipt. */
const { baseUrl, hpkePublicKey } = givenArgument() as EnclaveReady
const identity = await Identity.fromPublicKeyHex(hpkePublicKey)

async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const plain = new Request(`${baseUrl}/private${incoming.url ?? ''}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: Buffer.concat(chunks),
  })
  const { request, context } = await identity.encryptRequestWithContext(plain)
  const sealed = await fetch(request)
  const opened = context === null ? sealed : await identity.decryptResponseWithContext(sealed, context)
  outgoing.writeHead(opened.status, {
    'content-type': opened.headers.get('content-type') ?? 'application/json',
  })
  if (opened.body === null) outgoing.end()
  else Readable.fromWeb(opened.body).pipe(outgoing)
}

const server = createServer((incoming, outgoing) => {
  serve(incoming, outgoing).catch(() => outgoing.destroy())
})
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => tellReady(server.address()))

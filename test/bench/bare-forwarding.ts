import { createCipheriv, hash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { givenArgument, tellReady } from './child.ts'

/**
 * The least work of a Node proxy that understands its traffic. It is the pass-through with these additions:
 * it checks a key, parses the body as JSON and serializes it again, and counts a budget. It also stores an
 * encrypted receipt with the digests of both directions. It validates no schema, knows no prices and no
 * dialects, and doesn't handle failures well. The difference between its time and Sotto's is Sotto's own
 * cost.
 */
const { port } = givenArgument() as { port: number }
const agent = new Agent({ keepAlive: true, maxSockets: 256 })
const known = new Set([hash('sha256', 'Bearer bench')])
const storeKey = randomBytes(32)
const folder = mkdtempSync(join(tmpdir(), 'sotto-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const database = new DatabaseSync(join(folder, 'receipts.db'))
database.exec(
  'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE receipts (seq INTEGER PRIMARY KEY, body BLOB NOT NULL)',
)
const insert = database.prepare('INSERT INTO receipts (body) VALUES (?)')
/** The interval at which Sotto writes received text. */
const KEEP_MS = 50
let receipts: object[] = []
let spent = 0n

setInterval(() => {
  if (receipts.length === 0) return
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', storeKey, nonce)
  const sealed = Buffer.concat([
    nonce,
    cipher.update(JSON.stringify(receipts)),
    cipher.final(),
    cipher.getAuthTag(),
  ])
  insert.run(sealed)
  receipts = []
}, KEEP_MS)

const server = createServer((incoming, outgoing) => {
  if (!known.has(hash('sha256', incoming.headers.authorization ?? ''))) {
    outgoing.writeHead(401).end()
    return
  }
  const parts: Buffer[] = []
  incoming.on('data', (part: Buffer) => parts.push(part))
  incoming.on('end', () => {
    const at = Date.now()
    const asked = JSON.parse(Buffer.concat(parts).toString()) as { readonly model: string }
    const sent = Buffer.from(JSON.stringify(asked))
    spent += BigInt(sent.byteLength)
    const { authorization: _, ...headers } = incoming.headers
    const upstream = httpRequest(
      {
        host: '127.0.0.1',
        port,
        agent,
        method: incoming.method,
        path: incoming.url,
        headers: { ...headers, 'content-length': String(sent.byteLength) },
      },
      (response) => {
        const answer: Buffer[] = []
        outgoing.writeHead(response.statusCode ?? 502, response.headers)
        response.on('data', (part: Buffer) => {
          answer.push(part)
          outgoing.write(part)
        })
        response.on('end', () => {
          outgoing.end()
          const received = Buffer.concat(answer)
          const type = String(response.headers['content-type'])
          const usage = type.includes('json')
            ? (JSON.parse(received.toString()) as { readonly usage?: unknown }).usage
            : undefined
          receipts.push({
            at,
            model: asked.model,
            requestDigest: hash('sha256', sent),
            responseDigest: hash('sha256', received),
            bytesSent: sent.byteLength,
            bytesReceived: received.byteLength,
            usage,
            charged: spent.toString(),
            durationMs: Date.now() - at,
          })
        })
      },
    )
    upstream.on('error', () => outgoing.destroy())
    outgoing.on('close', () => upstream.destroy())
    upstream.end(sent)
  })
})
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => tellReady(server.address()))

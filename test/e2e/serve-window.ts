import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Server, ServerResponse } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { headersOf } from '../../src/host/content-security-policy.ts'
import { windowFolder } from './build-window.ts'

const MEDIA: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** The port of this process's last server. Chromium reuses compiled scripts at the same address. */
let lastPort = 0

/** @returns the origin of the server */
export async function listen(server: Server): Promise<string> {
  try {
    server.listen(lastPort, '127.0.0.1')
    await once(server, 'listening')
  } catch {
    // Another process has taken the port since.
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
  const address = server.address()
  lastPort = typeof address === 'object' && address ? address.port : 0
  return `http://127.0.0.1:${String(lastPort)}`
}

/** Answers with a file of the built pages, with the headers of the real server. */
export async function serveWindowFile(path: string, outgoing: ServerResponse): Promise<void> {
  const file = join(windowFolder, normalize(path))
  try {
    const content = await readFile(file)
    outgoing
      .writeHead(200, {
        ...headersOf(path),
        'content-type': MEDIA[extname(file)] ?? 'application/octet-stream',
        ...(path.startsWith('/assets/') && { 'cache-control': 'private, max-age=31536000, immutable' }),
      })
      .end(content)
  } catch {
    outgoing.writeHead(404).end()
  }
}

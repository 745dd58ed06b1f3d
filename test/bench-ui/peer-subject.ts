import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { expect } from '@playwright/test'
import { atPace } from './pace.ts'
import { TIMEOUT_MS } from './page-clock.ts'
import type { Subject } from './subject.ts'
import type { Turn } from './texts.ts'

export const peers = ['react-markdown', 'streamdown'] as const
export type Peer = (typeof peers)[number]

const TIMEOUTS = { timeout: TIMEOUT_MS }
const MEDIA: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

/**
 * The page of `peer-page/`, in which one of the peers shows the same as the window: a list of messages, and a
 * field.
 */
export async function peerSubject(
  peer: Peer,
  all: Readonly<Record<string, readonly Turn[]>>,
  built: string,
): Promise<Subject> {
  let going: { readonly perSecond: number; readonly text: string; stopped: boolean } | undefined

  async function answer(path: string, outgoing: ServerResponse): Promise<void> {
    if (path === '/stream') {
      outgoing.writeHead(200, { 'content-type': 'application/x-ndjson' })
      const now = going
      if (now)
        await atPace(
          now.text,
          now.perSecond,
          (token) => outgoing.write(`${JSON.stringify(token)}\n`),
          () => now.stopped || outgoing.destroyed,
        )
      return void outgoing.end()
    }
    const turns = path.startsWith('/conversations/') ? all[path.slice('/conversations/'.length)] : undefined
    if (turns)
      return void outgoing
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(turns.flatMap(({ question, answer }) => [question, answer])))
    const file = join(built, path === '/' ? 'index.html' : normalize(path))
    outgoing
      .writeHead(200, { 'content-type': MEDIA[extname(file)] ?? 'application/octet-stream' })
      .end(await readFile(file))
  }

  const server = createServer(
    (incoming, outgoing) =>
      void answer((incoming.url ?? '/').split('?', 1)[0] ?? '/', outgoing).catch(() => outgoing.destroy()),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const origin = `http://127.0.0.1:${String(typeof address === 'object' && address ? address.port : 0)}`
  return {
    name: peer,
    field: 'textarea',
    messages: '#messages',
    async begin(page) {
      await page.goto(`${origin}/?with=${peer}`)
      await page.getByRole('button', { name: 'small' }).click()
      await expect(page.getByText('Turn 0 of small.')).toBeVisible(TIMEOUTS)
    },
    press: (page, name) => page.getByRole('button', { name }).click(TIMEOUTS),
    async stream(page, perSecond, text) {
      const now = { perSecond, text, stopped: false }
      going = now
      await page.getByRole('button', { name: 'stream' }).click(TIMEOUTS)
      await expect(page.getByText(text.slice(0, 12)).last()).toBeAttached(TIMEOUTS)
      return {
        stop: () => {
          now.stopped = true
        },
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

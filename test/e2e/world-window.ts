import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { headersOf } from '../../src/host/content-security-policy.ts'
import { serveWebRequest } from '../../src/host/node-adapter.ts'
import { BodyBudget } from '../../src/shared/body-budget.ts'
import { isFilePath } from '../../src/shared/file-paths.ts'
import { parseRequestHead } from '../../src/shared/request-head.ts'
import { startWorld, type World, type WorldOptions } from '../world.ts'
import { windowFolder } from './build-window.ts'
import { windowCaller } from '../window-caller.ts'

export interface WorldWindow extends AsyncDisposable {
  readonly world: World
  /** Opens a view of the window. */
  open(page: Page, place: string): Promise<void>
}

const MEDIA: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}
/** High enough that a test's payments need no confirmation. */
const HIGH = '900000000'

/**
 * The built window with the real core and the sandbox of a revision, paid from a balance, or per request
 * without an account.
 */
export async function startWorldWindow(
  revision: 'A' | 'B',
  pay: 'balance' | 'single',
  options: Omit<WorldOptions, 'revision' | 'profile'> = {},
): Promise<WorldWindow> {
  const world = await startWorld({
    ...options,
    revision,
    profile: (profile) => ({ ...profile, revision, alternativeBaseUrl: profile.baseUrl }),
  })
  if (pay === 'single') {
    await world.call('accounts/disconnect')
    await world.call('wallet/connectSandbox')
    await world.call('wallet/setLimits', {
      perPayment: HIGH,
      perDay: HIGH,
      perHostAndDay: HIGH,
      automaticUpTo: HIGH,
    })
  }
  const bodies = new BodyBudget()
  const route = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const head = parseRequestHead(incoming)
    if (typeof head === 'string') return void outgoing.writeHead(400).end()
    const path = head.pathname
    if (path === '/session')
      return void outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{"token":"one"}')
    if (path.startsWith('/api/'))
      return serveWebRequest((request) => world.core.api(request, windowCaller), head, incoming, outgoing, {
        bodies,
      })
    if (isFilePath(path))
      return serveWebRequest((request) => world.core.files(request), head, incoming, outgoing, { bodies })
    try {
      const content = await readFile(join(windowFolder, path === '/' ? 'index.html' : normalize(path)))
      outgoing
        .writeHead(200, {
          ...headersOf(path),
          'content-type': MEDIA[extname(path === '/' ? 'index.html' : path)] ?? 'application/octet-stream',
        })
        .end(content)
    } catch {
      outgoing.writeHead(404).end()
    }
  }
  const server = createServer(
    (incoming, outgoing) => void route(incoming, outgoing).catch(() => outgoing.destroy()),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const origin = `http://127.0.0.1:${String(typeof address === 'object' && address ? address.port : 0)}`
  return {
    world,
    async open(page, place) {
      await page.goto(`${origin}/#code=one`)
      const begin = page.getByRole('button', { name: 'Try the demo' })
      const message = page.getByRole('textbox', { name: 'Message', exact: true })
      await expect(begin.or(message).first()).toBeVisible()
      if (await begin.isVisible()) await begin.click()
      await expect(message).toBeVisible()
      await page.evaluate(`location.hash = ${JSON.stringify(place)}`)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await world[Symbol.asyncDispose]()
    },
  }
}

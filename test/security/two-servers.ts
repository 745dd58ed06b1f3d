import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { WindowSessions } from '../../src/core/core.ts'
import { BodyBudget } from '../../src/shared/body-budget.ts'
import { createUiServer } from '../../src/host/ui-server.ts'
import { askChat } from '../core/conversations/ask-chat.ts'
import { PLAINTEXT_MODEL, startWorld, type World } from '../world.ts'
import { RawClient, type RawResponse } from './raw-client.ts'

export const CONVERSATION_TITLE = 'a title that only its owner may read'
const STATIC_ROOT = join(import.meta.dirname, '..', '..', 'out', 'renderer')

export interface TwoServers extends AsyncDisposable {
  readonly world: World
  readonly ui: RawClient
  readonly proxy: RawClient
  readonly uiHost: string
  readonly proxyHost: string
  readonly windows: WindowSessions
  /** A token that opens the window's server. */
  readonly token: string
  /** Procedures that were reached. */
  procedures(): number
  /** Why an answer to a request without a valid credential is more than a refusal, a static asset or the health answer; null if it is not. */
  leak(response: RawResponse, method: string): string | null
}

const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 413, 415, 417, 431, 501])

/** The window's server and the proxy over one real core, with something to steal. */
export async function startTwoServers(now: () => number = Date.now): Promise<TwoServers> {
  const world = await startWorld()
  const windows = new WindowSessions(now)
  let procedures = 0
  const uiServer = await createUiServer(
    {
      api: (request, caller) => {
        procedures++
        return world.core.api(request, caller)
      },
      files: world.core.files,
      bodies: new BodyBudget(),
      windows,
    },
    0,
  )
  const uiHost = new URL(uiServer.newAddress()).host
  const proxyHost = new URL(world.baseUrl).host
  await askChat(world, 'chat/send', { model: PLAINTEXT_MODEL, text: 'hello' })
  const [conversation] = (await world.call('conversations/list')) as { id: string }[]
  await world.call('conversations/rename', { conversationId: conversation?.id, title: CONVERSATION_TITLE })
  const assets = await staticFiles()
  const secrets = [world.key, CONVERSATION_TITLE, '"json":', world.folder]
  const portOf = (host: string): number => Number(host.slice(host.lastIndexOf(':') + 1))
  const [ui, proxy] = [new RawClient(portOf(uiHost)), new RawClient(portOf(proxyHost))]
  const token = windows.exchange(windows.newCode()) ?? ''
  return {
    world,
    ui,
    proxy,
    uiHost,
    proxyHost,
    windows,
    token,
    procedures: () => procedures,
    leak({ status, body, head }, method) {
      if (status === 200 && assets.some((asset) => asset.equals(body))) return null
      const text = body.toString('latin1')
      const found = secrets.find((secret) => text.includes(secret) || head.includes(secret))
      if (found !== undefined) return `it holds ${found}`
      // A connection that was closed without an answer is a refusal too.
      if (status === 0 || REFUSALS.has(status)) return null
      if (status !== 200) return `status ${String(status)}`
      if (method === 'HEAD' && body.length === 0) return null
      if (text === '{"status":"ok"}') return null
      return `status 200 with ${text.slice(0, 80)}`
    },
    async [Symbol.asyncDispose]() {
      ui.close()
      proxy.close()
      await uiServer[Symbol.asyncDispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}

async function staticFiles(): Promise<Buffer[]> {
  try {
    const entries = await readdir(STATIC_ROOT, { recursive: true, withFileTypes: true })
    return await Promise.all(
      entries.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name))),
    )
  } catch {
    return []
  }
}

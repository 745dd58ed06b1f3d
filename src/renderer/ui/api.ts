import { createORPCClient, DynamicLink } from '@orpc/client'
import { RPCLink } from '@orpc/client/fetch'
import { StandardRPCLink } from '@orpc/client/standard'
import type { ContractRouterClient } from '@orpc/contract'
import { create } from 'zustand'
import type { contract } from '../../shared/contract/sotto-contract.ts'
import { streamProcedures } from '../../shared/stream-procedures.ts'
import { savePendingRoute, takePendingRoute } from './pending-route.ts'
import { StreamClient } from './stream-client.ts'

/**
 * In the desktop app, the UI server is in the app's process and knows its only caller. In a browser tab, a bearer token
 * identifies the caller.
 */
export const inDesktop = location.protocol === 'app:'

const TOKEN = 'sotto.session'

interface Session {
  readonly state: 'opening' | 'open' | 'closed'
  /** The code was refused, because it was used before or is older than five minutes. */
  readonly codeRefused: boolean
  /** The tab had access, which ended: Sotto restarted, or a window signed the tab out. */
  readonly ended: boolean
}

export const useSession = create<Session>()(() => ({
  state: inDesktop ? 'open' : 'opening',
  codeRefused: false,
  ended: false,
}))

/**
 * Creates a session for this tab. The single-use code in the address's fragment is removed from the address and the
 * history at once. It is exchanged for a bearer token that only this tab stores (in sessionStorage, so that a reload
 * works).
 */
export async function startSession(): Promise<void> {
  if (inDesktop) return
  addEventListener('hashchange', () => {
    if (holdsCode()) void exchange()
  })
  await exchange()
}

async function exchange(): Promise<void> {
  const code = takeCode()
  const token = code === undefined ? undefined : await tokenFor(code)
  if (token !== undefined) {
    sessionStorage.setItem(TOKEN, token)
    const pending = takePendingRoute()
    if (pending !== undefined) history.replaceState(null, '', pending)
  }
  const open = sessionStorage.getItem(TOKEN) !== null
  if (!open && code === undefined) savePendingRoute(location.hash)
  useSession.setState({
    state: open ? 'open' : 'closed',
    codeRefused: code !== undefined && token === undefined,
    ended: false,
  })
}

function holdsCode(): boolean {
  return location.hash.startsWith('#code=')
}

function takeCode(): string | undefined {
  if (!holdsCode()) return undefined
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  history.replaceState(null, '', location.pathname)
  return code ?? ''
}

async function tokenFor(code: string): Promise<string | undefined> {
  try {
    const response = await fetch('/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
    })
    if (!response.ok) return undefined
    const body: unknown = await response.json()
    const token = typeof body === 'object' && body !== null && 'token' in body ? body.token : undefined
    return typeof token === 'string' && token !== '' ? token : undefined
  } catch {
    return undefined
  }
}

function headers(): Record<string, string> {
  const token = inDesktop ? null : sessionStorage.getItem(TOKEN)
  return { 'x-csrf-token': 'orpc', ...(token === null ? {} : { authorization: `Bearer ${token}` }) }
}

async function fetchContract(request: Request, init: RequestInit): Promise<Response> {
  const response = await fetch(request, {
    ...init,
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
  })
  // Coded failures of the core have status 422. A 401 comes from the UI server itself, which no longer knows this tab.
  if (response.status === 401 && !inDesktop) closeSession()
  return response
}

function closeSession(): void {
  sessionStorage.removeItem(TOKEN)
  savePendingRoute(location.hash)
  useSession.setState({ state: 'closed', ended: true })
}

/** A last call of a closing window. Nothing waits for its result. */
export function endInPassing(path: string, input: object): void {
  const request = {
    method: 'POST',
    headers: { ...headers(), 'content-type': 'application/json' },
    body: JSON.stringify({ json: input }),
    keepalive: true,
    credentials: 'omit',
  } as const
  void fetch(`${location.origin}/api/${path}`, request).catch(() => undefined)
}

const calls = new RPCLink({ url: () => `${location.origin}/api`, headers, fetch: fetchContract })

/** The app's own protocol has no limit of connections. */
const streams = inDesktop
  ? calls
  : new StandardRPCLink(
      new StreamClient({ token: () => sessionStorage.getItem(TOKEN), onEnded: closeSession }),
      { url: 'http://orpc' },
    )

const link = new DynamicLink((_, path) => (streamProcedures.has(path.join('/')) ? streams : calls))

/** All calls of the window to the core. */
export const api: ContractRouterClient<typeof contract> = createORPCClient(link)

/** The text of one of the window's own files. */
export async function ownFile(address: string): Promise<string> {
  return (await ownAnswer(address)).text()
}

/** The bytes behind a short-lived path of the core's own (contract `studio.link`). */
export async function ownBytes(path: string): Promise<Blob> {
  return (await ownAnswer(path)).blob()
}

/** The content behind such a path, as a stream. */
export async function ownStream(
  path: string,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const { body } = await ownAnswer(path, signal)
  if (!body) throw new TypeError("The window's file is empty.")
  return body
}

async function ownAnswer(address: string, signal?: AbortSignal): Promise<Response> {
  const url = new URL(address, document.baseURI)
  if (url.origin !== location.origin) throw new TypeError('Only files of the window are read.')
  const response = await fetch(url, signal ? { signal } : {})
  if (!response.ok) throw new TypeError(`The window's file was answered with ${String(response.status)}.`)
  return response
}

/**
 * The bytes behind a short-lived path of the core (contract `studio.link`).
 * @throws {TypeError} if the path has no file
 */
export async function linkedBytes(path: string, signal: AbortSignal): Promise<ArrayBuffer> {
  const response = await fetch(path, { signal, credentials: 'omit', cache: 'no-store', redirect: 'error' })
  if (!response.ok) throw new TypeError(`The file was answered with ${String(response.status)}.`)
  return response.arrayBuffer()
}

/**
 * Electron's network as electron-updater uses it. Requests go over Node's HTTP, through the filters of a session.
 * Redirects follow Electron's documentation of ClientRequest. The test's server records the sent requests.
 */
import { EventEmitter } from 'node:events'
import {
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'

type Headers = Record<string, string>
type BeforeRequest = (details: { url: string }, answer: (response: { cancel: boolean }) => void) => void
type BeforeSendHeaders = (
  details: { url: string; requestHeaders: Headers },
  answer: (response: { requestHeaders: Headers }) => void,
) => void

export const world = { version: '0.1.0', userData: '', quits: 0 }

class Session {
  readonly options: unknown
  beforeRequest: BeforeRequest = (_details, answer) => answer({ cancel: false })
  beforeSendHeaders: BeforeSendHeaders = ({ requestHeaders }, answer) => answer({ requestHeaders })
  readonly webRequest = {
    onBeforeRequest: (listener: BeforeRequest): void => void (this.beforeRequest = listener),
    onBeforeSendHeaders: (listener: BeforeSendHeaders): void => void (this.beforeSendHeaders = listener),
  }
  constructor(options: unknown) {
    this.options = options
  }

  /** The headers that are sent, or null if the request is blocked. */
  filtered(url: string, sentHeaders: Headers): Headers | null {
    const cancelled: boolean[] = []
    this.beforeRequest({ url }, ({ cancel }) => void cancelled.push(cancel))
    if (cancelled.includes(true)) return null
    let headers = sentHeaders
    this.beforeSendHeaders(
      { url, requestHeaders: { 'Accept-Language': 'de', ...sentHeaders } },
      ({ requestHeaders }) => (headers = requestHeaders),
    )
    return headers
  }

  async fetch(address: string): Promise<Response> {
    const headers = this.filtered(address, { accept: '*/*' })
    if (!headers) throw new TypeError('net::ERR_BLOCKED_BY_CLIENT')
    const answer = await fetch(address, { headers, redirect: 'manual' })
    const to = answer.headers.get('location')
    return to === null ? answer : this.fetch(new URL(to, address).href)
  }
}

export const sessions = new Map<string, Session>()
export const session = {
  fromPartition(name: string, options: unknown): Session {
    const found = sessions.get(name) ?? new Session(options)
    sessions.set(name, found)
    return found
  },
}

export const net = {
  request({
    session: over,
    headers = {},
    ...options
  }: RequestOptions & { session: Session; headers?: Headers }): EventEmitter {
    const outer = Object.assign(new EventEmitter(), { abort: () => sent?.destroy(), end: () => begin() })
    let sent: ClientRequest | undefined
    const address = `${options.protocol ?? 'https:'}//${String(options.hostname)}${options.port ? `:${String(options.port)}` : ''}${String(options.path)}`
    const begin = (): void => {
      const leaving = over.filtered(address, headers)
      if (!leaving) {
        queueMicrotask(() => outer.emit('error', new Error('net::ERR_BLOCKED_BY_CLIENT')))
        return
      }
      sent = httpRequest(address, { headers: leaving }, (response: IncomingMessage) => {
        const {
          statusCode = 0,
          headers: { location },
        } = response
        if (statusCode >= 300 && statusCode < 400 && location !== undefined)
          outer.emit('redirect', statusCode, 'GET', new URL(location, address).href)
        else outer.emit('response', response)
      })
      sent.on('error', (error) => outer.emit('error', error))
      sent.end()
    }
    return outer
  },
}

class App extends EventEmitter {
  readonly isPackaged = true
  whenReady = (): Promise<void> => Promise.resolve()
  getVersion = (): string => world.version
  getName = (): string => 'Sotto'
  getPath = (): string => world.userData
  getAppPath = (): string => world.userData
  quit = (): void => {
    world.quits++
  }
  relaunch = (): void => undefined
}
export const app = new App()
export const autoUpdater = new EventEmitter()

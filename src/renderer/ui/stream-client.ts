import { ORPCError, type ClientContext } from '@orpc/client'
import type { StandardLinkClient } from '@orpc/client/standard'
import type { StandardLazyResponse, StandardRequest } from '@orpc/standard-server'
import { ClientPeer } from '@orpc/standard-server-peer'
import { SESSION_ENDED, STREAMS_PATH, STREAMS_PROTOCOL } from '../../shared/stream-procedures.ts'

/** What the streams need to know about the tab's session. */
interface TabSession {
  readonly token: () => string | null
  /** The server doesn't know the token any more. */
  readonly onEnded: () => void
}

/**
 * Carries the streams of a browser tab over one WebSocket, which is opened for the first stream and again after a
 * loss. Streams over HTTP would use up the six connections that a browser opens to a host, and then every call would wait.
 */
export class StreamClient implements StandardLinkClient<ClientContext> {
  readonly #session: TabSession
  #connection: Promise<ClientPeer> | undefined

  constructor(session: TabSession) {
    this.#session = session
  }

  /** @throws {TypeError} if the connection fails or is lost, and an ORPCError with status 401 if the session has ended */
  async call(request: StandardRequest): Promise<StandardLazyResponse> {
    this.#connection ??= this.#connect()
    const peer = await this.#connection
    const { status, headers, body } = await peer.request(request)
    return { status, headers, body: () => Promise.resolve(body) }
  }

  #connect(): Promise<ClientPeer> {
    return new Promise((resolve, reject) => {
      const address = `${location.origin.replace(/^http/, 'ws')}${STREAMS_PATH}`
      const token = this.#session.token() ?? 'none'
      const socket = new WebSocket(address, [STREAMS_PROTOCOL, token])
      const peer = new ClientPeer((message) => {
        // The inputs of streams are JSON. Only a file would be sent as bytes. A lost connection ended its streams already.
        if (typeof message === 'string' && socket.readyState === WebSocket.OPEN) socket.send(message)
      })
      socket.addEventListener('open', () => resolve(peer))
      socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        if (typeof data === 'string') peer.message(data).catch(() => socket.close())
      })
      socket.addEventListener('close', ({ code }) => {
        this.#connection = undefined
        const ended = code === SESSION_ENDED
        // The tab may have another session by now.
        if (ended && this.#session.token() === token) this.#session.onEnded()
        const reason = ended
          ? new ORPCError('UNAUTHORIZED')
          : new TypeError('The connection to Sotto was lost.')
        reject(reason)
        peer.close({ reason })
      })
    })
  }
}

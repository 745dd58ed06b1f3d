import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { StandardRequest, StandardResponse } from '@orpc/standard-server'
import { toStandardLazyResponse } from '@orpc/standard-server-fetch'
import { ServerPeer } from '@orpc/standard-server-peer'
import type { WebSocket, WebSocketServer } from 'ws'
import type { BodyBudget } from '../shared/body-budget.ts'
import { SottoError } from '../shared/errors.ts'
import { SESSION_ENDED, STREAMS_PROTOCOL, streamProcedures } from '../shared/stream-procedures.ts'

/** The longest message of a window: a question of four million characters. */
const MAX_MESSAGE_BYTES = 26 * 1024 * 1024
/** As many as there can be windows. */
const MAX_CONNECTIONS = 200
const CLOSE_WITHIN_MS = 500
/** Connections without a session that wait until the other side closes them. */
const MAX_REFUSED = 20
/** Close codes of RFC 6455, section 7.4.1, and of its registry. */
const UNACCEPTABLE = 1003
const TRY_AGAIN_LATER = 1013

/** What a valid token of a window permits. */
export interface StreamCaller {
  readonly serve: (request: Request) => Promise<Response>
  /** Aborted when the window is signed out. */
  readonly ended: AbortSignal
}

export interface WindowStreams extends Disposable {
  /**
   * Takes over a connection. The caller has checked the request's path, Host and Origin; this checks the token of the
   * window, which the browser sends as the second subprotocol, and checks it again for each request.
   */
  accept(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
}

/**
 * The streams of the browser's windows: one WebSocket for each window, with the procedures of
 * {@link streamProcedures} and no others (RFC 6455, framing by oRPC's peer).
 * @param authenticate - null for an invalid token
 */
export function createWindowStreams(
  authenticate: (token: string) => StreamCaller | null,
  bodies: BodyBudget,
): WindowStreams {
  let loading: Promise<WebSocketServer> | undefined
  const connected = new Set<WebSocket>()
  const refused = new Set<WebSocket>()
  let isClosed = false

  async function accept(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    loading ??= load()
    const server = await loading
    const token = tokenOf(incoming)
    const caller = authenticate(token)
    // A caller without a session costs no memory: nothing that it sends is read, and few may wait for their close code.
    if (isClosed || (!caller && refused.size >= MAX_REFUSED)) return void socket.destroy()
    server.handleUpgrade(incoming, socket, head, (accepted) => {
      accepted.on('error', () => accepted.terminate())
      if (caller && connected.size < MAX_CONNECTIONS) return read(accepted, token, caller)
      refused.add(accepted)
      accepted.on('close', () => refused.delete(accepted))
      close(accepted, caller ? TRY_AGAIN_LATER : SESSION_ENDED)
    })
  }

  function read(socket: WebSocket, token: string, caller: StreamCaller): void {
    connected.add(socket)
    const peer = new ServerPeer(
      (message) =>
        new Promise<void>((sent, failed) => {
          // A body of bytes would be a Uint8Array; no stream has one.
          socket.send(typeof message === 'string' ? message : '', (fault) => {
            if (!fault) return sent()
            // Before the peer forgets the stream whose message wasn't sent.
            peer.close()
            failed(fault)
          })
        }),
    )
    // The streams end now, whether or not the window takes part in closing the connection.
    const end = (code: number): void => {
      peer.close()
      close(socket, code)
    }
    const endSession = (): void => end(SESSION_ENDED)
    caller.ended.addEventListener('abort', endSession, { once: true })
    socket.on('close', () => {
      connected.delete(socket)
      caller.ended.removeEventListener('abort', endSession)
      peer.close()
    })
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) return end(UNACCEPTABLE)
      // Rejects for a message that isn't of the protocol, which has no answer, and for a stream that broke, which was
      // answered.
      void peer
        .message(data.toString('utf8'), (message) => answer(message, data.byteLength))
        .catch(() => undefined)
    })

    async function answer(message: StandardRequest, bytes: number): Promise<StandardResponse> {
      const current = authenticate(token)
      if (!current) endSession()
      const path = message.url.pathname.slice(1)
      if (!current || !streamProcedures.has(path)) return emptyResponse(current ? 404 : 401)
      try {
        using counted = bodies.begin(bytes, MAX_MESSAGE_BYTES)
        counted.add(bytes)
        const response = await current.serve(webRequest(path, message))
        return await standardResponse(untilAborted(response, message.signal))
      } catch (thrown) {
        // Without a response, the window would wait forever.
        return emptyResponse(thrown instanceof SottoError ? thrown.status : 500)
      }
    }
  }

  return {
    accept,
    [Symbol.dispose]() {
      isClosed = true
      for (const socket of [...connected, ...refused]) socket.terminate()
    },
  }
}

/** Closes a connection without reading from it any more, whether or not the other side takes part. */
function close(socket: WebSocket, code: number): void {
  socket.close(code)
  socket.pause()
  setTimeout(() => socket.terminate(), CLOSE_WITHIN_MS).unref()
}

/** Loaded for the first window, because commands and the desktop app have none in a browser. */
async function load(): Promise<WebSocketServer> {
  const ws = await import('ws')
  return new ws.WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    // One message after the other. The peer reads a request in more steps than its end, so that the end would be lost.
    allowSynchronousEvents: false,
    // A token isn't sent back.
    handleProtocols: (offered) => (offered.has(STREAMS_PROTOCOL) ? STREAMS_PROTOCOL : false),
  })
}

function tokenOf({ headers }: IncomingMessage): string {
  const [protocol, token = ''] = (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((part) => part.trim())
  return protocol === STREAMS_PROTOCOL ? token : ''
}

/** The path is one of {@link streamProcedures}, so that no text of the message becomes part of the address. */
function webRequest(path: string, { body, signal }: StandardRequest): Request {
  return new Request(`http://sotto.invalid/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': 'orpc' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
}

async function standardResponse(response: Response): Promise<StandardResponse> {
  const { status, headers, body } = toStandardLazyResponse(response)
  return { status, headers, body: await body() }
}

/**
 * Cancels the body when the caller leaves. oRPC's peer only stops reading it, so a source that ignores the signal would
 * stay in memory, with a timer.
 */
function untilAborted(response: Response, signal: AbortSignal | undefined): Response {
  const body = response.body?.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), signal && { signal })
  return new Response(body, response)
}

function emptyResponse(status: number): StandardResponse {
  return { status, headers: {}, body: undefined }
}

import type { IncomingMessage, ServerResponse } from 'node:http'

type Socket = IncomingMessage['socket']

/** Created once, because an abort without a reason creates an error with a stack each time. */
const GONE = new Error('the caller went away')

/** The callers that wait for an answer on each connection. */
const waiting = new WeakMap<Socket, Set<AbortController>>()

/**
 * Returns a signal that aborts when the caller disconnects before its answer is complete. It watches the
 * connection, because a pipelined request (RFC 9112 section 9.3.2) has a response that closes only when its
 * turn comes.
 */
export function callerGone({ socket }: IncomingMessage, response: ServerResponse): AbortSignal {
  const caller = new AbortController()
  // The caller may have disconnected while its body was read. Then nothing is sent.
  if (socket.destroyed) caller.abort(GONE)
  const here = waiting.get(socket) ?? watch(socket)
  here.add(caller)
  response.once('finish', () => here.delete(caller))
  return caller.signal
}

/** Adds one listener to a connection, for all requests on it. */
function watch(socket: Socket): Set<AbortController> {
  const here = new Set<AbortController>()
  waiting.set(socket, here)
  socket.once('close', () => {
    for (const caller of here) caller.abort(GONE)
  })
  return here
}

/**
 * Resolves when the caller can receive more or has disconnected. Bytes that the caller doesn't read aren't
 * read from the service.
 */
export function drained(response: ServerResponse, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle)
      gone.removeEventListener('abort', settle)
      resolve()
    }
    if (gone.aborted) return resolve()
    response.on('drain', settle)
    gone.addEventListener('abort', settle)
  })
}

import type { IncomingMessage, ServerResponse } from 'node:http'

type Socket = IncomingMessage['socket']

/** Made once: an abort without a reason makes an error with a stack each time. */
const GONE = new Error('the caller went away')

/** Whoever waits for an answer on each connection. */
const waiting = new WeakMap<Socket, Set<AbortController>>()

/**
 * Aborted when the caller goes away before its answer is written whole. It is the connection that is watched: a request
 * that stands behind another one on it (pipelining, RFC 9112 section 9.3.2) has a response of its own, which closes only
 * once its turn has come.
 */
export function callerGone({ socket }: IncomingMessage, response: ServerResponse): AbortSignal {
  const caller = new AbortController()
  // It may have gone while its body was read; nothing is sent for nobody.
  if (socket.destroyed) caller.abort(GONE)
  const here = waiting.get(socket) ?? watch(socket)
  here.add(caller)
  response.once('finish', () => here.delete(caller))
  return caller.signal
}

/** One listener for a connection, however many requests come on it. */
function watch(socket: Socket): Set<AbortController> {
  const here = new Set<AbortController>()
  waiting.set(socket, here)
  socket.once('close', () => {
    for (const caller of here) caller.abort(GONE)
  })
  return here
}

/** The caller takes more, or is gone: what it does not read is not read from the service. */
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

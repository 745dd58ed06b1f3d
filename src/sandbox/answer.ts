import type { ServerResponse } from 'node:http'
import type { ResponseSealer } from './ehbp/exchange.ts'

/** A fault that stops an answer on its way. */
export type Interruption = 'cut-inside-frame' | 'cut-on-frame-boundary' | 'stalled-stream'

interface Outgoing {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Each piece is sent in a separate write, and sealed into a separate frame if there is a sealer. */
  readonly pieces: Iterable<string> | AsyncIterable<string>
  readonly sealer?: ResponseSealer | undefined
  readonly interruption?: Interruption | undefined
  /** How many pieces arrive whole before the interruption. */
  readonly interruptAfter?: number
  /** Written behind the last piece. */
  readonly trailers?: Readonly<Record<string, string>>
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal
}

/**
 * Writes an answer piece by piece, no faster than the client reads it. @throws AbortError if the client
 * disconnects
 */
export async function sendAnswer(response: ServerResponse, outgoing: Outgoing): Promise<void> {
  const { sealer, interruption, signal, trailers } = outgoing
  response.writeHead(outgoing.status, {
    ...outgoing.headers,
    ...(sealer && { 'ehbp-response-nonce': sealer.nonce }),
    ...(trailers && { trailer: Object.keys(trailers).join(', ') }),
  })
  response.flushHeaders()
  let sent = 0
  for await (const piece of outgoing.pieces) {
    const bytes = sealer ? sealer.frame(Buffer.from(piece)) : Buffer.from(piece)
    if (interruption && sent === (outgoing.interruptAfter ?? 0))
      return interrupt(response, interruption, bytes, signal)
    if (!response.write(bytes)) await drained(response, signal)
    sent += 1
  }
  if (trailers) response.addTrailers(trailers)
  response.end()
}

/** The connection ends as cleanly as after a whole answer, or not at all. */
async function interrupt(
  response: ServerResponse,
  interruption: Interruption,
  next: Buffer,
  signal: AbortSignal,
): Promise<void> {
  switch (interruption) {
    case 'cut-inside-frame':
      response.end(next.subarray(0, Math.ceil(next.length / 2)))
      return
    case 'cut-on-frame-boundary':
      response.end()
      return
    case 'stalled-stream':
      await aborted(signal)
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Resolves when more can be written. @throws AbortError if the client disconnects first */
async function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    response.on('drain', done)
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
  signal.throwIfAborted()
}

/** Splits a body into two pieces, so that there is a boundary inside it. */
export function halves(body: string): string[] {
  const middle = Math.floor(body.length / 2)
  return [body.slice(0, middle), body.slice(middle)]
}

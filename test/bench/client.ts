import { Agent, request as httpRequest } from 'node:http'

/** The address and content of a request. */
export interface Target {
  readonly port: number
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: Buffer
}

export interface Timing {
  /** Milliseconds until the first byte of the answer's body, and until its end. */
  readonly first: number
  readonly end: number
}

const TIMEOUT_MS = 60_000

/** Sends a request over a keep-alive connection. Throws on any status except 200, and after a minute. */
export function send(agent: Agent, { port, path, headers, body }: Target): Promise<Timing> {
  return new Promise((done, fail) => {
    const start = performance.now()
    let first: number | undefined
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port,
        agent,
        method: 'POST',
        path,
        timeout: TIMEOUT_MS,
        headers: { 'content-type': 'application/json', 'content-length': body.byteLength, ...headers },
      },
      (response) => {
        if (response.statusCode !== 200)
          fail(new Error(`port ${String(port)} answered ${String(response.statusCode)}`))
        response.on('data', () => (first ??= performance.now() - start))
        response.on('end', () => done({ first: first ?? NaN, end: performance.now() - start }))
        response.on('error', fail)
      },
    )
    request.on('timeout', () => request.destroy(new Error(`port ${String(port)} said nothing for a minute`)))
    request.on('error', fail)
    request.end(body)
  })
}

export function keepAlive(callers: number): Agent {
  return new Agent({ keepAlive: true, maxSockets: callers, scheduling: 'lifo' })
}

/**
 * Sends `count` requests from `callers` concurrent callers within at most `deadlineMs`. Returns the number of
 * answers, the elapsed milliseconds, and the time of each.
 */
export async function saturate(
  agent: Agent,
  target: Target,
  { callers, count, deadlineMs }: { callers: number; count: number; deadlineMs: number },
): Promise<{ answered: number; elapsedMs: number; ends: number[] }> {
  const start = performance.now()
  let begun = 0
  const ends: number[] = []
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (begun < count && performance.now() - start < deadlineMs) {
        begun += 1
        ends.push((await send(agent, target)).end)
      }
    }),
  )
  return { answered: ends.length, elapsedMs: performance.now() - start, ends }
}

/** A clock that all processes of this machine share, in ms. */
export const sharedNow = (): number => performance.timeOrigin + performance.now()

/** Sends a request and disconnects at the first byte. Resolves with the time of the disconnection. */
export function leave({ port, path, headers, body }: Target): Promise<number> {
  return new Promise((left, fail) => {
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port,
        agent: false,
        method: 'POST',
        path,
        timeout: TIMEOUT_MS,
        headers: { 'content-type': 'application/json', 'content-length': body.byteLength, ...headers },
      },
      (response) => {
        if (response.statusCode !== 200)
          return fail(new Error(`port ${String(port)} answered ${String(response.statusCode)}`))
        response.on('error', () => undefined)
        response.once('data', () => {
          left(sharedNow())
          request.destroy()
        })
      },
    )
    request.on('timeout', () => request.destroy(new Error(`port ${String(port)} said nothing for a minute`)))
    request.on('error', fail)
    request.end(body)
  })
}

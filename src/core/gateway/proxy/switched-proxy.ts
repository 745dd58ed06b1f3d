import { startProxy, type ProxyOptions, type ProxyServer } from './proxy-server.ts'

/** The proxy, which can be stopped while Sotto goes on. */
export interface SwitchedProxy extends ProxyServer {
  readonly serving: boolean
  /**
   * Off: its ports are closed, and requests under way end. On: at the same address on loopback, since programs were told that
   * one; what is beyond is to be opened anew. Throws proxy/port-taken where somebody else has it meanwhile.
   */
  serve(on: boolean): Promise<void>
}

/** Starts it. Throws proxy/port-taken. */
export async function startSwitchedProxy(options: ProxyOptions): Promise<SwitchedProxy> {
  let server = await startProxy(options)
  const { port, baseUrl } = server
  let serving = true
  let ended = false
  let last: Promise<unknown> = Promise.resolve()
  /** One after the other, so that a port is never asked for while it is being closed. */
  function runInOrder(work: () => Promise<void>): Promise<void> {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
  async function stop(): Promise<void> {
    if (!serving) return
    serving = false
    await server.close()
  }
  return {
    port,
    baseUrl,
    get serving() {
      return serving
    },
    serve: (on) =>
      runInOrder(async () => {
        if (!on) await stop()
        else if (!serving && !ended) {
          server = await startProxy({ ...options, port, mayMove: false })
          serving = true
        }
      }),
    endRequests: (keyId) => server.endRequests(keyId),
    reach: (at) => server.reach(at),
    close: () => {
      ended = true
      return runInOrder(stop)
    },
  }
}

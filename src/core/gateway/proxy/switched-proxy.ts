import { startProxy, type ProxyOptions, type ProxyServer } from './proxy-server.ts'

/** The proxy, which can be stopped while Sotto keeps running. */
export interface SwitchedProxy extends ProxyServer {
  readonly serving: boolean
  /**
   * Switches the proxy. Off: its ports are closed and requests in progress end. On: it listens at the same
   * loopback address, because programs are configured with it. Addresses beyond loopback must be added again.
   * @throws {SottoError} proxy/port-taken – another program uses the port now
   */
  serve(on: boolean): Promise<void>
}

/** Starts the proxy. @throws {SottoError} proxy/port-taken */
export async function startSwitchedProxy(options: ProxyOptions): Promise<SwitchedProxy> {
  let server = await startProxy(options)
  const { port, baseUrl } = server
  let serving = true
  let ended = false
  let last: Promise<unknown> = Promise.resolve()
  /** Runs the changes one after the other, so that a port isn't requested while it's being closed. */
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
    listenAt: (at) => server.listenAt(at),
    close: () => {
      ended = true
      return runInOrder(stop)
    },
  }
}

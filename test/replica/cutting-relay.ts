import { once } from 'node:events'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** A TCP relay to a server's Unix socket, which delays bytes and cuts its connections. */
export interface CuttingRelay {
  /** Address of the database by way of the relay. */
  readonly address: string
  /** Ends all connections at once. Bytes on their way are lost. */
  cut(): void
}

/**
 * Starts a relay, which ends with the test.
 * @param address of a test database: `postgres:///NAME?host=FOLDER&user=USER`
 * @param delayMs returns the delay of the next bytes
 */
export async function startCuttingRelay(address: string, delayMs: () => number): Promise<CuttingRelay> {
  const url = new URL(address)
  const path = `${url.searchParams.get('host') ?? ''}/.s.PGSQL.5432`
  const sockets = new Set<Socket>()
  const add = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  }
  const server = createServer((client) => {
    const upstream = connect(path)
    add(client)
    add(upstream)
    void pass(client, upstream)
    void pass(upstream, client)
  })
  async function pass(from: Socket, to: Socket): Promise<void> {
    try {
      for await (const bytes of from) {
        await setTimeout(delayMs())
        if (!to.write(bytes as Buffer)) await once(to, 'drain')
      }
    } catch {
      // Cut.
    }
    to.destroy()
    from.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const user = url.searchParams.get('user') ?? ''
  return { address: `postgres://${user}@127.0.0.1:${String(port)}${url.pathname}`, cut }
}

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

export interface SocksServer extends AsyncDisposable {
  readonly port: number
  /** Each request: host, port, and whether the host is a name or an address. */
  readonly asked: { readonly host: string; readonly port: number; readonly byName: boolean }[]
  /** User names and passwords as they arrived. */
  readonly credentials: { readonly user: string; readonly password: string }[]
}

/**
 * A SOCKS 5 server (RFC 1928, and RFC 1929 if a password is required) that leads every connection to one port here, or refuses it.
 *
 * @param reply of the server to CONNECT: 0 is granted
 */
export async function startSocksServer(
  target: () => number,
  { reply = 0, password = false } = {},
): Promise<SocksServer> {
  const asked: SocksServer['asked'] = []
  const credentials: SocksServer['credentials'] = []
  const sockets = new Set<Socket>()

  async function serve(socket: Socket): Promise<void> {
    const take = taking(socket)
    const [, methods = 0] = await take(2)
    await take(methods)
    socket.write(Buffer.from([5, password ? 2 : 0]))
    if (password) {
      const [, length = 0] = await take(2)
      const user = (await take(length)).toString()
      credentials.push({ user, password: (await take((await take(1))[0] ?? 0)).toString() })
      socket.write(Buffer.from([1, 0]))
    }
    const [, , , type] = await take(4)
    const byName = type === 3
    const host = byName
      ? (await take((await take(1))[0] ?? 0)).toString()
      : (await take(type === 1 ? 4 : 16)).join('.')
    asked.push({ host, port: (await take(2)).readUInt16BE(), byName })
    if (reply !== 0) return void socket.end(Buffer.from([5, reply, 0, 1, 0, 0, 0, 0, 0, 0]))
    const onward = connect(target(), '127.0.0.1')
    sockets.add(onward)
    onward.on('error', () => socket.destroy())
    await once(onward, 'connect')
    socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
    socket.pipe(onward).pipe(socket)
  }

  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    serve(socket).catch(() => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    credentials,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Takes exactly so many bytes of what arrives. */
function taking(socket: Socket): (count: number) => Promise<Buffer> {
  return async (count) => {
    if (count === 0) return Buffer.alloc(0)
    for (;;) {
      const bytes = socket.read(count) as Buffer | null
      if (bytes) return bytes
      await once(socket, 'readable')
      if (socket.readableEnded) throw new Error('the client left')
    }
  }
}

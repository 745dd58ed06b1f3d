import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { publicKeyOf, signEvent, type NostrEvent } from '../../../../src/sandbox/nwc/event.ts'
import { conversationKey, decrypt, encrypt } from '../../../../src/sandbox/nwc/nip44.ts'

export interface Asked {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  readonly event: NostrEvent
  /** The index of the relay that received the request. */
  readonly relay: number
}

/** `raw`: sent unchanged, in place of sealed content. */
export type Reply =
  | { readonly result: unknown }
  | { readonly error: { readonly code: string; readonly message: string } }
  | { readonly raw: string }
  | { readonly text: string }
  | undefined

export interface ScriptedWallet extends AsyncDisposable {
  /** `nostr+walletconnect://…` */
  readonly connection: string
  readonly walletKey: Uint8Array
  readonly clientSecret: string
  readonly asked: Asked[]
  /** Types of the messages of each connection, in their order: `REQ`, `EVENT`, … */
  readonly frames: string[][]
  /** Drops all connections. */
  drop(): void
  /** Sends an event to all subscribers, as a relay would. */
  broadcast(event: NostrEvent): void
  reply(to: NostrEvent, body: object): NostrEvent
}

export interface Script {
  readonly relays?: number
  /** Content and encryption tag of the info event; `null`: the wallet publishes no info event. */
  readonly info?:
    | { readonly content?: string; readonly encryption?: string | null; readonly at?: number }[]
    | null
  readonly answer?: (asked: Asked) => Reply | Promise<Reply>
  /** A relay that never reports the end of its stored events. */
  readonly withoutEose?: boolean
  /** A relay that accepts no events. */
  readonly rejects?: boolean
}

/**
 * A wallet (NIP-47) and its relays in this process. They use another implementation of NIP-01 and NIP-44 than the
 * code under test.
 */
export async function startScriptedWallet({
  relays = 1,
  info = [{}],
  answer = () => undefined,
  withoutEose = false,
  rejects = false,
}: Script = {}): Promise<ScriptedWallet> {
  const [walletKey, clientKey] = [randomBytes(32), randomBytes(32)]
  const shared = conversationKey(walletKey, publicKeyOf(clientKey))
  const asked: Asked[] = []
  const frames: string[][] = []
  const listening = new Map<WebSocket, { id: string; filter: { kinds: number[] } }>()
  const stored = (info ?? []).map(
    ({
      content = 'pay_invoice lookup_invoice get_balance get_info',
      encryption = 'nip44_v2',
      at = 1_700_000_000,
    }) => signEvent(13_194, encryption === null ? [] : [['encryption', encryption]], content, walletKey, at),
  )
  const sealed = (content: string, to: NostrEvent) =>
    signEvent(
      23_195,
      [
        ['p', to.pubkey],
        ['e', to.id],
      ],
      content,
      walletKey,
      Math.floor(Date.now() / 1000),
    )
  const reply = (to: NostrEvent, body: object) =>
    sealed(encrypt(JSON.stringify(body), shared, randomBytes(32)), to)
  const broadcast = (event: NostrEvent) => {
    for (const [socket, { id, filter }] of listening)
      if (filter.kinds.includes(event.kind)) socket.send(JSON.stringify(['EVENT', id, event]))
  }

  async function take(event: NostrEvent, relay: number): Promise<void> {
    const request = {
      ...(JSON.parse(decrypt(event.content, shared)) as { method: string; params: Record<string, unknown> }),
      event,
      relay,
    }
    asked.push(request)
    const answered = await answer(request)
    if (answered === undefined) return
    if ('raw' in answered) broadcast(sealed(answered.raw, event))
    else if ('text' in answered) broadcast(sealed(encrypt(answered.text, shared, randomBytes(32)), event))
    else broadcast(reply(event, { result_type: request.method, ...answered }))
  }

  const servers = await Promise.all(
    Array.from({ length: relays }, async (_, relay) => {
      const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
      await once(server, 'listening')
      server.on('connection', (socket) => {
        const seen: string[] = []
        frames.push(seen)
        socket.on('close', () => listening.delete(socket))
        socket.on('message', (data: Buffer) => {
          const [type, first, filter] = JSON.parse(data.toString()) as [string, unknown, { kinds: number[] }]
          seen.push(type)
          if (type === 'REQ') {
            listening.set(socket, { id: String(first), filter })
            for (const event of stored)
              if (filter.kinds.includes(event.kind)) socket.send(JSON.stringify(['EVENT', first, event]))
            if (!withoutEose) socket.send(JSON.stringify(['EOSE', first]))
          }
          if (type === 'EVENT') {
            const event = first as NostrEvent
            socket.send(JSON.stringify(['OK', event.id, !rejects, rejects ? 'blocked: no' : '']))
            if (!rejects) void take(event, relay)
          }
        })
      })
      return server
    }),
  )
  const addresses = servers.map(
    (server) => `ws://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
  )
  const clientSecret = clientKey.toString('hex')
  return {
    connection: `nostr+walletconnect://${publicKeyOf(walletKey)}?${addresses.map((address) => `relay=${encodeURIComponent(address)}`).join('&')}&secret=${clientSecret}`,
    walletKey,
    clientSecret,
    asked,
    frames,
    broadcast,
    reply,
    drop: () => {
      for (const server of servers) for (const socket of server.clients) socket.terminate()
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) {
        for (const socket of server.clients) socket.terminate()
        server.close()
        await once(server, 'close')
      }
    },
  }
}

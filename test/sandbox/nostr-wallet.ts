import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { publicKeyOf, signEvent, type NostrEvent } from '../../src/sandbox/nwc/event.ts'
import { conversationKey, decrypt, encrypt } from '../../src/sandbox/nwc/nip44.ts'

export interface NostrWallet extends AsyncDisposable {
  /** `nostr+walletconnect://…` */
  readonly url: string
  readonly relay: string
  /** Invoices that the wallet was asked to pay. */
  readonly asked: string[]
}

export interface WalletOptions {
  /** The content of its info event; with null, it publishes no info event. */
  readonly capabilities?: string | null
  readonly encryption?: string
  /** @returns the preimage, or the wallet's error code */
  readonly pay: (invoice: string) => Promise<{ readonly preimage: string } | { readonly code: string }>
}

/** Starts a relay (NIP-01) and a wallet (NIP-47) in this process, on loopback. */
export async function startNostrWallet({
  capabilities = 'pay_invoice get_balance',
  encryption = 'nip44_v2',
  pay,
}: WalletOptions): Promise<NostrWallet> {
  const [walletKey, clientKey] = [randomBytes(32), randomBytes(32)]
  const shared = conversationKey(walletKey, publicKeyOf(clientKey))
  const asked: string[] = []
  const stored =
    capabilities === null
      ? []
      : [signEvent(13_194, [['encryption', encryption]], capabilities, walletKey, 1_700_000_000)]
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')

  async function answer(event: NostrEvent): Promise<NostrEvent> {
    const { method, params } = JSON.parse(decrypt(event.content, shared)) as {
      method: string
      params: { invoice: string }
    }
    asked.push(params.invoice)
    const paid = await pay(params.invoice)
    const body =
      'preimage' in paid
        ? { result_type: method, error: null, result: paid }
        : { result_type: method, error: { code: paid.code, message: 'no' }, result: null }
    return signEvent(
      23_195,
      [
        ['p', event.pubkey],
        ['e', event.id],
      ],
      encrypt(JSON.stringify(body), shared, randomBytes(32)),
      walletKey,
      event.created_at,
    )
  }

  server.on('connection', (socket: WebSocket) => {
    let subscription = ''
    socket.on('message', (data: Buffer) => {
      const [type, first, filter] = JSON.parse(data.toString()) as [string, unknown, { kinds: number[] }]
      if (type === 'REQ') {
        subscription = String(first)
        for (const event of stored)
          if (filter.kinds.includes(event.kind)) socket.send(JSON.stringify(['EVENT', subscription, event]))
        socket.send(JSON.stringify(['EOSE', subscription]))
      }
      if (type === 'EVENT') {
        void answer(first as NostrEvent).then((event) => {
          // A client must ignore an answer signed by another key, and an answer whose signature doesn't match.
          socket.send(
            JSON.stringify([
              'EVENT',
              subscription,
              signEvent(23_195, event.tags, event.content, randomBytes(32), event.created_at),
            ]),
          )
          socket.send(JSON.stringify(['EVENT', subscription, { ...event, content: `${event.content}x` }]))
          socket.send(JSON.stringify(['EVENT', subscription, event]))
        })
      }
    })
  })
  const relay = `ws://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  return {
    url: `nostr+walletconnect://${publicKeyOf(walletKey)}?relay=${encodeURIComponent(relay)}&secret=${clientKey.toString('hex')}`,
    relay,
    asked,
    async [Symbol.asyncDispose]() {
      for (const socket of server.clients) socket.terminate()
      server.close()
      await once(server, 'close')
    },
  }
}

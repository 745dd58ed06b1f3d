import * as ldk from 'lightningdevkit'
import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Paid } from '../control.ts'
import type { IssuedInvoice, LightningNodes } from '../payment/lightning-node.ts'
import type { Funds } from '../wallet/index.ts'
import { LdkNode, type NodeEvents } from './ldk-node.ts'
import { fundingTransaction, RegtestChain } from './regtest-chain.ts'

const channelSat = 10_000_000n
/**
 * If the last block is older than this, another one is added before an invoice is created, because the
 * invoice has the time of the last block.
 */
const freshSeconds = 5

export interface RealNodes extends LightningNodes {
  /** The funds are those in the channel. */
  readonly funds: Funds & { balance(): bigint }
  /** Payments that arrive are not claimed until they are released: hold invoices. */
  hold(): void
  release(): void
}

type Settled = (paid: Paid & { readonly feeMsat?: bigint }) => void

let loaded: Promise<void> | undefined

/**
 * Starts two Lightning nodes with a channel between them, on a separate chain: one pays the invoices of the
 * other.
 */
export async function startLdkNodes(): Promise<RealNodes> {
  await (loaded ??= load())
  return new LdkNodes()
}

async function load(): Promise<void> {
  const binary = await readFile(fileURLToPath(import.meta.resolve('lightningdevkit/liblightningjs.wasm')))
  // The library prints its version on standard output, which is reserved for the sandbox's own output.
  const { log } = console
  Object.assign(console, { log: () => undefined })
  try {
    await ldk.initializeWasmFromBinary(binary)
  } finally {
    Object.assign(console, { log })
  }
}

class LdkNodes implements RealNodes {
  readonly #preimages = new Map<string, Uint8Array>()
  readonly #paying = new Map<string, Settled>()
  readonly #listeners = new Set<(paymentHash: string) => void>()
  readonly #held = new Set<string>()
  readonly #payer: LdkNode
  readonly #service: LdkNode
  readonly #chain: RegtestChain
  /** Bytes between the two; a node is not read from within its own sending. */
  readonly #wire: (() => void)[] = []
  #holding = false

  constructor() {
    const network = ldk.Network.LDKNetwork_Regtest
    const now = Date.now()
    this.#chain = new RegtestChain(ldk.BestBlock.constructor_from_network(network).get_block_hash())
    let funding: Uint8Array | undefined
    const silent: NodeEvents = {
      claimable: () => undefined,
      claimed: () => undefined,
      sent: () => undefined,
      failed: () => undefined,
      fund: () => undefined,
    }
    this.#payer = new LdkNode(randomBytes(32), now, network, {
      ...silent,
      sent: (paymentHash, preimage, feeMsat) => this.#settle(paymentHash, { preimage, feeMsat }),
      failed: (paymentHash) => this.#settle(paymentHash, { failed: 'unknown' }),
      fund: (event) => {
        funding = fundingTransaction(event.channel_value_satoshis, event.output_script)
        mustBe(
          this.#payer.manager.funding_transaction_generated(
            event.temporary_channel_id,
            event.counterparty_node_id,
            funding,
          ),
        )
      },
    })
    this.#service = new LdkNode(randomBytes(32), now, network, {
      ...silent,
      claimable: (paymentHash) =>
        this.#holding ? void this.#held.add(paymentHash) : this.#claim(paymentHash),
      claimed: (paymentHash) => this.#listeners.forEach((listener) => listener(paymentHash)),
    })
    this.#join()
    mustBe(this.#payer.manager.create_channel(this.#service.id, channelSat, 0n, 1n, null, null))
    this.#work()
    if (!funding) throw new Error('the channel was not opened')
    this.#mine([funding])
    this.#mine([])
    if (this.#payer.manager.list_usable_channels().length !== 1) throw new Error('the channel cannot be used')
  }

  readonly invoices = {
    invoice: (sat: bigint, description: string, _now: number, expirySeconds: number): IssuedInvoice =>
      this.#invoice(sat, description, expirySeconds),
  }

  readonly funds = {
    balance: (): bigint =>
      this.#payer.manager
        .list_usable_channels()
        .reduce((sum, channel) => sum + channel.get_outbound_capacity_msat(), 0n),
    fee: (): bigint => 0n,
    pay: (invoice: string): Promise<Paid & { readonly feeMsat?: bigint }> => this.#pay(invoice),
  }

  onPaid(listener: (paymentHash: string) => void): void {
    this.#listeners.add(listener)
  }

  hold(): void {
    this.#holding = true
  }

  release(): void {
    this.#holding = false
    for (const paymentHash of this.#held) this.#claim(paymentHash)
    this.#held.clear()
    this.#work()
  }

  close(): Promise<void> {
    for (const paymentHash of this.#paying.keys()) this.#settle(paymentHash, { failed: 'unknown' })
    return Promise.resolve()
  }

  #invoice(sat: bigint, description: string, expirySeconds: number): IssuedInvoice {
    if (Math.floor(Date.now() / 1000) - this.#chain.time >= freshSeconds) this.#mine([])
    const preimage = randomBytes(32)
    const paymentHash = createHash('sha256').update(preimage).digest()
    const created = ldk.UtilMethods.constructor_create_invoice_from_channelmanager_with_payment_hash(
      this.#service.manager,
      ldk.Option_u64Z.constructor_some(sat * 1000n),
      description,
      expirySeconds,
      paymentHash,
      ldk.Option_u16Z.constructor_none(),
    )
    if (!(created instanceof ldk.Result_Bolt11InvoiceSignOrCreationErrorZ_OK))
      throw new Error('the node made no invoice')
    this.#preimages.set(paymentHash.toString('hex'), preimage)
    return {
      invoice: created.res.to_str(),
      paymentHash: paymentHash.toString('hex'),
      preimage: preimage.toString('hex'),
    }
  }

  #pay(text: string): Promise<Paid & { readonly feeMsat?: bigint }> {
    const invoice = ldk.Bolt11Invoice.constructor_from_str(text)
    if (!(invoice instanceof ldk.Result_Bolt11InvoiceParseOrSemanticErrorZ_OK))
      return Promise.resolve({ failed: 'unknown' })
    // The library has no clock of its own here, and would pay it.
    if (invoice.res.would_expire(BigInt(Math.floor(Date.now() / 1000))))
      return Promise.resolve({ failed: 'expired' })
    const parameters = ldk.UtilMethods.constructor_payment_parameters_from_invoice(invoice.res)
    if (
      !(parameters instanceof ldk.Result_C3Tuple_ThirtyTwoBytesRecipientOnionFieldsRouteParametersZNoneZ_OK)
    )
      return Promise.resolve({ failed: 'unknown' })
    const paymentHash = invoice.res.payment_hash()
    const key = Buffer.from(paymentHash).toString('hex')
    return new Promise((resolve) => {
      this.#paying.set(key, resolve)
      // The node identifies a payment by its hash, and doesn't accept the same one twice.
      const sent = this.#payer.manager.send_payment(
        paymentHash,
        parameters.res.get_b(),
        paymentHash,
        parameters.res.get_c(),
        ldk.Retry.constructor_attempts(0),
      )
      if (!sent.is_ok()) {
        const error = sent instanceof ldk.Result_NoneRetryableSendFailureZ_Err ? sent.err : undefined
        this.#settle(key, {
          failed:
            error === ldk.RetryableSendFailure.LDKRetryableSendFailure_PaymentExpired ? 'expired' : 'unknown',
        })
      }
      this.#work()
    })
  }

  #settle(paymentHash: string, paid: Parameters<Settled>[0]): void {
    this.#paying.get(paymentHash)?.(paid)
    this.#paying.delete(paymentHash)
  }

  #claim(paymentHash: string): void {
    const preimage = this.#preimages.get(paymentHash)
    if (preimage) this.#service.manager.claim_funds(preimage)
  }

  #mine(transactions: readonly Uint8Array[]): void {
    const { header, height } = this.#chain.mine(Date.now())
    for (const node of [this.#payer, this.#service]) node.connect(header, height, transactions)
    this.#work()
  }

  /** Until neither has anything to say to the other. */
  #work(): void {
    for (let busy = true; busy;) {
      const more = [this.#payer.work(), this.#service.work()].some(Boolean)
      busy = more || this.#wire.length > 0
      for (const deliver of this.#wire.splice(0)) deliver()
    }
  }

  #join(): void {
    const ends: ldk.SocketDescriptor[] = []
    const end = (number: bigint, reader: () => LdkNode, other: number) =>
      ldk.SocketDescriptor.new_impl({
        send_data: (data) => {
          const bytes = data.slice()
          this.#wire.push(() => {
            const far = ends[other]
            if (far) reader().peers.read_event(far, bytes)
          })
          return data.length
        },
        disconnect_socket: () => undefined,
        eq: (descriptor) => descriptor.hash() === number,
        hash: () => number,
      })
    const [ofPayer, ofService] = [end(1n, () => this.#service, 1), end(2n, () => this.#payer, 0)]
    ends.push(ofPayer, ofService)
    mustBe(
      this.#service.peers.new_inbound_connection(ofService, ldk.Option_SocketAddressZ.constructor_none()),
    )
    const hello = this.#payer.peers.new_outbound_connection(
      this.#service.id,
      ofPayer,
      ldk.Option_SocketAddressZ.constructor_none(),
    )
    if (!(hello instanceof ldk.Result_CVec_u8ZPeerHandleErrorZ_OK))
      throw new Error('the nodes cannot be joined')
    this.#service.peers.read_event(ofService, hello.res)
    this.#work()
  }
}

function mustBe(result: { is_ok(): boolean }): void {
  if (!result.is_ok()) throw new Error(`the node refused: ${result.constructor.name}`)
}

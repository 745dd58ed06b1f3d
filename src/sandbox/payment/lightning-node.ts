import { createHash } from 'node:crypto'
import type { RandomBytes } from '../random.ts'
import type { Funds } from '../wallet/index.ts'
import { encodeInvoice } from './bolt11.ts'

export interface IssuedInvoice {
  /** BOLT 11, regtest. */
  readonly invoice: string
  /** Hexadecimal; SHA-256 of the preimage. */
  readonly paymentHash: string
  /** Hexadecimal. Only who pays learns it. */
  readonly preimage: string
}

/** The source of invoices. */
export interface InvoiceSource {
  /** @param now Unix ms */
  invoice(sat: bigint, description: string, now: number, expirySeconds: number): IssuedInvoice
}

/** The sandbox's node: it signs invoices, and has no channels. */
export class LightningNode implements InvoiceSource {
  readonly #key: Buffer
  readonly #random: RandomBytes

  /** @param key secp256k1, 32 bytes */
  constructor(key: Buffer, random: RandomBytes) {
    this.#key = key
    this.#random = random
  }

  invoice(sat: bigint, description: string, now: number, expirySeconds: number): IssuedInvoice {
    const preimage = this.#random(32)
    const paymentHash = createHash('sha256').update(preimage).digest()
    const invoice = encodeInvoice(
      {
        amountMsat: sat * 1000n,
        timestamp: Math.floor(now / 1000),
        paymentHash,
        paymentSecret: this.#random(32),
        description,
        expirySeconds,
      },
      this.#key,
    )
    return { invoice, paymentHash: paymentHash.toString('hex'), preimage: preimage.toString('hex') }
  }
}

/** Whether a preimage, 64 hexadecimal digits, proves the payment of this hash. */
export function provesPayment(preimage: string, paymentHash: string): boolean {
  return (
    /^[0-9a-f]{64}$/.test(preimage) &&
    createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex') === paymentHash
  )
}

/** Nodes that settle invoices with each other, instead of the simulated node. */
export interface LightningNodes {
  /** The node that receives the service's payments. */
  readonly invoices: InvoiceSource
  /** The node that pays for the sandbox's wallet. */
  readonly funds: Funds
  /** Called with each payment hash that the service's node received. */
  onPaid(listener: (paymentHash: string) => void): void
  close(): Promise<void>
}

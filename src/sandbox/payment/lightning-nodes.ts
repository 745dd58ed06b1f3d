import type { Funds } from '../wallet/index.ts'
import type { InvoiceSource } from './lightning-node.ts'

/** Nodes that settle invoices with one another, in the place of the one that pretends. */
export interface LightningNodes {
  /** Of the node that the service takes payments with. */
  readonly invoices: InvoiceSource
  /** Of the node that the sandbox's wallet pays with. */
  readonly funds: Funds
  /** Told of each payment hash when the service's node was paid. */
  onPaid(listener: (paymentHash: string) => void): void
  close(): Promise<void>
}

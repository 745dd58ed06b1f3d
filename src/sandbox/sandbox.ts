import type { SandboxControl } from './control.ts'
import type { LightningNodes } from './payment/lightning-node.ts'
import type { SandboxWallet, WalletFault } from './wallet/index.ts'
import type { ServiceEnclaveProvenance } from './world/service-enclave/provenance.ts'
import type { Profile } from '../shared/profile.ts'
import type { SandboxFault, SandboxPlatform } from '../shared/sandbox-faults.ts'
import type { TrustSet } from '../shared/trust.ts'

/** How an answer is written: with a person's patience in mind, or as fast as the reader takes it. */
export type Pace = 'human' | 'none'

/** Which of the two published variants of the interface is served. */
export type Revision = 'A' | 'B'

export interface SandboxOptions {
  /** Its own folder: made with mode 0700 where it is missing. Roots, accounts and ledger are kept in it. */
  readonly folder: string
  /** TCP port on 127.0.0.1; 0 or none: any that is free. */
  readonly port?: number
  /** Unix ms. */
  readonly now?: () => number
  readonly pace?: Pace
  /** B where none is given. */
  readonly revision?: Revision
  /** Whether the service has an enclave of its own for chat that isn't private; none by default, and never in Revision A. */
  readonly serviceEnclave?: boolean
  /** Where accounts and records are kept; in the folder where none is given. */
  readonly ledger?: 'file' | 'memory'
  /** Makes identifiers and keys repeatable. */
  readonly seed?: string
  /** Opens `POST /_sandbox/control` to who knows it. Without one there is no such path. */
  readonly controlToken?: string
  /** Real nodes, opened when the first invoice is asked for; without them the sandbox signs invoices, and its wallet pretends to pay. */
  readonly lightning?: () => Promise<LightningNodes>
}

/** One request as it arrived, whatever became of it. */
export interface ReceivedRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** Unix ms. */
  readonly at: number
  /** Bytes of the body that arrived so far. */
  readonly bodyBytes: number
  /** It carried an encapsulated key. */
  readonly sealed: boolean
  readonly apiKeyPresent: boolean
  /** The caller went away before the answer was complete. */
  readonly aborted: boolean
  /** The name of the router's prompt cache, once the enclave has read a sealed chat request. */
  readonly cacheSalt?: string
}

/** What one request has cost its account. While an answer is being written, its entry grows. */
export interface LedgerEntry {
  /** Unix ms. */
  readonly at: number
  /** `credit_id` of the account; the payment hash where an invoice paid for this request alone. */
  readonly account: string
  readonly model: string
  readonly inputTokens: number
  readonly outputTokens: number
  /** 10^-12 USD. */
  readonly picoUsd: bigint
  /** The caller went away; nothing was generated, or charged, after that. */
  readonly aborted: boolean
}

/** The remote service, pretended on loopback: real protocol and signatures under roots of its own, play money. */
export interface Sandbox {
  /** `http://127.0.0.1:PORT` */
  readonly baseUrl: string
  readonly profile: Profile
  /** The roots that its evidence chains to. The first to ask of a new folder has them minted, which takes the whole machine for a second or two. */
  trust(): Promise<TrustSet>
  /** The faults that are switched on. */
  faults(): SandboxFault[]
  setFault(fault: SandboxFault, on: boolean): void
  /** What the enclave stands on: SEV-SNP until it is moved. On each platform it has keys of its own. */
  platform(): SandboxPlatform
  setPlatform(platform: SandboxPlatform): void
  /** The enclave takes a new key once: what was sealed to the old one is refused with 422 key-config. */
  rotateKey(): void
  /** The newest requests since start or `clearReceived`, oldest first; at most 1000. */
  received(): readonly ReceivedRequest[]
  clearReceived(): void
  /** Every debit that its ledger knows, oldest first. */
  ledger(): readonly LedgerEntry[]
  /** What only its owner can do to it: money, invoices, and faults of single routes. */
  control(): Promise<SandboxControl>
  /** A Lightning wallet with pretended money, over a relay of its own (NIP-47). Neither is there before it is asked for. */
  wallet(): Promise<SandboxWallet>
  /** What that wallet is told to do wrong; asking opens nothing. */
  walletFault(): Promise<WalletFault | null>
  /**
   * Signs and logs where the published image of the service's enclave comes from.
   * @throws Error if the service has no enclave of its own
   */
  serviceEnclaveProvenance(): Promise<ServiceEnclaveProvenance>
  /** Ends every open answer. */
  close(): Promise<void>
}

import type { SandboxControl } from './control.ts'
import type { LightningNodes } from './payment/lightning-node.ts'
import type { SandboxWallet } from './wallet/index.ts'
import type { ServiceEnclaveProvenance } from './world/service-enclave/provenance.ts'
import type { Profile } from '../shared/profile.ts'
import type { SandboxFault, SandboxPlatform } from '../shared/sandbox-faults.ts'
import type { SandboxWalletFault } from '../shared/sandbox-wallet-faults.ts'
import type { TrustSet } from '../shared/trust.ts'

/** How an answer is written: with a person's patience in mind, or as fast as the reader takes it. */
export type Pace = 'human' | 'none'

/** Which of the two published variants of the interface is served. */
export type Revision = 'A' | 'B'

export interface SandboxOptions {
  /**
   * A separate folder, which is created with mode 0700 if it's missing. It has the roots, accounts and the
   * ledger.
   */
  readonly folder: string
  /** TCP port on 127.0.0.1; 0 or none: any that is free. */
  readonly port?: number
  /** Unix ms. */
  readonly now?: () => number
  readonly pace?: Pace
  /** B by default. */
  readonly revision?: Revision
  /** Whether the service has an enclave of its own for chat that isn't private; none by default, and never in Revision A. */
  readonly serviceEnclave?: boolean
  /** The storage of accounts and records; the folder by default. */
  readonly ledger?: 'file' | 'memory'
  /** Makes identifiers and keys repeatable. */
  readonly seed?: string
  /** Opens `POST /_sandbox/control` to who knows it. Without one there is no such path. */
  readonly controlToken?: string
  /**
   * Real nodes, which start with the first invoice. Without them the sandbox signs invoices, and its wallet
   * simulates the payments.
   */
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

/** The cost of one request for its account. While an answer is being written, its entry grows. */
export interface LedgerEntry {
  /** Unix ms. */
  readonly at: number
  /** `credit_id` of the account; the payment hash if an invoice paid for this request. */
  readonly account: string
  readonly model: string
  readonly inputTokens: number
  readonly outputTokens: number
  /** 10^-12 USD. */
  readonly picoUsd: bigint
  /** The caller went away; nothing was generated, or charged, after that. */
  readonly aborted: boolean
}

/**
 * The remote service, simulated on loopback: real protocol and signatures under its own roots, play money.
 */
export interface Sandbox {
  /** `http://127.0.0.1:PORT` */
  readonly baseUrl: string
  readonly profile: Profile
  /** The roots that its evidence chains to. The first to ask of a new folder has them minted, which takes the whole machine for a second or two. */
  trust(): Promise<TrustSet>
  /** The faults that are switched on. */
  faults(): SandboxFault[]
  setFault(fault: SandboxFault, on: boolean): void
  /** The platform of the enclave: SEV-SNP until it's changed. It has separate keys on each platform. */
  platform(): SandboxPlatform
  setPlatform(platform: SandboxPlatform): void
  /** Gives the enclave a new key: requests sealed to the old one are refused with 422 key-config. */
  rotateKey(): void
  /** The newest requests since start or `clearReceived`, oldest first; at most 1000. */
  received(): readonly ReceivedRequest[]
  clearReceived(): void
  /** Every debit that its ledger knows, oldest first. */
  ledger(): readonly LedgerEntry[]
  /** The operations that only its owner can use: money, invoices, and faults of single routes. */
  control(): Promise<SandboxControl>
  /**
   * A Lightning wallet with simulated money, over its own relay (NIP-47). Both are created on first use.
   */
  wallet(): Promise<SandboxWallet>
  /** The simulated fault of that wallet; reading it doesn't create the wallet. */
  walletFault(): Promise<SandboxWalletFault | null>
  /**
   * Signs and logs the provenance of the published image of the service's enclave.
   * @throws Error if the service has no enclave
   */
  serviceEnclaveProvenance(): Promise<ServiceEnclaveProvenance>
  /** Ends every open answer. */
  close(): Promise<void>
}

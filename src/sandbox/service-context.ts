import type { UsageReports } from './chat/completion.ts'
import type { ContextLimit } from './chat/plan.ts'
import type { Paid } from './control.ts'
import type { FaultSwitches } from './faults.ts'
import type { LedgerDatabase } from './ledger/database.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { Generations } from './media/generations.ts'
import type { AutomaticTopups } from './nwc/automatic-topup.ts'
import type { Challenges } from './payment/challenges.ts'
import type { Topups } from './payment/topups.ts'
import type { RandomBytes } from './random.ts'
import type { Pace, Revision, ReceivedRequest } from './sandbox.ts'
import type { SignedUrls } from './signed-urls.ts'
import type { SandboxWallet } from './wallet/index.ts'

/**
 * The shared state of all routes. The code that signs invoices is loaded on first use, because it takes a
 * while.
 */
export interface ServiceContext {
  /** `http://127.0.0.1:PORT` */
  readonly baseUrl: string
  readonly revision: Revision
  readonly database: LedgerDatabase
  readonly ledger: Ledger
  readonly signedUrls: SignedUrls
  readonly generations: Generations
  readonly faults: FaultSwitches
  readonly random: RandomBytes
  readonly now: () => number
  readonly pace: Pace
  readonly usage: UsageReports
  readonly contextLimit: ContextLimit
  /** The initial balance of a new account, 10^-12 USD. */
  readonly welcome: bigint
  readonly challenges: () => Promise<Challenges>
  readonly topups: () => Promise<Topups>
  readonly automaticTopups: () => Promise<AutomaticTopups>
  /** Pays an invoice of this sandbox. */
  pay(invoice: string): Promise<Paid>
  readonly wallet: () => Promise<SandboxWallet>
  /** Undefined before its first use. */
  readonly openedWallet: () => Promise<SandboxWallet> | undefined
  /** Cancels the requests to wallets, and closes the ledger. */
  close(): Promise<void>
}

/** A request as the log goes on writing it. */
export type LogEntry = { -readonly [key in keyof ReceivedRequest]: ReceivedRequest[key] }

const capacity = 1000

/** The newest requests, oldest first; an entry goes on changing until its request is done. */
export class ReceivedLog {
  #entries: LogEntry[] = []

  add(request: ReceivedRequest): LogEntry {
    const entry = { ...request }
    this.#entries.push(entry)
    if (this.#entries.length > capacity) this.#entries.shift()
    return entry
  }

  list(): readonly ReceivedRequest[] {
    return this.#entries.map((entry) => ({ ...entry }))
  }

  clear(): void {
    this.#entries = []
  }
}

import type { UsageReport } from './chat/completion.ts'
import type { QueryRecord } from './ledger/record.ts'
import type { TopupStatus } from './payment/topups.ts'
import type { FaultyRoute, RouteFault, RouteFaults } from './route/faults.ts'
import type { ServiceContext } from './service-context.ts'
import type { SandboxWallet } from './wallet/index.ts'

/** The sandbox plays the payer's wallet too: the preimage, or why the invoice cannot be paid. */
export type Paid = { readonly preimage: string } | { readonly failed: 'unknown' | 'expired' | 'paid' }

/** The operations that only the owner of a sandbox can use. Amounts are 10^-12 USD. */
export interface SandboxControl {
  createAccount(picoUsd: bigint): { readonly creditId: string; readonly apiKey: string }
  /** The ledger's first account, which is created with this balance if there is none. */
  firstAccount(picoUsd: bigint): { readonly creditId: string; readonly apiKey: string }
  /** @throws Error for an unknown id */
  setBalance(creditId: string, picoUsd: bigint): void
  /** Pays a BOLT 11 invoice of this sandbox, for a top-up or a challenge. */
  pay(invoice: string): Promise<Paid>
  /** The sandbox's wallet, which is created on first use: its connections, payments and faults. */
  wallet(): Promise<SandboxWallet>
  /** Settles a top-up, as if its address was paid. */
  settleTopup(invoiceId: string): Promise<'settled' | 'expired' | 'paid' | 'unknown'>
  expireTopup(invoiceId: string): Promise<void>
  /** Pays a part of a top-up, the rest, or too much. @param units of the coin's smallest unit. @returns the status from then on */
  receiveTopup(invoiceId: string, units: bigint): Promise<TopupStatus | 'unknown'>
  /** A clip that is not done fails, and costs an account nothing. What an invoice paid stays paid: no answer gives it back. */
  failVideo(id: string): 'failed' | 'done' | 'unknown'
  /** Sets the members of `usage` that the following answers report. An absent member is off. */
  reportUsage(report: Partial<UsageReport>): void
  /** Whether requests longer than a model's context are refused. */
  enforceContextLength(on: boolean): void
  /** @param route `POST /v1/chat/completions` @throws RangeError for a route that is not there, or cannot fail so */
  setRouteFault(route: string, fault: RouteFault | null): void
  routes(): (FaultyRoute & { readonly fault: RouteFault | null })[]
  routeFaults(): Readonly<Record<string, RouteFault>>
  records(): readonly QueryRecord[]
  /** Accounts whose balance isn't the sum of their deposits less their records. Always empty. */
  unbalanced(): readonly string[]
}

export function createControl(context: ServiceContext, faults: RouteFaults): SandboxControl {
  const { ledger, now } = context
  return {
    createAccount: (picoUsd) => ledger.createAccount(now(), picoUsd),
    firstAccount: (picoUsd) => {
      const creditId = ledger.accounts.oldest()
      const key = creditId === undefined ? undefined : ledger.keys.list(creditId, false, now())[0]
      return key ? { creditId: key.creditId, apiKey: key.apiKey } : ledger.createAccount(now(), picoUsd)
    },
    setBalance: (creditId, picoUsd) => {
      const balance = ledger.accounts.balance(creditId)
      if (balance === undefined) throw new Error('no such account in the sandbox')
      ledger.accounts.deposit(creditId, picoUsd - balance, 'control', now())
    },
    pay: (invoice) => context.pay(invoice),
    wallet: () => context.wallet(),
    settleTopup: async (invoiceId) => (await context.topups()).settle(invoiceId, now()) ?? 'unknown',
    expireTopup: async (invoiceId) => (await context.topups()).expire(invoiceId, now()),
    receiveTopup: async (invoiceId, units) =>
      (await context.topups()).receive(invoiceId, units, now()) ?? 'unknown',
    failVideo: (id) => {
      const job = context.generations.find(id)
      if (job?.recipe.kind !== 'video') return 'unknown'
      if (job.readyAt <= now() || job.error !== null) return 'done'
      context.database.atomically(() => {
        context.generations.fail(id, 'Simulated failure of the sandbox')
        ledger.fail(job.recordId, 'upstream_error')
      })
      return 'failed'
    },
    reportUsage: (report) => {
      context.usage.current = { cost: false, cached: 0, reasoning: 0, ...report }
    },
    enforceContextLength: (on) => {
      context.contextLimit.enforced = on
    },
    setRouteFault: (route, fault) => faults.set(route, fault),
    routes: () => faults.routes(),
    routeFaults: () => faults.list(),
    records: () => ledger.records(),
    unbalanced: () => ledger.accounts.unbalanced(),
  }
}

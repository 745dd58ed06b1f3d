import type { Accounts, AutomaticTopup } from '../ledger/accounts.ts'
import { dollars } from '../route/schemas.ts'
import { provesPayment } from '../payment/lightning-node.ts'
import { topupMethods } from '../payment/methods.ts'
import type { Topups } from '../payment/topups.ts'
import type { RandomBytes } from '../random.ts'
import { readConnectionString } from './connection-string.ts'
import { WalletConnection, WalletError } from './connection.ts'

const infoTimeoutMs = 10_000
const paymentTimeoutMs = 60_000
/** The pause after a wallet failed, whatever is spent during that time. */
const restMs = 60_000

/**
 * Why a wallet was not connected: the string is invalid, or the wallet doesn't support the required
 * methods.
 */
export type Refused = { readonly fault: string } | { readonly unable: string }

interface AutomaticTopupParts {
  readonly accounts: Accounts
  readonly topups: () => Promise<Topups>
  readonly random: RandomBytes
  readonly now: () => number
  /** The accounts with a wallet; updated here, and read by the code that debits. */
  readonly watched: Set<string>
  /** Aborted when the sandbox closes. */
  readonly closing: AbortSignal
  /**
   * The current connection, if the wallet with this public key is the sandbox's own: its relay moves at
   * each start.
   */
  readonly ownWallet: (publicKey: string) => Promise<string | undefined>
}

/**
 * Charges connected wallets (NIP-47) if a balance is below its threshold: one invoice at a time for each
 * account.
 */
export class AutomaticTopups {
  readonly #parts: AutomaticTopupParts
  readonly #charging = new Set<string>()
  readonly #resting = new Map<string, number>()

  constructor(parts: AutomaticTopupParts) {
    this.#parts = parts
  }

  /** Checks the wallet's methods before anything is stored. */
  async connect(creditId: string, wanted: AutomaticTopup): Promise<Refused | undefined> {
    const address = await this.#address(wanted.nwcUrl)
    if ('fault' in address) return address
    try {
      const { methods, nip44 } = await new WalletConnection(
        address,
        this.#parts.random,
        this.#patience(infoTimeoutMs),
      ).capabilities()
      if (!methods.includes('pay_invoice')) return { unable: 'The wallet does not support pay_invoice' }
      if (!nip44) return { unable: 'The wallet does not support nip44_v2' }
    } catch (error) {
      if (error instanceof WalletError) return { unable: `Couldn’t reach the wallet: ${error.message}` }
      throw error
    }
    this.#parts.accounts.setAutomaticTopup(creditId, wanted)
    this.#parts.watched.add(creditId)
    this.#resting.delete(creditId)
    void this.check(creditId)
    return undefined
  }

  disconnect(creditId: string): void {
    this.#parts.accounts.setAutomaticTopup(creditId, null)
    this.#parts.watched.delete(creditId)
  }

  /** Charges the wallet if the balance is below the threshold, and resolves when that is complete. */
  async check(creditId: string): Promise<void> {
    const { now } = this.#parts
    if (this.#charging.has(creditId) || (this.#resting.get(creditId) ?? 0) > now()) return
    this.#charging.add(creditId)
    try {
      await this.#chargeIfLow(creditId)
    } catch {
      // Also after the sandbox was closed. An unpaid invoice isn't credited, and expires.
      this.#resting.set(creditId, now() + restMs)
    } finally {
      this.#charging.delete(creditId)
    }
  }

  async #chargeIfLow(creditId: string): Promise<void> {
    const { accounts } = this.#parts
    const settings = accounts.automaticTopup(creditId)
    const balance = accounts.balance(creditId)
    if (settings && balance !== undefined && balance < settings.threshold)
      await this.#charge(creditId, settings)
  }

  async #charge(creditId: string, { nwcUrl, amount }: AutomaticTopup): Promise<void> {
    const { now, random } = this.#parts
    const address = await this.#address(nwcUrl)
    const [lightning] = topupMethods
    if ('fault' in address || !lightning) throw new Error('the wallet can’t be charged')
    const topups = await this.#parts.topups()
    const topup = topups.create(
      creditId,
      lightning,
      { amount: dollars(amount), currency: 'USD' },
      amount,
      now(),
    )
    const preimage = await new WalletConnection(address, random, this.#patience(paymentTimeoutMs)).payInvoice(
      topup.destination,
      Math.floor(Date.now() / 1000),
    )
    // Only the preimage proves the payment, not the wallet's claim.
    if (topup.paymentHash === null || !provesPayment(preimage, topup.paymentHash))
      throw new Error('the preimage doesn’t match the invoice')
    topups.settle(topup.invoiceId, now())
  }

  async #address(nwcUrl: string): Promise<ReturnType<typeof readConnectionString>> {
    const address = readConnectionString(nwcUrl)
    const ownWallet =
      'fault' in address
        ? undefined
        : readConnectionString((await this.#parts.ownWallet(address.walletPublicKey)) ?? '')
    return 'fault' in address || !ownWallet || 'fault' in ownWallet
      ? address
      : { ...address, relay: ownWallet.relay }
  }

  #patience(ms: number): AbortSignal {
    return AbortSignal.any([this.#parts.closing, AbortSignal.timeout(ms)])
  }
}

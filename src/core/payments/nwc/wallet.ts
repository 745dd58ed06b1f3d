import type { Dial } from '../../../shared/fetch.ts'
import { SottoError } from '../../../shared/errors.ts'
import { msg } from '../../../shared/localized-text.ts'
import { readInvoice } from '../invoice.ts'
import type { LightningWallet } from '../lightning-wallet.ts'
import {
  balanceOf,
  budgetOf,
  lookedUpOf,
  outcomeOf,
  proofOf,
  refusalOf,
  type WalletBudget,
} from './answers.ts'
import {
  announcedCapabilities,
  announcedMethods,
  capabilitiesOf,
  type WalletCapabilities,
} from './capabilities.ts'
import type { NwcConnection } from './connection.ts'
import { WalletQuestions, type Answer, type Method } from './questions.ts'
import { dialDirectly } from './relay-lines.ts'

export interface NwcWalletOptions {
  readonly now: () => number
  /** As found when the connection was created; `capabilities` updates it. False by default. */
  readonly canLookUp?: boolean
  /** Connects to a relay; directly by default. */
  readonly dial?: Dial
  /**
   * How long the wallet's answer is awaited after sending, in ms: for a payment, whose outcome is then
   * unknown, and for other requests.
   */
  readonly timeouts?: { readonly pay: number; readonly answer: number }
}

/** A wallet behind Nostr relays (NIP-47). It connects at the first request. */
export interface NwcWallet extends LightningWallet, AsyncDisposable {
  /** Hosts of its relays. */
  readonly relays: readonly string[]
  /**
   * Requests the permissions of the connection.
   * @throws {SottoError} wallet/unreachable, wallet/encryption, wallet/cannot-pay; the wallet's refusal:
   * wallet/refused, wallet/rate-limited, …
   */
  capabilities(signal?: AbortSignal): Promise<WalletCapabilities>
  /** Returns msat; undefined if the wallet doesn't report it. @throws {SottoError} wallet/unreachable */
  balance(signal?: AbortSignal): Promise<bigint | undefined>
  /**
   * Returns undefined if there is none or the wallet doesn't report it (it isn't part of NIP-47).
   * @throws {SottoError} wallet/unreachable
   */
  budget(signal?: AbortSignal): Promise<WalletBudget | undefined>
}

/** Some payments take more than a minute. After this time, a lookup is more useful than waiting. */
const usualTimeouts = { pay: 90_000, answer: 15_000 }

const never = new AbortController().signal

/** A connection may be permitted to pay but not to request its permissions. */
const WITHOUT_INFO: ReadonlySet<string> = new Set(['NOT_IMPLEMENTED', 'RESTRICTED'])

/**
 * Creates the wallet. It connects at the first request.
 * @param connection with a spending key, which remains in this process
 */
export function createNwcWallet(
  connection: NwcConnection,
  { now, canLookUp = false, dial = dialDirectly, timeouts = usualTimeouts }: NwcWalletOptions,
): NwcWallet {
  const questions = new WalletQuestions(connection, dial, now)
  let looksUp = canLookUp

  function ask(
    method: Method,
    params: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Answer> {
    return questions.ask({
      method,
      params,
      signal,
      timeoutMs: timeouts.answer,
      expiresAt: now() + Math.max(timeouts.answer, 60_000),
    })
  }

  /** @returns undefined if the wallet doesn't support this method, or not for this connection */
  async function tell(method: Method, signal: AbortSignal): Promise<unknown> {
    const answer = await ask(method, {}, signal)
    if (answer.kind === 'result') return answer.result
    if (answer.kind === 'error' && refusalOf(answer.code) !== undefined) return undefined
    throw new SottoError('wallet/unreachable')
  }

  return {
    publicKey: connection.publicKey,
    relays: connection.relayHosts,
    get canLookUp() {
      return looksUp
    },

    async pay(invoice, { expiresAt, sendBefore = expiresAt, signal, onLater }) {
      // An expired invoice isn't sent: the wallet's clock may be behind.
      if (sendBefore <= now()) return { outcome: 'not-paid', code: 'payment/expired' }
      const paymentHash = hashOf(invoice)
      const answer = await questions.ask({
        method: 'pay_invoice',
        params: { invoice },
        expiresAt,
        signal,
        timeoutMs: timeouts.pay,
        toOne: true,
        ...(onLater && {
          onLater: (later: Answer) => {
            const proof = proofOf(later, paymentHash)
            if (proof) onLater(proof)
          },
        }),
      })
      return answer.kind === 'unsent' && signal.aborted
        ? { outcome: 'not-paid', code: 'request/canceled' }
        : outcomeOf(answer, paymentHash)
    },

    async lookUp(paymentHash, signal) {
      return lookedUpOf(await ask('lookup_invoice', { payment_hash: paymentHash }, signal), paymentHash)
    },

    async capabilities(signal = never) {
      const info = await questions.info(timeouts.answer, signal)
      if (info === undefined) throw new SottoError('wallet/unreachable')
      if (info === null)
        throw new SottoError('wallet/unreachable', { detail: msg('Its relay has no information about it.') })
      const announced = announcedMethods(info)
      const answer = await ask('get_info', {}, signal)
      const found =
        answer.kind === 'error' && WITHOUT_INFO.has(answer.code)
          ? announcedCapabilities(announced)
          : capabilitiesOf(announced, resultOf(answer))
      looksUp = found.canLookUp
      return found
    },

    balance: async (signal = never) => balanceOf(await tell('get_balance', signal)),
    budget: async (signal = never) => budgetOf(await tell('get_budget', signal)),

    [Symbol.asyncDispose]() {
      questions.close()
      return Promise.resolve()
    },
  }
}

/** Returns the payment hash of an invoice; if it's unreadable, an empty text, which no preimage proves. */
function hashOf(invoice: string): string {
  try {
    return readInvoice(invoice).paymentHash
  } catch {
    return ''
  }
}

function resultOf(answer: Answer): unknown {
  if (answer.kind === 'result') return answer.result
  throw new SottoError((answer.kind === 'error' && refusalOf(answer.code)) || 'wallet/unreachable')
}

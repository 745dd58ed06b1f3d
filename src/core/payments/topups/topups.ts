import { ChangeFeed } from '../../../shared/change-feed.ts'
import { SottoError } from '../../../shared/errors.ts'
import type { Fetch } from '../../../shared/fetch.ts'
import type { Caller } from '../../../shared/receipt.ts'
import type { Topup, TopupMethod } from '../../../shared/topup.ts'
import type { PaymentRecord } from '../../../shared/payment-record.ts'
import { msg } from '../../../shared/localized-text.ts'
import { LONGEST_TIMER_MS } from '../../../shared/sleep.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Payer } from '../index.ts'
import { readInvoice } from '../invoice.ts'
import type { PaymentNetwork } from '../uri.ts'
import { readPaymentMethods } from '../../gateway/service/account/read/payment-methods.ts'
import { readTopupStatus } from '../../gateway/service/account/read/topup-status.ts'
import { createTopup } from '../../gateway/service/account/topup.ts'
import type { SkippedEntries } from '../../gateway/relay/index.ts'
import type { CallOptions, Service } from '../../gateway/service/http/perform.ts'
import type { Store, TopupRecord } from '../../storage/index.ts'
import type { ExchangeRateCache } from '../wallet/index.ts'
import { waitForPayment } from '../wait-for-payment.ts'
import { checkAnswer, msatAsked, picoUsdAsked, type Asked } from './invoice-check.ts'
import { amountToAsk, knownMethods } from './topup-amount.ts'
import { afterAnswer, endOf, isAskedAbout, isOpen, pause } from './topup-poll.ts'
import { isAwaited, isPayable, paidFromHere, topupView } from './topup-view.ts'

/**
 * The top-up invoices of the accounts. The service creates them, and Sotto saves them and requests their
 * state until they have ended.
 */
export interface Topups extends AsyncDisposable {
  /** Returns the methods with the service's current limits. */
  methods(options?: CallOptions): Promise<TopupMethod[]>
  /**
   * Creates a top-up of the active account.
   * @throws {SottoError} service/no-account, `topup/amount-out-of-range`, service/…; `topup/invoice-invalid` –
   * it's saved with its problem
   */
  create(request: Asked, options?: CallOptions): Promise<Topup>
  /** The newest first. */
  list(): Topup[]
  /** Yields all top-ups first, then each changed one. */
  watch(signal: AbortSignal): AsyncGenerator<Topup[], void>
  /** @throws {SottoError} `topup/unknown`, account/unknown, service/… */
  check(topupId: string, options?: CallOptions): Promise<Topup>
  /** @throws {SottoError} `topup/unknown`, `topup/invoice-invalid`, payment/…, wallet/…, confirm/… */
  payFromWallet(
    topupId: string,
    by: { readonly caller: Caller; readonly from: string; readonly signal: AbortSignal | undefined },
  ): Promise<Topup>
  /** Returns its payment by the connected wallet, if there is one. @throws {SottoError} `topup/unknown` */
  paymentOf(topupId: string): PaymentRecord | undefined
  /** @throws {SottoError} `topup/unknown` */
  get(topupId: string): Topup
  /** @throws {SottoError} `topup/unknown`, `topup/pending` */
  forget(topupId: string): void
  /** Continues to request the state of top-ups that the service may still change. */
  resume(): void
}

export interface TopupsOptions {
  readonly store: Pick<Store, 'topups' | 'payments'>
  readonly accounts: Pick<Accounts, 'activeId' | 'accessOf' | 'access'>
  readonly payer: Pick<Payer, 'payInvoice' | 'credited' | 'changes'>
  readonly fetch: Fetch
  /** Unix ms. */
  readonly now: () => number
  readonly service: {
    readonly name: string
    readonly kind: 'sandbox' | 'service'
    readonly lightningNetwork: PaymentNetwork
  }
  /**
   * The value of a satoshi. Each invoice is compared with it, and each Lightning invoice in dollars updates
   * it.
   */
  readonly rate?: ExchangeRateCache
  readonly skipped: Pick<SkippedEntries, 'note'>
  /** Called when money arrived in an account. */
  readonly onSettled?: () => void
  /** Returns the time in ms until the state of a top-up is requested again. */
  readonly pause?: typeof pause
}

/**
 * Creates the top-ups. From the first `create`, `watch` or `resume` until disposal, it requests the state of
 * those that aren't settled. After a top-up is paid, it requests its state soon.
 */
export function createTopups({
  store,
  accounts,
  payer,
  fetch,
  now,
  service,
  skipped,
  rate,
  onSettled,
  pause: pauseOf = pause,
}: TopupsOptions): Topups {
  const changedIds = new ChangeFeed<string>()
  const noteChange = (topupId: string): void => changedIds.note(topupId, topupId)
  const ended = new AbortController()
  /** Unix ms of the last request of this process for each, and the number of consecutive failures. */
  const lastRequests = new Map<string, { at: number; failures: number }>()
  let timer: NodeJS.Timeout | undefined
  let asking: Promise<void> | null = null

  const paymentOf = ({ id, paymentHash }: TopupRecord): PaymentRecord | undefined =>
    paymentHash === undefined
      ? undefined
      : store.payments
          .byPaymentHash(paymentHash)
          .findLast(({ purpose }) => purpose.kind === 'topup' && purpose.topupId === id)
  const view = (record: TopupRecord): Topup =>
    topupView(record, paymentOf(record), {
      network: service.lightningNetwork,
      payable: service.kind === 'service',
      label: service.name,
      now: now(),
    })
  const known = (topupId: string): TopupRecord => store.topups.get(topupId) ?? fail('topup/unknown')
  const as = (accountId: string): Service => {
    const access = accounts.accessOf(accountId)
    return { fetch, access: () => access, now }
  }
  const methodsFrom = async (at: Service, options: CallOptions = {}): Promise<TopupMethod[]> =>
    knownMethods(skipped.note('methods', await readPaymentMethods(at, options)).entries)
  const askedAbout = (): TopupRecord[] => store.topups.list().filter((record) => isAskedAbout(record, now()))

  function keep(before: TopupRecord | null, after: TopupRecord): void {
    if (before && isSame(before, after)) return
    store.topups.put(after)
    noteChange(after.id)
    if (after.state !== 'settled') return
    onSettled?.()
    // The proof of its payment is no longer needed. If deleting it fails now, the next start deletes it.
    payer.credited(after.id)
  }

  async function ask(record: TopupRecord, { signal }: CallOptions = {}): Promise<TopupRecord> {
    const { id, accountId, invoiceId } = record
    let answer
    try {
      answer = await readTopupStatus(as(accountId), invoiceId, { signal })
      if (answer.id !== invoiceId)
        throw new SottoError('service/response-invalid', {
          detail: msg('The response is for another invoice.'),
        })
    } catch (thrown) {
      if (!(thrown instanceof SottoError && thrown.code === 'service/not-found')) throw thrown
      answer = null
    }
    // The record may have changed during the request.
    const current = known(id)
    const after = afterAnswer(current, answer, paymentOf(current), now())
    keep(current, after)
    return after
  }

  /** Returns Unix ms of the next request for this top-up. */
  function dueAt(record: TopupRecord): number {
    const last = lastRequests.get(record.id)
    // If the clock was set back, the time since the last request is unknown.
    if (!last || last.at > now()) return 0
    const due = last.at + pauseOf(record, now(), changedIds.isWatched) * 2 ** Math.min(last.failures, 6)
    // The window shows the end when it's reached, so the state is requested then.
    const end = endOf(record)
    return last.at < end ? Math.min(due, Math.max(end, now())) : due
  }

  async function askThoseDue(): Promise<void> {
    for (const record of askedAbout()) {
      if (ended.signal.aborted) return
      if (dueAt(record) > now()) continue
      const { at, failures } = lastRequests.get(record.id) ?? { at: now(), failures: 0 }
      const begun = { at: now(), failures }
      lastRequests.set(record.id, begun)
      if (at < endOf(record) && now() >= endOf(record)) noteChange(record.id)
      const outcome = await ask(record, { signal: ended.signal }).then(
        () => 0,
        () => failures + 1,
      )
      // If the entry was removed during the request to speed up the next one, the answer may be outdated.
      if (lastRequests.get(record.id) === begun) lastRequests.set(record.id, { at: now(), failures: outcome })
    }
  }

  /** No timer runs while there is no state to request. */
  function schedule(): void {
    clearTimeout(timer)
    if (ended.signal.aborted || asking) return
    const due = askedAbout().map(dueAt)
    if (due.length === 0) return
    timer = setTimeout(
      () => {
        asking = askThoseDue()
          .finally(() => {
            asking = null
            schedule()
          })
          .catch(() => {
            // An unreadable record is retried when a window watches, or when it's paid.
          })
      },
      Math.min(Math.max(0, Math.min(...due) - now()), LONGEST_TIMER_MS),
    )
    timer.unref()
  }
  function askSoon(topupId: string): void {
    lastRequests.delete(topupId)
    schedule()
  }

  async function followPayments(): Promise<void> {
    for await (const { purpose, state } of payer.changes(ended.signal)) {
      if (purpose.kind !== 'topup') continue
      noteChange(purpose.topupId)
      if (state !== 'paid') continue
      try {
        askSoon(purpose.topupId)
      } catch {
        // It's unreadable now. The next payment is still followed.
      }
    }
  }
  void followPayments().catch(() => undefined)

  return {
    methods: (options) => methodsFrom({ fetch, access: () => accounts.access(), now }, options),
    async create(wanted, options) {
      const accountId = accounts.activeId() ?? fail('service/no-account')
      const at = as(accountId)
      const amount = amountToAsk(wanted, await methodsFrom(at, options))
      const answer = await createTopup(
        at,
        { method: wanted.method, amount, currency: wanted.currency },
        options,
      )
      const checked = checkAnswer(wanted, answer, {
        network: service.lightningNetwork,
        now: now(),
        rate: rate?.now()?.picoUsdPerSat,
      })
      const { method, amount: text, currency } = wanted
      const record: TopupRecord = {
        id: crypto.randomUUID(),
        accountId,
        invoiceId: answer.id,
        method,
        amount: text,
        currency,
        createdAt: Math.trunc(now()),
        state: checked.problem === undefined ? 'new' : 'invalid',
        ...checked,
      }
      keep(null, record)
      learnRate(record)
      if (record.problem !== undefined)
        throw new SottoError('topup/invoice-invalid', { detail: msg('{words}', { words: record.problem }) })
      lastRequests.set(record.id, { at: now(), failures: 0 })
      schedule()
      return view(record)
    },
    list: () => store.topups.list().map(view),
    async *watch(signal) {
      const changes = changedIds.read(AbortSignal.any([signal, ended.signal]))
      try {
        // From here on no change is missed.
        await changes.next()
        for (const record of askedAbout())
          if (isOpen(record, paymentOf(record), now())) lastRequests.delete(record.id)
        schedule()
        yield store.topups.list().map(view)
        for await (const ids of changes) {
          const records = ids.flatMap((id) => store.topups.get(id) ?? [])
          if (records.length > 0) yield records.map(view)
        }
      } finally {
        await changes.return()
      }
    },
    check: async (topupId, options) => view(await ask(known(topupId), options)),
    async payFromWallet(topupId, { caller, from, signal }) {
      const record = known(topupId)
      const { lightningInvoice: invoice, problem, state } = record
      if (invoice === undefined || problem !== undefined || state === 'unknown')
        throw new SottoError('topup/invoice-invalid')
      if (state === 'settled' || state === 'processing') throw new SottoError('payment/already-paid')
      // For a payment in progress, the payer reports it.
      if (!paidFromHere(paymentOf(record)) && !isPayable(record, undefined, now()))
        throw new SottoError('payment/expired')
      const expectedMsat = msatAsked(record)
      const about = { topupId, invoice, caller, from, ...(expectedMsat !== undefined && { expectedMsat }) }
      try {
        await waitForPayment(
          { get: () => paymentOf(known(topupId)) ?? null },
          topupId,
          (gone) => payer.payInvoice(about, gone),
          signal,
        )
      } finally {
        noteChange(topupId)
        askSoon(topupId)
      }
      return view(known(topupId))
    },
    paymentOf: (topupId) => paymentOf(known(topupId)),
    get: (topupId) => view(known(topupId)),
    forget(topupId) {
      const record = known(topupId)
      const payment = paymentOf(record)
      // Without its account, its state can't be requested anymore.
      const orphaned = !hasAccount(record.accountId) && now() >= endOf(record) && !isAwaited(payment)
      if (!orphaned && isOpen(record, payment, now())) throw new SottoError('topup/pending')
      store.topups.remove(topupId)
      lastRequests.delete(topupId)
      noteChange(topupId)
    },
    resume() {
      schedule()
      for (const record of store.topups.list()) {
        // An earlier process may have ended between the two.
        if (record.state === 'settled' && paymentOf(record)?.state === 'paid') payer.credited(record.id)
      }
    },
    async [Symbol.asyncDispose]() {
      ended.abort()
      clearTimeout(timer)
      await asking
    },
  }

  /** Learns the rate, only from an invoice that passed the check. */
  function learnRate({ currency, lightningInvoice, problem, amount, method }: TopupRecord): void {
    if (currency !== 'USD' || problem !== undefined || lightningInvoice === undefined) return
    const { amountMsat } = readInvoice(lightningInvoice)
    if (amountMsat !== null) rate?.learn(picoUsdAsked({ method, amount, currency }), amountMsat)
  }

  function hasAccount(accountId: string): boolean {
    try {
      accounts.accessOf(accountId)
      return true
    } catch {
      return false
    }
  }
}

/** Whether an answer changed nothing. The other members of a record never change. */
function isSame(before: TopupRecord, after: TopupRecord): boolean {
  const [{ received: had }, { received: has }] = [before, after]
  return (
    before.state === after.state &&
    before.missingSince === after.missingSince &&
    had?.paid === has?.paid &&
    had?.due === has?.due &&
    (had === undefined) === (has === undefined)
  )
}

function fail(code: 'topup/unknown' | 'service/no-account'): never {
  throw new SottoError(code)
}

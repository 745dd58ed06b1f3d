import { SottoError } from '../../../shared/errors.ts'
import type { Fetch } from '../../../shared/fetch.ts'
import type { Caller } from '../../../shared/receipt.ts'
import type { Topup, TopupMethod } from '../../../shared/topup.ts'
import type { PaymentRecord } from '../../../shared/payment-record.ts'
import { msg } from '../../../shared/localized-text.ts'
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
import { TopupWatchers } from './topup-watchers.ts'

/** Topup invoices of the accounts: made at the service, kept here, and asked about until they have ended. */
export interface Topups extends AsyncDisposable {
  /** By the service's limits of now. */
  methods(options?: CallOptions): Promise<TopupMethod[]>
  /** For the active account. Throws service/no-account, topup/amount-out-of-range, topup/invoice-invalid (it is then kept, with its problem), service/…. */
  create(asked: Asked, options?: CallOptions): Promise<Topup>
  /** The newest first. */
  list(): Topup[]
  /** First all, then each that changed. */
  watch(signal: AbortSignal): AsyncGenerator<Topup[], void>
  /** Throws topup/unknown, account/unknown, service/…. */
  check(topupId: string, options?: CallOptions): Promise<Topup>
  /** Throws topup/unknown, topup/invoice-invalid, payment/…, wallet/…, confirm/…. */
  payFromWallet(
    topupId: string,
    by: { readonly caller: Caller; readonly from: string; readonly signal: AbortSignal | undefined },
  ): Promise<Topup>
  /** The payment of it by the connected wallet, if there is one. Throws topup/unknown. */
  paymentOf(topupId: string): PaymentRecord | undefined
  /** Throws topup/unknown. */
  get(topupId: string): Topup
  /** Throws topup/unknown, topup/pending. */
  forget(topupId: string): void
  /** Goes on asking about those that the service may still change. */
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
  /** What a satoshi is worth: each invoice is held to it, and each Lightning invoice in dollars tells it anew. */
  readonly rate?: ExchangeRateCache
  readonly skipped: Pick<SkippedEntries, 'note'>
  /** Money arrived on an account. */
  readonly onSettled?: () => void
  /** How long until one is asked about again, in ms. */
  readonly pause?: typeof pause
}

/**
 * Asks about those that aren't settled from the first `create`, `watch` or `resume` until it's disposed of. After a payment of one went
 * through, it asks about that one soon.
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
  const watchers = new TopupWatchers()
  const ended = new AbortController()
  /** Unix ms of when each was last asked about by this process, and how often that failed in a row. */
  const asked = new Map<string, { at: number; failures: number }>()
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
    watchers.changed(after.id)
    if (after.state !== 'settled') return
    onSettled?.()
    // The proof of its payment is of no more use. Where it cannot be dropped now, the next start drops it.
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
    // Much may have happened meanwhile.
    const current = known(id)
    const after = afterAnswer(current, answer, paymentOf(current), now())
    keep(current, after)
    return after
  }

  /** Unix ms of when this one is next to be asked about. */
  function dueAt(record: TopupRecord): number {
    const last = asked.get(record.id)
    // Where the clock was set back, nobody knows how long ago that was.
    if (!last || last.at > now()) return 0
    const due = last.at + pauseOf(record, now(), watchers.any) * 2 ** Math.min(last.failures, 6)
    // Its end is told when it comes, and whether it was paid in time is worth asking then.
    const end = endOf(record)
    return last.at < end ? Math.min(due, Math.max(end, now())) : due
  }

  async function askThoseDue(): Promise<void> {
    for (const record of askedAbout()) {
      if (ended.signal.aborted) return
      if (dueAt(record) > now()) continue
      const { at, failures } = asked.get(record.id) ?? { at: now(), failures: 0 }
      const begun = { at: now(), failures }
      asked.set(record.id, begun)
      if (at < endOf(record) && now() >= endOf(record)) watchers.changed(record.id)
      const outcome = await ask(record, { signal: ended.signal }).then(
        () => 0,
        () => failures + 1,
      )
      // Who wants to know it soon took that away meanwhile: what was answered may be from before.
      if (asked.get(record.id) === begun) asked.set(record.id, { at: now(), failures: outcome })
    }
  }

  /** Nothing runs while there's nothing to ask about. */
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
            // What cannot be read now is asked about once somebody looks, or pays.
          })
      },
      Math.max(0, Math.min(...due) - now()),
    )
    timer.unref()
  }
  function askSoon(topupId: string): void {
    asked.delete(topupId)
    schedule()
  }

  async function followPayments(): Promise<void> {
    for await (const { purpose, state } of payer.changes(ended.signal)) {
      if (purpose.kind !== 'topup') continue
      watchers.changed(purpose.topupId)
      if (state !== 'paid') continue
      try {
        askSoon(purpose.topupId)
      } catch {
        // It cannot be read now: the next payment is followed all the same.
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
      asked.set(record.id, { at: now(), failures: 0 })
      schedule()
      return view(record)
    },
    list: () => store.topups.list().map(view),
    async *watch(signal) {
      const changes = watchers.watch(AbortSignal.any([signal, ended.signal]))
      try {
        // From here on nothing is missed.
        await changes.next()
        for (const record of askedAbout())
          if (isOpen(record, paymentOf(record), now())) asked.delete(record.id)
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
      // Of a payment that is under way the payer says so itself.
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
        watchers.changed(topupId)
        askSoon(topupId)
      }
      return view(known(topupId))
    },
    paymentOf: (topupId) => paymentOf(known(topupId)),
    get: (topupId) => view(known(topupId)),
    forget(topupId) {
      const record = known(topupId)
      const payment = paymentOf(record)
      // Without its account nobody can ask about it any more.
      const orphaned = !hasAccount(record.accountId) && now() >= endOf(record) && !isAwaited(payment)
      if (!orphaned && isOpen(record, payment, now())) throw new SottoError('topup/pending')
      store.topups.remove(topupId)
      asked.delete(topupId)
      watchers.changed(topupId)
    },
    resume() {
      schedule()
      for (const record of store.topups.list()) {
        // A process that ended between the two had not said so.
        if (record.state === 'settled' && paymentOf(record)?.state === 'paid') payer.credited(record.id)
      }
    },
    async [Symbol.asyncDispose]() {
      ended.abort()
      clearTimeout(timer)
      await asking
    },
  }

  /** Of what was judged to be payable alone. */
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

/** Whether an answer changed nothing. Everything else of a record stays as it was made. */
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

import { SottoError } from '../../shared/errors.ts'
import { raisings, type SpendingLimitsText } from '../../shared/lightning.ts'
import { msg, renderEnglish, type LocalizedText, type Value } from '../../shared/localized-text.ts'
import { parseUsd } from '../../shared/money.ts'
import type { Purchase } from '../../shared/purchase.ts'
import type { AutomaticTopupView, WalletConnection } from '../../shared/wallet.ts'
import { askerOf, confirmed } from '../app/confirm.ts'
import {
  connectAutomaticTopup,
  disconnectAutomaticTopup,
} from '../gateway/service/account/automatic-topup.ts'
import { readAutomaticTopup } from '../gateway/service/account/read/automatic-topup.ts'
import { sniffMedia } from '../../shared/sniff-media.ts'
import type { ApiContext } from '../rpc/context.ts'
import { eventsWithFailures } from '../rpc/failure.ts'
import type { Implementer } from '../rpc/implementer.ts'
import { wireDollars } from './accounts/wire-dollars.ts'
import { closingQuestion } from './question.ts'
import { exportRange } from './history/export-range.ts'
import { historyPlaceOf, listPage, type HistoryPlace } from './history/list-page.ts'
import { summarise } from './history/sum-up.ts'
import { isMaking, type PaymentRecord } from './index.ts'
import { payableAsk } from './purchase-ask.ts'
import { purchaseView } from './purchase-view.ts'
import { waitForPayment } from './wait-for-payment.ts'
import { readSpendingLimits, writeSpendingLimits } from './wallet/index.ts'
import { walletView } from './wallet/wallet-view.ts'

const MOST_LISTED = 500
/** The first delivered file is the response itself. */
const ANSWER = 0

/**
 * Handles purchasesContract. The ID of a top-up's payment is unknown here. Abandoning a payment and showing a
 * proof are confirmed outside the window first.
 * @throws {SottoError} vault/locked, request/invalid, privacy/path, payment/…, wallet/…, confirm/…, service/…
 */
export function purchasesArea(core: ApiContext, os: Implementer['purchases']) {
  const payer = () => core.open().payer
  const all = (records: readonly PaymentRecord[]): Purchase[] =>
    records.flatMap((record) => purchaseView(record, payer(), core.sandbox !== null) ?? [])
  function view(record: PaymentRecord | null): Purchase {
    const purchase = record && purchaseView(record, payer(), core.sandbox !== null)
    if (!purchase) throw new SottoError('payment/unknown')
    return purchase
  }
  /** Finds a single request. The payment of a top-up belongs to topupsContract. */
  function known(id: string): PaymentRecord {
    const record = payer().get(id)
    if (record?.purpose.kind !== 'request') throw new SottoError('payment/unknown')
    return record
  }

  return {
    dataEndpoints: os.dataEndpoints.handler(async () =>
      (await core.open().relay.dataEndpoints()).map(({ method, path, name, description, group, price }) => ({
        method,
        path,
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...(group !== undefined && { group }),
        ...(price !== undefined && { price: price.toString() }),
      })),
    ),
    quote: os.quote.handler(async ({ input, signal, context }) => {
      const id = await core.open().relay.quote({
        ask: payableAsk(input.ask),
        caller: { kind: context.caller.kind },
        signal: signal ?? new AbortController().signal,
      })
      return view(payer().get(id))
    }),
    pay: os.pay.handler(async ({ input: { purchaseId }, signal, context }) => {
      known(purchaseId)
      return view(
        await waitForPayment(
          payer(),
          purchaseId,
          (gone) => payer().pay(purchaseId, { asks: 'person', from: askerOf(context) }, gone),
          signal,
        ),
      )
    }),
    prove: os.prove.handler(async ({ input: { purchaseId, preimage }, signal }) => {
      known(purchaseId)
      return view(
        await waitForPayment(
          payer(),
          purchaseId,
          (gone) => payer().prove(purchaseId, preimage, gone),
          signal,
        ),
      )
    }),
    decline: os.decline.handler(({ input: { purchaseId } }) => {
      known(purchaseId)
      return view(payer().decline(purchaseId))
    }),
    retryDelivery: os.retryDelivery.handler(async ({ input: { purchaseId }, signal }) => {
      known(purchaseId)
      return view(
        await waitForPayment(payer(), purchaseId, (gone) => payer().retry(purchaseId, gone), signal),
      )
    }),
    abandon: os.abandon.handler(async ({ input: { purchaseId }, ...call }) => {
      const record = known(purchaseId)
      const { state, host, paymentHash, amountMsat } = record
      if (state === 'held' || state === 'unknown') {
        await confirmed(core, closingQuestion(record), call)
        return view(payer().abandon(purchaseId))
      }
      if (state !== 'undelivered' && !isMaking(record)) throw new SottoError('payment/cannot-close')
      await confirmed(
        core,
        msg(
          'Abandon the undelivered purchase from {host} for {amount} (payment {mark}…)? Sotto will never request it again and will delete its request from this computer. Requesting the same thing again means paying again. The proof of payment stays.',
          { host, amount: { msat: amountMsat.toString() }, mark: paymentHash.slice(0, 16) },
        ),
        call,
      )
      return view(payer().abandon(purchaseId))
    }),
    proof: os.proof.handler(async ({ input: { purchaseId }, ...call }) => {
      const { host, paymentHash } = known(purchaseId)
      await confirmed(
        core,
        msg(
          'Show the proof of payment {mark}… to {host} in the window? Until it’s delivered, anyone who sees the proof can claim the purchase.',
          { mark: paymentHash.slice(0, 16), host },
        ),
        call,
      )
      return { fileName: `sotto-payment-${paymentHash.slice(0, 16)}.txt`, text: payer().proof(purchaseId) }
    }),
    answer: os.answer.handler(async ({ input: { purchaseId } }) => {
      const { delivered } = known(purchaseId)
      const bytes = delivered && (await core.open().store.deliveredFiles.read(purchaseId, ANSWER))
      if (!bytes) throw new SottoError('payment/nothing-delivered')
      return { text: Buffer.from(bytes).toString('utf8') }
    }),
    file: os.file.handler(async ({ input: { purchaseId, index } }) => {
      const { delivered } = known(purchaseId)
      const bytes =
        index !== ANSWER && delivered?.files[index]
          ? await core.open().store.deliveredFiles.read(purchaseId, index)
          : null
      if (!bytes) throw new SottoError('payment/nothing-delivered')
      return new Blob([Uint8Array.from(bytes)], { type: sniffMedia(bytes) })
    }),
    list: os.list.handler(() => all(payer().list(MOST_LISTED))),
    watch: os.watch.handler(({ signal }) =>
      eventsWithFailures(watch(signal ?? new AbortController().signal)),
    ),
  }

  async function* watch(signal: AbortSignal): AsyncGenerator<Purchase[], void> {
    const ended = new AbortController()
    // Subscribes before the list is read, so that no change is lost between the two.
    const changes = payer().changes(AbortSignal.any([signal, ended.signal]))
    try {
      yield all(payer().list(MOST_LISTED))
      for await (const change of changes) {
        const changed = all([change])
        if (changed.length > 0) yield changed
      }
    } finally {
      ended.abort()
    }
  }
}

/**
 * Handles walletContract. Connecting a wallet, raising a limit and giving the service a spending key are
 * confirmed outside the window first.
 * @throws {SottoError} vault/locked, wallet/…, sandbox/off, request/invalid, service/…, store/damaged,
 * confirm/…
 */
export function walletArea(core: ApiContext, os: Implementer['wallet']) {
  const view = () => walletView(core.open())
  const service = () => ({ fetch: core.fetch, access: () => core.open().accounts.access(), now: core.now })

  return {
    get: os.get.handler(() => view()),
    connect: os.connect.handler(async ({ input, ...call }) => {
      await core
        .open()
        .wallet.connect(input.connection, (found) => confirmed(core, questionOf(found), call), call.signal)
      return view()
    }),
    // Simulated money needs no confirmation.
    connectSandbox: os.connectSandbox.handler(async ({ signal }) => {
      await core.open().wallet.connectSimulated(signal)
      return view()
    }),
    disconnect: os.disconnect.handler(async () => {
      await core.open().wallet.disconnect()
      return view()
    }),
    funds: os.funds.handler(({ signal }) => core.open().wallet.funds(signal)),
    setLimits: os.setLimits.handler(async ({ input, ...call }) => {
      const { settings } = core.open().store
      await confirmHigher(
        () => readSpendingLimits(settings),
        input,
        (more) =>
          confirmed(
            core,
            msg('Raise Sotto’s spending limits for the connected wallet: {more}?', { more }),
            call,
          ),
      )
      writeSpendingLimits(settings, input)
      return view()
    }),
    forgetHost: os.forgetHost.handler(({ input }) => {
      core.open().store.payments.forgetHost(input.host)
      return view()
    }),
    resume: os.resume.handler(() => {
      core.open().payer.resumeAfterPause()
      return view()
    }),

    automaticTopup: os.automaticTopup.handler(({ signal }) => automaticTopup(signal)),
    connectAutomaticTopup: os.connectAutomaticTopup.handler(async ({ input, ...call }) => {
      // A confirmation may take minutes. The account that was active at its start gets the key.
      const access = core.open().accounts.access()
      const connection = await connectionOf(input.connection)
      const { publicKey, relays } = await core.open().wallet.look(connection)
      if (await core.open().wallet.isConnected(connection)) throw new SottoError('wallet/same-connection')
      const [threshold, amount] = [
        wireDollars(input.threshold, 'threshold'),
        wireDollars(input.amount, 'amount'),
      ]
      const {
        service: { name },
      } = await core.status()
      const question = msg(
        'Give the service “{name}” a spending key for the wallet {wallet} ({relays})? It charges {amount} whenever the balance falls below {threshold}, within the wallet’s limits. This continues until you remove the connection in the wallet.',
        {
          wallet: publicKey,
          relays: relays.join(', '),
          name,
          amount: usdValue(input.amount),
          threshold: usdValue(input.threshold),
        },
      )
      await confirmed(core, question, call)
      await connectAutomaticTopup(
        { ...service(), access: () => access },
        { connection, threshold, amount },
        { signal: call.signal },
      )
      return automaticTopup(call.signal)
    }),
    disconnectAutomaticTopup: os.disconnectAutomaticTopup.handler(async ({ signal }) => {
      await disconnectAutomaticTopup(service(), { signal })
      return automaticTopup(signal)
    }),
  }

  async function automaticTopup(signal: AbortSignal | undefined): Promise<AutomaticTopupView> {
    const found = await readAutomaticTopup(service(), { signal })
    if (!found.connected) return { connected: false }
    return {
      connected: true,
      ...(found.threshold !== undefined && { threshold: found.threshold.toString() }),
      ...(found.amount !== undefined && { amount: found.amount.toString() }),
    }
  }

  /**
   * Replaces `sandbox` with the connection of the sandbox's wallet, so that a person doesn't have to copy it.
   */
  async function connectionOf(text: string): Promise<string> {
    return text === 'sandbox' && core.sandbox ? (await core.sandbox.wallet()).connection('service') : text
  }
}

/** Converts dollars in decimal text to a value for a message. */
function usdValue(dollars: string): Value {
  const picoUsd = parseUsd(dollars)
  if (picoUsd === null) throw new SottoError('request/invalid')
  return { usd: picoUsd.toString() }
}

function questionOf({ publicKey: wallet, relays, alias }: WalletConnection): LocalizedText {
  const by = { wallet, relays: relays.join(', ') }
  return alias === undefined
    ? msg('Connect the wallet {wallet} through {relays}? Sotto can then pay from it within your limits.', by)
    : msg(
        'Connect the wallet {wallet} through {relays}? It calls itself “{alias}”. Sotto can then pay from it within your limits.',
        { ...by, alias: alias.slice(0, 40) },
      )
}

/**
 * Asks until the person has allowed every increase, because the earlier limits can be lowered while a
 * question waits.
 */
async function confirmHigher(
  before: () => SpendingLimitsText,
  after: SpendingLimitsText,
  ask: (more: LocalizedText) => Promise<void>,
): Promise<void> {
  for (let allowed: readonly string[] = []; ;) {
    const higher = raisings(before(), after)
    if (higher.every((each) => allowed.includes(renderEnglish([each])))) return
    await ask(higher)
    allowed = higher.map((each) => renderEnglish([each]))
  }
}

/** Handles topupsContract. @throws {SottoError} vault/locked, and the errors of `Topups` */
export function topupsArea(core: ApiContext, os: Implementer['topups']) {
  const topups = () => core.open().topups
  return {
    methods: os.methods.handler(({ signal }) => topups().methods({ signal })),
    create: os.create.handler(({ input, signal }) => topups().create(input, { signal })),
    list: os.list.handler(() => topups().list()),
    watch: os.watch.handler(({ signal }) =>
      eventsWithFailures(topups().watch(signal ?? new AbortController().signal)),
    ),
    check: os.check.handler(({ input, signal }) => topups().check(input.topupId, { signal })),
    payFromWallet: os.payFromWallet.handler(({ input, signal, context }) =>
      topups().payFromWallet(input.topupId, {
        caller: { kind: context.caller.kind },
        from: askerOf(context),
        signal,
      }),
    ),
    closePayment: os.closePayment.handler(async ({ input: { topupId }, ...call }) => {
      const payment = topups().paymentOf(topupId)
      if (payment?.state !== 'held' && payment?.state !== 'unknown')
        throw new SottoError('payment/cannot-close')
      await confirmed(core, closingQuestion(payment), call)
      core.open().payer.abandon(payment.id)
      return topups().get(topupId)
    }),
    lowBalance: os.lowBalance.handler(() => ({ below: core.open().lowBalance.below() })),
    setLowBalance: os.setLowBalance.handler(async ({ input }) => {
      const { lowBalance } = core.open()
      lowBalance.setBelow(input.below)
      if (lowBalance.below() !== '0') await lowBalance.look()
      return { below: lowBalance.below() }
    }),
    forget: os.forget.handler(({ input }) => {
      topups().forget(input.topupId)
      return {}
    }),
  }
}

/** Handles historyContract. @throws {SottoError} vault/locked, request/invalid, service/… */
export function historyArea(core: ApiContext, os: Implementer['history']) {
  const never = new AbortController().signal
  const place = (): HistoryPlace => historyPlaceOf({ ...core.open(), fetch: core.fetch, now: core.now })
  return {
    page: os.page.handler(({ input, signal = never }) => listPage(place(), input, signal)),
    summary: os.summary.handler(({ input, signal = never }) =>
      eventsWithFailures(summarise(place(), input.filter, signal)),
    ),
    export: os.export.handler(({ input, signal = never }) =>
      eventsWithFailures(exportRange(place(), input.filter, input.format, signal)),
    ),
  }
}

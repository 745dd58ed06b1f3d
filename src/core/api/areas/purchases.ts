import { SottoError } from '../../../shared/errors.ts'
import type { Purchase } from '../../../shared/purchase.ts'
import { say } from '../../../shared/say.ts'
import { isMaking, type PaymentRecord } from '../../payment/index.ts'
import { closingQuestion } from '../closing-question.ts'
import { askerOf, confirmed } from '../confirmed.ts'
import type { ApiContext } from '../context.ts'
import { eventsWithFailures } from '../failure.ts'
import type { Implementer } from '../implementer.ts'
import { payableAsk } from '../purchase-ask.ts'
import { purchaseView } from '../purchase-view.ts'
import { sniffMedia } from '../../studio/index.ts'
import { waitForPayment } from '../wait-for-payment.ts'

const MOST_LISTED = 500
/** Of what was delivered, the first is the answer itself. */
const ANSWER = 0

/**
 * Answers purchasesContract. The id of a topup's payment is unknown here. Giving up and showing a proof are confirmed outside the window
 * first. Throws vault/locked, request/invalid, privacy/path, payment/…, wallet/…, confirm/…, service/….
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
  /** Of single requests alone: a topup's payment is another area's. */
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
    giveUp: os.giveUp.handler(async ({ input: { purchaseId }, ...call }) => {
      const record = known(purchaseId)
      const { state, host, paymentHash, amountMsat } = record
      if (state === 'held' || state === 'unknown') {
        await confirmed(core, closingQuestion(record), call)
        return view(payer().giveUp(purchaseId))
      }
      if (state !== 'undelivered' && !isMaking(record)) throw new SottoError('payment/cannot-close')
      await confirmed(
        core,
        say(
          'Abandon the undelivered purchase from {host} for {amount} (payment {mark}…)? Sotto will never request it again and will delete its request from this computer. Requesting the same thing again means paying again. The proof of payment stays.',
          { host, amount: { msat: amountMsat.toString() }, mark: paymentHash.slice(0, 16) },
        ),
        call,
      )
      return view(payer().giveUp(purchaseId))
    }),
    proof: os.proof.handler(async ({ input: { purchaseId }, ...call }) => {
      const { host, paymentHash } = known(purchaseId)
      await confirmed(
        core,
        say(
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
    const changes = payer().changes(signal)[Symbol.asyncIterator]()
    try {
      // Before the list is read, so that nothing falls between the two.
      let next = changes.next()
      yield all(payer().list(MOST_LISTED))
      for (let change = await next; change.done !== true; change = await next) {
        next = changes.next()
        const changed = all([change.value])
        if (changed.length > 0) yield changed
      }
    } finally {
      await changes.return?.()
    }
  }
}

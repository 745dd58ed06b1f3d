import { SottoError } from '../../../shared/errors.ts'
import { closingQuestion } from '../closing-question.ts'
import { askerOf, confirmed } from '../confirmed.ts'
import type { ApiContext } from '../context.ts'
import { eventsWithFailures } from '../failure.ts'
import type { Implementer } from '../implementer.ts'

/** Answers topupsContract. Throws vault/locked, and what Topups says of each call. */
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
      core.open().payer.giveUp(payment.id)
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

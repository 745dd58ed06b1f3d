import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ArrowLeft, Zap } from 'lucide-react'
import { hasEnded } from '../../../../shared/topup-status.ts'
import type { Topup, TopupMethod } from '../../../../shared/topup.ts'
import { useAnswer, useScopedState } from '../../../data/use-answer.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { addressOf } from '../../../ui/route.ts'
import { Segments } from '../../../ui/segments.tsx'
import { accountsQuestion } from '../accounts/account-store.ts'
import view from '../wallet-view.module.css'
import { addFundsState, choose } from './add-funds-store.ts'
import styles from './add-funds.module.css'
import { OtherAmount } from './other-amount.tsx'
import { choiceOf, chooseMethod, presetsOf, sortMethods, type TopupChoice } from './topup-choice.ts'
import { currencyOf, limitWords } from './topup-draft.ts'
import { TopupInvoice } from './topup-invoice.tsx'
import { methodsQuestion, topupList, topupsInView } from './topup-store.ts'
import { formatAmount, methodWords } from './topup-words.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'

/** A single page from the amount to the code: amounts, methods, and the invoice of the selection. */
export function AddFunds() {
  const { data: methods, failure, refresh } = useAnswer(methodsQuestion, { once: true })
  const { items: topups, failure: topupsFailure } = useScopedState(topupList.state)
  return (
    <section className={styles.page} aria-label={t`Add funds`}>
      <header className={styles.head}>
        <h2>
          <Trans>Top-up</Trans>
        </h2>
        <a className={view.back} href={addressOf({ view: 'wallet' })}>
          <ArrowLeft size={16} strokeWidth={1.75} aria-hidden />
          <Trans>Balance</Trans>
        </a>
      </header>
      {topupsFailure && <FailureNote failure={topupsFailure} />}
      {methods && <Chooser methods={sortMethods(methods)} topups={topups ?? []} />}
      {!methods && failure && <FailureNote failure={failure} onRetry={refresh} />}
      {!methods && !failure && <Skeleton label={t`Loading payment methods…`} />}
    </section>
  )
}

function Chooser({ methods, topups }: { methods: readonly TopupMethod[]; topups: readonly Topup[] }) {
  const state = useScopedState(addFundsState)
  const inView = useScopedState(topupsInView)
  const accounts = useAnswer(accountsQuestion, { once: true }).data ?? []
  const [first] = methods
  if (!first)
    return (
      <p className={styles.quiet}>
        <Trans>The service doesn’t accept top-ups by any method that Sotto supports.</Trans>
      </p>
    )
  const open = topups.filter((topup) => inView.has(topup.id) || !hasEnded(topup))
  // After a reload, the newest open invoice is shown again.
  const shown = state.choice ? open.find(({ id }) => id === state.shown) : open[0]
  const choice = state.choice ?? (shown ? choiceOf(shown) : chooseMethod(first))
  const method = methods.find((each) => each.method === choice.method) ?? first
  const account = shown && accounts.find(({ id, active }) => id === shown.accountId && !active)?.name
  return (
    <>
      <div className={styles.rows}>
        <Segments
          label={t`Amounts`}
          options={[
            ...presetsOf(method).map((id) => ({ id, name: formatAmount(id, 'USD') })),
            { id: 'other' as const, name: t({ message: 'Other', context: 'amount of a top-up' }) },
          ]}
          chosen={choice.preset}
          onPress={(preset) => void choose(chooseMethod(method, preset))}
        />
        <Segments
          label={t`Pay with`}
          className={styles.methods}
          options={methods.map(({ method: id }) => ({
            id,
            name: (
              <>
                {id === 'btc-lightning' && <Zap size={15} strokeWidth={1.75} aria-hidden />}
                {methodWords[id].name}
              </>
            ),
          }))}
          chosen={method.method}
          onPress={(id) => {
            const pressed = methods.find((each) => each.method === id)
            if (pressed) void choose(chooseMethod(pressed, choice.preset))
          }}
        />
        <Facts method={method} choice={choice} />
      </div>
      {choice.preset === 'other' && !shown && (
        <OtherAmount
          key={method.method}
          method={method}
          busy={state.busy}
          onAmount={(amount, currency) =>
            void choose({ method: method.method, preset: 'other', amount, currency })
          }
        />
      )}
      {state.failure && <FailureNote failure={state.failure} />}
      {shown && <TopupInvoice topup={shown} account={account} fresh={state.shown === shown.id} single />}
      {!shown && state.busy && choice.preset !== 'other' && <Creating />}
      {!shown && !state.busy && choice.preset !== 'other' && (
        <Button kind="primary" className={styles.create} onClick={() => void choose(choice)}>
          {state.failure ? <Trans>Try again</Trans> : <Trans>Create invoice</Trans>}
        </Button>
      )}
    </>
  )
}

/** How long the method takes, its limits, and that an invoice costs nothing. */
function Facts({ method, choice }: { method: TopupMethod; choice: TopupChoice }) {
  const limits = currencyOf(method, choice.currency ?? 'USD')
  return (
    <p className={styles.facts}>
      <span>{methodWords[method.method].arrives}</span>
      {limits && <span>{limitWords(limits)}</span>}
      <span>
        <Trans>You’re not charged until you pay the invoice.</Trans>
      </span>
    </p>
  )
}

/** The place of the code, so that nothing moves when it comes. */
function Creating() {
  return (
    <div className={styles.creating}>
      <div className={styles.blank} />
      <p className={styles.quiet} role="status">
        <Trans>Creating invoice…</Trans>
      </p>
    </div>
  )
}

import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { JobAsk } from '../../../shared/job-ask.ts'
import type { Job, JobEstimate } from '../../../shared/job.ts'
import { currentScope } from '../../data/service-scope.tsx'
import { announce } from '../announcer.tsx'
import { Button } from '../button.tsx'
import { classNames } from '../class-names.ts'
import { useConsent } from '../consent-store.ts'
import { FailureNote } from '../failure-note.tsx'
import { PrivacyMark, privacyMeaning } from '../privacy-mark.tsx'
import { go } from '../route.ts'
import { useAction } from '../use-action.ts'
import styles from './ask-line.module.css'
import { startJob } from './jobs-store.ts'
import { choosePayWay, usePayWay } from './pay-way.ts'
import { priceSentences, withPrice } from './price-words.ts'
import { RadioGroup } from '../radio-group.tsx'
import { useEstimate, type PriceState } from './use-estimate.ts'

interface AskLineProps {
  /** Undefined while something is missing. */
  ask: JobAsk | undefined
  /** Names the missing input, as a sentence for the user. */
  missing?: string | undefined
  /** Whether the service sells it per request, over Lightning. */
  single: boolean
  /** The label of the button for a payment from the balance. */
  send: string
  busy?: string
  onStarted: (job: Job) => void
  /** In a bar at the bottom of the view: its parts in one row. */
  bar?: boolean
  children?: ReactNode
}

/** Before something is sent: who can read it, what it costs, how it is paid, and the one button that sends it. */
export function AskLine({
  ask,
  missing,
  single,
  send,
  busy = t`Sending…`,
  onStarted,
  bar = false,
  children,
}: AskLineProps) {
  const price = useEstimate(ask)
  const { pay, hasAccount } = usePayWay(single)
  const start = useAction(async () => {
    if (ask === undefined) return
    const scope = currentScope()
    const job = await startJob(ask, pay)
    if (scope !== currentScope()) return
    announce(pay === 'single' ? t`The service quoted a price` : t`Sent to the service`)
    onStarted(job)
  })
  const asked = useConsent(({ asking }) => asking !== undefined)
  // While a consent question is open, nothing is being sent.
  const doing = asked ? t`Waiting for confirmation…` : pay === 'single' ? t`Loading price…` : busy
  const payable = single || hasAccount
  // Until the new price arrives, the shown price belongs to the former request.
  const unpriced = pay === 'balance' && price.state === 'asking'
  return (
    <div className={classNames(styles.ask, bar && styles.bar)} data-testid="ask-line">
      <p className={styles.privacy}>
        <PrivacyMark privacy="forwarded" /> <span>{privacyMeaning.forwarded}</span>
      </p>
      {ask && 'from' in ask && (
        <p className={styles.says}>
          <Trans>
            This comes from a private chat. Before sending, Sotto shows what the service could read and asks
            you to allow it.
          </Trans>
        </p>
      )}
      {single && (
        <RadioGroup
          label={t`Payment method`}
          name="pay-way"
          options={[
            { id: 'balance', name: t`From the account balance`, disabled: !hasAccount },
            { id: 'single', name: t`Per request, over Lightning` },
          ]}
          chosen={pay}
          onChoose={choosePayWay}
        />
      )}
      {!payable && (
        <p className={styles.says}>
          <Trans>The service only sells this from an account balance, and no account is active.</Trans>{' '}
          <Button kind="link" onClick={() => go({ view: 'wallet', part: 'accounts' })}>
            <Trans>Choose or create an account</Trans>
          </Button>
        </p>
      )}
      <PriceLine price={price} missing={missing} />
      {start.failure && <FailureNote failure={start.failure} />}
      <div className={styles.actions}>
        <Button
          kind="primary"
          onClick={() => void start.run()}
          disabled={ask === undefined || !payable || price.state === 'failed'}
          waits={unpriced}
          busy={start.busy && doing}
        >
          {pay === 'single' ? t`Get price in sats` : withPrice(send, estimateOf(price))}
        </Button>
        {pay === 'single' && (
          <span className={styles.says}>
            <Trans>This sends your request to the service to get a price. Nothing is paid yet.</Trans>
          </span>
        )}
        {children}
      </div>
    </div>
  )
}

/** While a new price is calculated, the former one. The button waits until then. */
function estimateOf(price: PriceState): JobEstimate | undefined {
  if (price.state === 'known') return price.estimate
  return price.state === 'asking' ? price.before : undefined
}

/** The possible cost while it is valid, or the reason why it is unknown. */
export function PriceLine({ price, missing }: { price: PriceState; missing?: string | undefined }) {
  if (price.state === 'failed') return <FailureNote failure={price.failure} onRetry={price.again} />
  const estimate = estimateOf(price)
  return (
    <p className={styles.price} role="status" aria-busy={price.state === 'asking'} data-testid="price">
      {price.state === 'none' && (missing ?? t`The price appears here before anything is sent.`)}
      {price.state === 'asking' && !estimate && t`Calculating price…`}
      {estimate &&
        priceSentences(estimate).map((sentence, index) =>
          index === 0 && estimate.cost !== null ? (
            <strong key={sentence}>{sentence} </strong>
          ) : (
            <span key={sentence}>{sentence} </span>
          ),
        )}
    </p>
  )
}

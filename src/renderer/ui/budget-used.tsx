import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { remainingBudget } from '../../shared/budget-use.ts'
import styles from './budget-used.module.css'
import { formatRecordedUsd, formatUsd } from './format/money.ts'
import { budgetUseOf, budgetWords, meterOf, type Money } from './keys/key-words.ts'

/** How much of a budget is used, in words and as a bar; without a budget, the spent amount. */
export function BudgetUsed({ money }: { money: Money }) {
  const use = budgetUseOf(money)
  const { budget } = money.limits
  if (!budget || !use)
    return (
      <p>
        <Trans>{formatRecordedUsd(money.spent)} spent in total, no budget</Trans>
        <Reserved reserved={money.held} />
      </p>
    )
  const meter = meterOf(use)
  return (
    <>
      <p>
        <Trans>
          <strong>{formatRecordedUsd(money.spent)}</strong> of {budgetWords(budget, money.increase?.picoUsd)}
        </Trans>
        <Reserved reserved={money.held} />
        {remainingBudget(use) === 0n && (
          <strong>
            {' '}
            <Trans>used up</Trans>
          </strong>
        )}
      </p>
      <BudgetBar spent={meter.spent * 100} reserved={meter.reserved * 100} />
    </>
  )
}

/** How much of a budget is used, for the eye: its neighbor has the same in words. `spent` and `reserved` are percentages. */
export function BudgetBar({ spent, reserved = 0 }: { spent: number; reserved?: number }) {
  return (
    <div className={styles.bar} aria-hidden>
      <span className={styles.spent} style={{ width: `${spent}%` }} />
      <span className={styles.reserved} style={{ width: `${reserved}%` }} />
    </div>
  )
}

function Reserved({ reserved }: { reserved: string }) {
  return reserved === '0' ? null : (
    <span title={t`Reserved for requests in progress, at their maximum cost`}>
      <>
        , <Trans>{formatUsd(reserved)} reserved</Trans>
      </>
    </span>
  )
}

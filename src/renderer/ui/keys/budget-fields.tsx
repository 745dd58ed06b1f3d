import { t } from '@lingui/core/macro'
import { budgetPeriods } from '../../../shared/key-limits.ts'
import { Field } from '../field.tsx'
import grouped from '../grouped-form.module.css'
import { SelectField } from '../select.tsx'
import type { LimitsDraft } from './key-draft.ts'
import { periodNames } from './key-words.ts'

/** What counts a budget: this computer, in local time and with alerts, or replicas, in UTC and without alerts. */
export type BudgetLedger = 'computer' | 'replicas'

interface BudgetFieldsProps {
  draft: Pick<LimitsDraft, 'amount' | 'period'>
  fault: string | undefined
  onChange: (change: Partial<Pick<LimitsDraft, 'amount' | 'period'>>) => void
  ledger: BudgetLedger
}

/** The amount of a budget and its period. */
export function BudgetFields({ draft, fault, onChange, ledger }: BudgetFieldsProps) {
  return (
    <>
      <div className={grouped.pair}>
        <Field
          label={t`US dollars`}
          value={draft.amount}
          onChange={(event) => onChange({ amount: event.target.value })}
          inputMode="decimal"
          maxLength={20}
          fault={fault}
        />
        <SelectField
          label={t`Resets`}
          value={draft.period}
          onChange={(event) =>
            onChange({
              period: budgetPeriods.find((period) => period === event.target.value) ?? draft.period,
            })
          }
        >
          {budgetPeriods.map((period) => (
            <option key={period} value={period}>
              {periodNames[period]}
            </option>
          ))}
        </SelectField>
      </div>
      <p className={grouped.hint}>
        {ledger === 'computer'
          ? t`Days, weeks, and months use local time. Weeks start on Monday.`
          : t`Days, weeks, and months use UTC. Weeks start on Monday.`}
      </p>
    </>
  )
}

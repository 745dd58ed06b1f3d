import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { budgetPeriods, type BudgetPeriod } from '../../../shared/key-limits.ts'
import { decimalUsd } from '../../../shared/money.ts'
import type { Project } from '../../../shared/project.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { api } from '../../ui/api.ts'
import { Field } from '../../ui/field.tsx'
import { formatUsd } from '../../ui/format/money.ts'
import formStyles from '../../ui/grouped-form.module.css'
import { readAmount } from '../../ui/keys/key-draft.ts'
import { periodNames } from '../../ui/keys/key-words.ts'
import { SelectField } from '../../ui/select.tsx'

interface BudgetDraft {
  /** US dollars. Empty: no budget. */
  readonly amount: string
  readonly period: BudgetPeriod
}

export function draftOfBudget(budget: Project['budget']): BudgetDraft {
  return {
    amount: budget ? decimalUsd(BigInt(budget.picoUsd)) : '',
    period: budget?.period ?? 'month',
  }
}

/** Null: no budget. */
export function readBudget({
  amount,
  period,
}: BudgetDraft): NonNullable<Project['budget']> | null | 'faulty' {
  if (amount.trim() === '') return null
  const picoUsd = readAmount(amount)
  return picoUsd === null ? 'faulty' : { picoUsd, period }
}

interface BudgetFieldsProps {
  project: Project
  draft: BudgetDraft
  /** Whether a fault is shown. */
  checked: boolean
  onChange: (draft: BudgetDraft) => void
}

/** What the chats of a project may cost, and what they cost so far. */
export function BudgetFields({ project, draft, checked, onChange }: BudgetFieldsProps) {
  const { id: projectId, budget } = project
  const { data } = useAnswer({
    key: ['project-spending', projectId, budget ?? null],
    ask: (context) => api.projects.spending({ projectId }, context),
  })
  const spent = data && formatUsd(data.spent)
  const most = budget && formatUsd(budget.picoUsd)
  return (
    <fieldset className={formStyles.group}>
      <legend>
        <Trans>Budget</Trans>
      </legend>
      <div className={formStyles.pair}>
        <Field
          label={t`US dollars`}
          value={draft.amount}
          inputMode="decimal"
          maxLength={20}
          fault={
            checked && readBudget(draft) === 'faulty'
              ? t`Enter an amount in dollars, such as 2.50.`
              : undefined
          }
          onChange={({ target }) => onChange({ ...draft, amount: target.value })}
        />
        <SelectField
          label={t`Resets`}
          value={draft.period}
          onChange={({ target }) =>
            onChange({
              ...draft,
              period: budgetPeriods.find((period) => period === target.value) ?? draft.period,
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
      <p className={formStyles.hint}>
        {spent !== undefined &&
          (most === undefined ? (
            <Trans>Spent: {spent}.</Trans>
          ) : (
            <Trans>
              Spent: {spent} of {most}.
            </Trans>
          ))}{' '}
        <Trans>
          Before a message is sent, Sotto reserves its maximum cost. A message that doesn’t fit isn’t sent.
        </Trans>
      </p>
    </fieldset>
  )
}

import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { keyGrants } from '../../../shared/key-limits.ts'
import type { ComponentType } from 'react'
import type { Model } from '../../../shared/model.ts'
import { CheckField } from '../check-field.tsx'
import { Field } from '../field.tsx'
import grouped from '../grouped-form.module.css'
import { SelectField } from '../select.tsx'
import { TextAreaField } from '../text-area-field.tsx'
import { BudgetFields, type BudgetLedger } from './budget-fields.tsx'
import { KeyAliases } from './key-aliases.tsx'
import type { LimitFaults, LimitsDraft } from './key-draft.ts'
import { grantWords, readers, readerWords } from './key-words.ts'
import { ModelPatterns } from './model-patterns.tsx'

type ServerToolsDraft = Pick<LimitsDraft, 'webSearch' | 'knowledge'>

export interface ServerToolsProps {
  draft: ServerToolsDraft
  onChange: (change: Partial<ServerToolsDraft>) => void
}

interface KeyLimitFieldsProps {
  draft: LimitsDraft
  faults: LimitFaults
  onChange: (change: Partial<LimitsDraft>) => void
  /** Whether web pages may use the key at all. */
  forPages: boolean
  /** Undefined if they aren't known. */
  models: readonly Model[] | undefined
  ledger: BudgetLedger
  /** The fields for tools that run on this computer. Absent for replicas, which have none. */
  serverTools?: ComponentType<ServerToolsProps>
}

/** All limits of a key, in groups. */
export function KeyLimitFields({
  draft,
  faults,
  onChange,
  forPages,
  models,
  ledger,
  serverTools: ServerTools,
}: KeyLimitFieldsProps) {
  return (
    <>
      <fieldset className={grouped.group}>
        <legend>
          <Trans>Spending</Trans>
        </legend>
        <CheckField
          label={t`Budget`}
          checked={draft.hasBudget}
          onTick={(hasBudget) => onChange({ hasBudget })}
          hint={
            draft.soft
              ? t`Requests are blocked once the budget is spent.`
              : t`Sotto reserves each request’s maximum cost before sending it. Requests that don’t fit the budget are blocked.`
          }
        />
        {draft.hasBudget && (
          <>
            <BudgetFields draft={draft} fault={faults.amount} onChange={onChange} ledger={ledger} />
            <CheckField
              label={t`Soft budget`}
              checked={draft.soft}
              onTick={(soft) => onChange({ soft })}
              hint={t`Count only spent amounts, and reserve nothing. Parallel requests can exceed the budget.`}
            />
            {!draft.soft && (
              <CheckField
                label={t`Allow requests with unknown prices`}
                checked={draft.allowUnpriced}
                onTick={(allowUnpriced) => onChange({ allowUnpriced })}
                hint={t`Only until the budget is used up. One request can exceed it, because its cost isn’t known in advance.`}
              />
            )}
            {ledger === 'computer' && (
              <Field
                label={t`Alert at (percent spent)`}
                value={draft.alertPercent}
                onChange={(event) => onChange({ alertPercent: event.target.value })}
                inputMode="numeric"
                maxLength={2}
                fault={faults.alertPercent}
                hint={t`Leave empty for no alert.`}
              />
            )}
          </>
        )}
      </fieldset>
      <fieldset className={grouped.group}>
        <legend>
          <Trans>Models</Trans>
        </legend>
        <SelectField
          label={t`Who may read requests`}
          value={draft.atLeast}
          onChange={(event) =>
            onChange({ atLeast: readers.find((reader) => reader === event.target.value) ?? draft.atLeast })
          }
          hint={t`Requests that anyone else could read are blocked.`}
        >
          {readers.map((reader) => (
            <option key={reader} value={reader}>
              {readerWords[reader]}
            </option>
          ))}
        </SelectField>
        <ModelPatterns
          draft={draft}
          models={models}
          fault={faults.patterns}
          onChange={(patterns) => onChange({ patterns })}
        />
        <KeyAliases
          draft={draft}
          models={models}
          fault={faults.aliases}
          onChange={(aliases) => onChange({ aliases })}
        />
      </fieldset>
      <fieldset className={grouped.group}>
        <legend>
          <Trans>Expiration and rate limits</Trans>
        </legend>
        <div className={grouped.pair}>
          <Field
            label={t`Expires`}
            type="datetime-local"
            value={draft.expires}
            onChange={(event) => onChange({ expires: event.target.value })}
            fault={faults.expires}
            hint={t`Leave empty for no expiration.`}
          />
          <Field
            label={t`Parallel requests`}
            value={draft.parallelRequests}
            onChange={(event) => onChange({ parallelRequests: event.target.value })}
            inputMode="numeric"
            maxLength={3}
            fault={faults.parallelRequests}
            hint={t`Leave empty for no limit.`}
          />
          <Field
            label={t`Tokens per minute`}
            value={draft.tokensPerMinute}
            onChange={(event) => onChange({ tokensPerMinute: event.target.value })}
            inputMode="numeric"
            maxLength={9}
            fault={faults.tokensPerMinute}
            hint={t`Leave empty for no limit.`}
          />
          <Field
            label={t`Requests per minute`}
            value={draft.requestsPerMinute}
            onChange={(event) => onChange({ requestsPerMinute: event.target.value })}
            inputMode="numeric"
            maxLength={6}
            fault={faults.requestsPerMinute}
            hint={t`Leave empty for no limit.`}
          />
        </div>
      </fieldset>
      {ServerTools && <ServerTools draft={draft} onChange={onChange} />}
      <fieldset className={grouped.group}>
        <legend>
          <Trans>Additional permissions</Trans>
        </legend>
        {keyGrants.map((grant) => (
          <CheckField
            key={grant}
            label={grantWords[grant].name}
            hint={grantWords[grant].means}
            checked={draft.grants.includes(grant)}
            onTick={(on) =>
              onChange({
                grants: keyGrants.filter((each) => (each === grant ? on : draft.grants.includes(each))),
              })
            }
          />
        ))}
        {forPages && (
          <TextAreaField
            label={t`Allowed origins, one per line`}
            value={draft.origins}
            onChange={(event) => onChange({ origins: event.target.value })}
            rows={2}
            maxLength={20_000}
            placeholder="app://obsidian.md"
            dir="ltr"
            fault={faults.origins}
            hint={t`Web pages and web views that can use this key. Leave empty for none.`}
          />
        )}
      </fieldset>
    </>
  )
}

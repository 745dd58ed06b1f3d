import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRef, useState, type SyntheticEvent } from 'react'
import { budgetPeriods, keyGrants, type KeyLimitsText } from '../../../../shared/key-limits.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckField } from '../../../ui/check-field.tsx'
import { DialogActions } from '../../../ui/dialog.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Field } from '../../../ui/field.tsx'
import grouped from '../../../ui/grouped-form.module.css'
import { SelectField } from '../../../ui/select.tsx'
import { TextAreaField } from '../../../ui/text-area-field.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { readDraft, type DraftFaults, type KeyDraft } from './key-draft.ts'
import { KeyAliases } from './key-aliases.tsx'
import { KeyServerTools } from './key-server-tools.tsx'
import { grantWords, periodNames, readers, readerWords } from './key-words.ts'
import { ModelPatterns } from './model-patterns.tsx'

/** The form shows any error that it throws. */
export type SaveKey = (name: string, limits: KeyLimitsText) => Promise<void>

interface KeyFormProps {
  draft: KeyDraft
  /** Whether web pages may use the key at all. */
  forPages: boolean
  /** The label of the button (`does`), and its label while the key is being saved (`doing`). */
  does: string
  doing: string
  onSave: SaveKey
  onCancel: () => void
}

/** A key's name and all of its limits. Faults appear next to their fields after the first attempt to save. */
export function KeyForm({ draft: initialDraft, forPages, does, doing, onSave, onCancel }: KeyFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState(initialDraft)
  const [faults, setFaults] = useState<DraftFaults>({})
  const set = (change: Partial<KeyDraft>) => {
    setDraft({ ...draft, ...change })
    setFaults(Object.fromEntries(Object.entries(faults).filter(([name]) => !(name in change))))
  }
  const save = useAction(async () => {
    const read = readDraft(draft, Date.now())
    if (!read.faults) return onSave(read.name, read.limits)
    setFaults(read.faults)
    // Wait until the page shows the faults.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    void save.run()
  }
  return (
    <form ref={form} className={grouped.form} onSubmit={submit} noValidate>
      <Field
        label={t`Name`}
        value={draft.name}
        onChange={(event) => set({ name: event.target.value })}
        maxLength={60}
        fault={faults.name}
        hint={t`Shown as the tool in the request list.`}
      />
      <fieldset className={grouped.group}>
        <legend>
          <Trans>Spending</Trans>
        </legend>
        <CheckField
          label={t`Budget`}
          checked={draft.hasBudget}
          onTick={(hasBudget) => set({ hasBudget })}
          hint={
            draft.soft
              ? t`Requests are blocked once the budget is spent.`
              : t`Sotto reserves each request’s maximum cost before sending it. Requests that don’t fit the budget are blocked.`
          }
        />
        {draft.hasBudget && (
          <>
            <div className={grouped.pair}>
              <Field
                label={t`US dollars`}
                value={draft.amount}
                onChange={(event) => set({ amount: event.target.value })}
                inputMode="decimal"
                maxLength={20}
                fault={faults.amount}
              />
              <SelectField
                label={t`Resets`}
                value={draft.period}
                onChange={(event) =>
                  set({
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
              <Trans>Days, weeks, and months use local time. Weeks start on Monday.</Trans>
            </p>
            <CheckField
              label={t`Soft budget`}
              checked={draft.soft}
              onTick={(soft) => set({ soft })}
              hint={t`Count only spent amounts, and reserve nothing. Parallel requests can exceed the budget.`}
            />
            {!draft.soft && (
              <CheckField
                label={t`Allow requests with unknown prices`}
                checked={draft.allowUnpriced}
                onTick={(allowUnpriced) => set({ allowUnpriced })}
                hint={t`Only until the budget is used up. One request can exceed it, because its cost isn’t known in advance.`}
              />
            )}
            <Field
              label={t`Alert at (percent spent)`}
              value={draft.alertPercent}
              onChange={(event) => set({ alertPercent: event.target.value })}
              inputMode="numeric"
              maxLength={2}
              fault={faults.alertPercent}
              hint={t`Leave empty for no alert.`}
            />
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
            set({ atLeast: readers.find((reader) => reader === event.target.value) ?? draft.atLeast })
          }
          hint={t`Requests that anyone else could read are blocked.`}
        >
          {readers.map((reader) => (
            <option key={reader} value={reader}>
              {readerWords[reader]}
            </option>
          ))}
        </SelectField>
        <ModelPatterns draft={draft} fault={faults.patterns} onChange={(patterns) => set({ patterns })} />
        <KeyAliases draft={draft} fault={faults.aliases} onChange={(aliases) => set({ aliases })} />
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
            onChange={(event) => set({ expires: event.target.value })}
            fault={faults.expires}
            hint={t`Leave empty for no expiration.`}
          />
          <Field
            label={t`Parallel requests`}
            value={draft.parallelRequests}
            onChange={(event) => set({ parallelRequests: event.target.value })}
            inputMode="numeric"
            maxLength={3}
            fault={faults.parallelRequests}
            hint={t`Leave empty for no limit.`}
          />
          <Field
            label={t`Tokens per minute`}
            value={draft.tokensPerMinute}
            onChange={(event) => set({ tokensPerMinute: event.target.value })}
            inputMode="numeric"
            maxLength={9}
            fault={faults.tokensPerMinute}
            hint={t`Leave empty for no limit.`}
          />
          <Field
            label={t`Requests per minute`}
            value={draft.requestsPerMinute}
            onChange={(event) => set({ requestsPerMinute: event.target.value })}
            inputMode="numeric"
            maxLength={6}
            fault={faults.requestsPerMinute}
            hint={t`Leave empty for no limit.`}
          />
        </div>
      </fieldset>
      <KeyServerTools draft={draft} onChange={set} />
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
              set({ grants: keyGrants.filter((each) => (each === grant ? on : draft.grants.includes(each))) })
            }
          />
        ))}
        {forPages && (
          <TextAreaField
            label={t`Allowed origins, one per line`}
            value={draft.origins}
            onChange={(event) => set({ origins: event.target.value })}
            rows={2}
            maxLength={20_000}
            placeholder="app://obsidian.md"
            dir="ltr"
            fault={faults.origins}
            hint={t`Web pages and web views that can use this key. Leave empty for none.`}
          />
        )}
      </fieldset>
      {save.failure && <FailureNote failure={save.failure} />}
      <DialogActions>
        <Button onClick={onCancel}>
          <Trans>Cancel</Trans>
        </Button>
        <Button kind="primary" type="submit" busy={save.busy && doing}>
          {does}
        </Button>
      </DialogActions>
    </form>
  )
}

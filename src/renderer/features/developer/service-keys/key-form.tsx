import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { resetPeriods } from '../../../../shared/service-key.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckField } from '../../../ui/check-field.tsx'
import { DialogActions } from '../../../ui/dialog.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Field, Form } from '../../../ui/field.tsx'
import grouped from '../../../ui/grouped-form.module.css'
import { SelectField } from '../../../ui/select.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { useDraft } from '../../../ui/use-draft.ts'
import { NAME_MOST, nameFault, readDraft, type KeyDraft } from './key-draft.ts'
import { periodNames } from './key-words.ts'
import type { KeyTerms } from './keys-store.ts'

interface KeyFormProps {
  draft: KeyDraft
  /** Names of other keys. */
  otherNames: readonly string[]
  /** The draft of the key that is edited. */
  before?: KeyDraft
  does: string
  doing: string
  /** The form shows any error that it throws. */
  onSave: (terms: KeyTerms & { readonly name: string }, draft: KeyDraft) => Promise<void>
  onCancel: () => void
}

/**
 * A key's name and limits. The name is checked while the user types; the rest after the first attempt to
 * save.
 */
export function KeyForm({
  draft: initialDraft,
  otherNames,
  before,
  does,
  doing,
  onSave,
  onCancel,
}: KeyFormProps) {
  const { form, draft, set, faults, check } = useDraft(initialDraft, (entered, now) =>
    readDraft(entered, otherNames, now, before),
  )
  const save = useAction(async () => {
    const read = check()
    if (!read.faults) await onSave(read.terms, draft)
  })
  const renewed = initialDraft.hasCap && draft.hasCap && draft.resetPeriod !== initialDraft.resetPeriod
  return (
    <Form ref={form} className={grouped.form} onSubmit={() => void save.run()}>
      <Field
        label={t`Name`}
        value={draft.name}
        onChange={(event) => set({ name: event.target.value })}
        maxLength={80}
        fault={nameFault(draft.name, otherNames) ?? faults.name}
        hint={t`${draft.name.length} of ${NAME_MOST} characters. Each key of an account needs a different name.`}
      />
      <fieldset className={grouped.group}>
        <legend>
          <Trans>Spending</Trans>
        </legend>
        <CheckField
          label={t`Spending cap`}
          checked={draft.hasCap}
          onTick={(hasCap) => set({ hasCap })}
          hint={t`Enforced by the service. Without a cap, the key can spend the account’s entire balance.`}
        />
        <div className={grouped.pair}>
          <Field
            label={t`US dollars`}
            value={draft.cap}
            onChange={(event) => set({ cap: event.target.value })}
            inputMode="decimal"
            maxLength={20}
            fault={faults.cap}
            disabled={!draft.hasCap}
            hint={t`$0.01 or more.`}
          />
          <SelectField
            label={t`Resets`}
            value={draft.resetPeriod ?? ''}
            onChange={(event) =>
              set({ resetPeriod: resetPeriods.find((period) => period === event.target.value) ?? null })
            }
            disabled={!draft.hasCap}
            hint={draft.hasCap ? undefined : t`Requires a spending cap.`}
          >
            {resetPeriods.map((period) => (
              <option key={period} value={period}>
                {periodNames[period]}
              </option>
            ))}
            <option value="">{t`Never (lifetime cap)`}</option>
          </SelectField>
        </div>
        {renewed && initialDraft.name !== '' && (
          <p className={grouped.hint} role="status">
            <Trans>If you change the period, the service resets this period’s spending to zero.</Trans>
          </p>
        )}
      </fieldset>
      <Field
        label={t`Expires (optional)`}
        type="datetime-local"
        value={draft.expires}
        onChange={(event) => set({ expires: event.target.value })}
        fault={faults.expires}
        hint={t`Your local time. Leave empty for no expiration.`}
      />
      {save.failure && <FailureNote failure={save.failure} />}
      <DialogActions>
        <Button onClick={onCancel} disabled={save.busy}>
          <Trans>Cancel</Trans>
        </Button>
        <Button kind="primary" type="submit" busy={save.busy && doing}>
          {does}
        </Button>
      </DialogActions>
    </Form>
  )
}

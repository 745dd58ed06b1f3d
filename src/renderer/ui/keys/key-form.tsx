import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ComponentType, ReactNode } from 'react'
import type { KeyLimitsText } from '../../../shared/key-limits.ts'
import type { Model } from '../../../shared/model.ts'
import { Button } from '../button.tsx'
import { DialogActions } from '../dialog.tsx'
import { FailureNote } from '../failure-note.tsx'
import { Field, Form } from '../field.tsx'
import grouped from '../grouped-form.module.css'
import { useAction } from '../use-action.ts'
import { useDraft } from '../use-draft.ts'
import type { BudgetLedger } from './budget-fields.tsx'
import { readDraft, type KeyDraft } from './key-draft.ts'
import { KeyLimitFields, type ServerToolsProps } from './key-limit-fields.tsx'

/** The form shows any error that it throws. */
export type SaveKey = (name: string, limits: KeyLimitsText) => Promise<void>

interface KeyFormProps {
  draft: KeyDraft
  /** Whether web pages may use the key at all. */
  forPages: boolean
  /** Undefined if they aren't known. */
  models: readonly Model[] | undefined
  ledger?: BudgetLedger
  serverTools?: ComponentType<ServerToolsProps>
  /** Above the name. */
  children?: ReactNode
  /** The label of the button (`does`), and its label while the key is being saved (`doing`). */
  does: string
  doing: string
  onSave: SaveKey
  onCancel: () => void
}

/** A key's name and all of its limits. Faults appear next to their fields after the first attempt to save. */
export function KeyForm({
  draft: initialDraft,
  forPages,
  models,
  ledger = 'computer',
  serverTools,
  children,
  does,
  doing,
  onSave,
  onCancel,
}: KeyFormProps) {
  const { form, draft, set, faults, check } = useDraft(initialDraft, readDraft)
  const save = useAction(async () => {
    const read = check()
    if (!read.faults) await onSave(read.name, read.limits)
  })
  return (
    <Form ref={form} className={grouped.form} onSubmit={() => void save.run()}>
      {children}
      <Field
        label={t`Name`}
        value={draft.name}
        onChange={(event) => set({ name: event.target.value })}
        maxLength={60}
        fault={faults.name}
        hint={t`Shown as the tool in the request list.`}
      />
      <KeyLimitFields
        draft={draft}
        faults={faults}
        onChange={set}
        forPages={forPages}
        models={models}
        ledger={ledger}
        {...(serverTools && { serverTools })}
      />
      {save.failure && <FailureNote failure={save.failure} />}
      <DialogActions>
        <Button onClick={onCancel}>
          <Trans>Cancel</Trans>
        </Button>
        <Button kind="primary" type="submit" busy={save.busy && doing}>
          {does}
        </Button>
      </DialogActions>
    </Form>
  )
}

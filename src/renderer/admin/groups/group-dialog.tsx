import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useScope } from '../../data/service-scope.tsx'
import type { Group } from '../../../shared/contract/team.ts'
import { Button } from '../../ui/button.tsx'
import { CheckField } from '../../ui/check-field.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Field, Form } from '../../ui/field.tsx'
import grouped from '../../ui/grouped-form.module.css'
import { BudgetFields } from '../../ui/keys/budget-fields.tsx'
import { KeyLimitFields } from '../../ui/keys/key-limit-fields.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useDraft } from '../../ui/use-draft.ts'
import { refreshTeam } from '../team-answers.ts'
import { teamApi } from '../team-api.ts'
import { changesOf, groupDraftOf, readGroup } from './group-draft.ts'

interface GroupDialogProps {
  /** Undefined for a new one. */
  group: Group | undefined
  close: () => void
}

/** A group's name, its budget, and what its members may give a key that they create. */
export function GroupDialog({ group, close }: GroupDialogProps) {
  const scope = useScope()
  const { form, draft, set, faults, check } = useDraft(groupDraftOf(group), readGroup)
  const { run, busy, failure } = useAction(async () => {
    const read = check()
    if (read.faults) return
    if (group)
      await teamApi.groups.update({ id: group.id, ...changesOf(groupDraftOf(group), draft, read.group) })
    else await teamApi.groups.add(read.group)
    await refreshTeam(scope)
    close()
  })
  const { budget, ceiling } = draft
  return (
    <Dialog open onClose={close} persistent wide title={group ? t`Edit ${group.name}` : t`New group`}>
      <Form ref={form} className={grouped.form} onSubmit={() => void run()}>
        <Field
          label={t`Name`}
          value={draft.name}
          onChange={(event) => set({ name: event.target.value })}
          maxLength={60}
          fault={faults.name}
        />
        <fieldset className={grouped.group}>
          <legend>
            <Trans>Spending</Trans>
          </legend>
          <CheckField
            label={t`Group budget`}
            checked={budget.hasBudget}
            onTick={(hasBudget) => set({ budget: { ...budget, hasBudget } })}
            hint={t`Limits all keys of all members together. Their own budgets apply too.`}
          />
          {budget.hasBudget && (
            <BudgetFields
              draft={budget}
              fault={faults.budget}
              onChange={(change) => set({ budget: { ...budget, ...change } })}
              ledger="replicas"
            />
          )}
        </fieldset>
        <fieldset className={grouped.group}>
          <legend>
            <Trans>Self-service</Trans>
          </legend>
          <CheckField
            label={t`Members create their own keys`}
            checked={draft.hasSelfService}
            onTick={(hasSelfService) => set({ hasSelfService })}
            hint={t`Otherwise, only an admin creates keys for them.`}
          />
          {draft.hasSelfService && (
            <>
              <Field
                label={t`Keys per member`}
                value={draft.keysPerMember}
                onChange={(event) => set({ keysPerMember: event.target.value })}
                inputMode="numeric"
                maxLength={3}
                fault={faults.keysPerMember}
              />
              <p className={grouped.hint}>
                <Trans>A member’s key can have these limits or stricter ones:</Trans>
              </p>
            </>
          )}
        </fieldset>
        {draft.hasSelfService && (
          <KeyLimitFields
            draft={ceiling}
            faults={faults}
            onChange={(change) => set({ ceiling: { ...ceiling, ...change } }, change)}
            forPages
            models={undefined}
            ledger="replicas"
          />
        )}
        {failure && <FailureNote failure={failure} />}
        <DialogActions>
          <Button onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="primary" type="submit" busy={busy && (group ? t`Saving…` : t`Adding…`)}>
            {group ? t`Save` : t`Add group`}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useScope } from '../../data/service-scope.tsx'
import { teamRoles, type Group, type Member } from '../../../shared/contract/team.ts'
import { Button } from '../../ui/button.tsx'
import { CheckField } from '../../ui/check-field.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Field, Form } from '../../ui/field.tsx'
import grouped from '../../ui/grouped-form.module.css'
import { BudgetFields } from '../../ui/keys/budget-fields.tsx'
import { SelectField } from '../../ui/select.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useDraft } from '../../ui/use-draft.ts'
import { memberName, roleMeanings, roleNames } from '../labels.ts'
import { refreshTeam } from '../team-answers.ts'
import { teamApi } from '../team-api.ts'
import { changesOf, memberDraftOf, readMember } from './member-draft.ts'

interface MemberDialogProps {
  /** Undefined for a new one. */
  member: Member | undefined
  groups: readonly Group[]
  close: () => void
}

/** Admits an address, or changes what a member may do. */
export function MemberDialog({ member, groups, close }: MemberDialogProps) {
  const scope = useScope()
  const { form, draft, set, faults, check } = useDraft(memberDraftOf(member), readMember)
  const { run, busy, failure } = useAction(async () => {
    const read = check()
    if (read.faults) return
    if (member)
      await teamApi.members.update({
        memberId: member.id,
        ...changesOf(memberDraftOf(member), draft, read.member),
      })
    else await teamApi.members.add(read.member)
    await refreshTeam(scope)
    close()
  })
  return (
    <Dialog
      open
      onClose={close}
      persistent
      title={member ? t`Edit ${memberName(member)}` : t`New member`}
      says={
        member
          ? undefined
          : t`People can sign in only with an email address that an admin added and the identity provider verified.`
      }
    >
      <Form ref={form} className={grouped.form} onSubmit={() => void run()}>
        {!member && (
          <Field
            label={t`Email address`}
            type="email"
            dir="ltr"
            value={draft.email}
            onChange={(event) => set({ email: event.target.value })}
            maxLength={254}
            fault={faults.email}
          />
        )}
        <SelectField
          label={t`Role`}
          value={draft.role}
          onChange={(event) =>
            set({ role: teamRoles.find((role) => role === event.target.value) ?? draft.role })
          }
          hint={roleMeanings[draft.role]}
        >
          {teamRoles.toReversed().map((role) => (
            <option key={role} value={role}>
              {roleNames[role]}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t`Group`}
          value={draft.groupId}
          onChange={(event) => set({ groupId: event.target.value })}
        >
          <option value="">{t`No group`}</option>
          {groups.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <fieldset className={grouped.group}>
          <legend>
            <Trans>Spending</Trans>
          </legend>
          <CheckField
            label={t`Budget`}
            checked={draft.hasBudget}
            onTick={(hasBudget) => set({ hasBudget })}
            hint={t`Limits all keys of this member together. The group’s budget applies too.`}
          />
          {draft.hasBudget && (
            <BudgetFields draft={draft} fault={faults.amount} onChange={set} ledger="replicas" />
          )}
        </fieldset>
        {failure && <FailureNote failure={failure} />}
        <DialogActions>
          <Button onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="primary" type="submit" busy={busy && (member ? t`Saving…` : t`Adding…`)}>
            {member ? t`Save` : t`Add member`}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

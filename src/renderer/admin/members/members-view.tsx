import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Plus, Users } from 'lucide-react'
import { useState } from 'react'
import type { Group, Member } from '../../../shared/contract/team.ts'
import { useScope } from '../../data/service-scope.tsx'
import { useAnswer } from '../../data/use-answer.ts'
import { BudgetUsed } from '../../ui/budget-used.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatCount } from '../../ui/format/number.ts'
import { Moment } from '../../ui/moment.tsx'
import { RecordLine, RecordTable } from '../../ui/record-line.tsx'
import { View } from '../../ui/view.tsx'
import { memberName, moneyOf, roleNames } from '../labels.ts'
import { ListState } from '../list-state.tsx'
import { teamApi } from '../team-api.ts'
import { groupsQuestion, membersQuestion, refreshTeam } from '../team-answers.ts'
import styles from '../team-lists.module.css'
import { MemberDialog } from './member-dialog.tsx'

type Act =
  | { readonly name: 'add'; readonly member?: undefined }
  | { readonly name: 'edit' | 'remove'; readonly member: Member }

/** Who may sign in, and with which role, group and budget. */
export function MembersView({ me }: { me: Member }) {
  const answer = useAnswer(membersQuestion)
  const groups = useAnswer(groupsQuestion)
  const [act, setAct] = useState<Act>()
  const close = () => setAct(undefined)
  const isAdmin = me.role === 'admin'
  const add = (
    <Button kind="primary" waits={!groups.data} onClick={() => setAct({ name: 'add' })}>
      <Plus size={16} strokeWidth={1.75} aria-hidden />
      <Trans>Add member</Trans>
    </Button>
  )
  return (
    <View title={t`Members`} wide>
      <div className={styles.toolbar}>{isAdmin && add}</div>
      <ListState answer={answer} loading={t`Loading members…`}>
        {(members) =>
          members.length === 0 ? (
            <EmptyState icon={Users} title={t`No members yet`} />
          ) : (
            <RecordTable
              className={styles.members}
              columns={[t`Name`, t`Role`, t`Group`, t`Budget`, t`Keys`, t`Last sign-in`]}
            >
              {members.map((member) => (
                <li key={member.id}>
                  <MemberLine
                    member={member}
                    isMe={member.id === me.id}
                    groups={groups.data}
                    onAct={isAdmin && groups.data ? (name) => setAct({ name, member }) : undefined}
                  />
                </li>
              ))}
            </RecordTable>
          )
        }
      </ListState>
      {act && act.name !== 'remove' && (
        <MemberDialog member={act.member} groups={groups.data ?? []} close={close} />
      )}
      {act?.name === 'remove' && <RemoveMember member={act.member} close={close} />}
    </View>
  )
}

interface MemberLineProps {
  member: Member
  isMe: boolean
  groups: readonly Group[] | undefined
  /** Undefined if the role doesn't allow changes. */
  onAct: ((act: 'edit' | 'remove') => void) | undefined
}

function MemberLine({ member, isMe, groups, onAct }: MemberLineProps) {
  const { email, role, groupId, keys, lastSignInAt } = member
  const name = memberName(member)
  return (
    <RecordLine
      name={name}
      tags={isMe ? [t`You`] : []}
      detail={
        name !== email && (
          <span className={styles.detail}>
            <bdi>{email}</bdi>
          </span>
        )
      }
      cells={[
        { label: t`Role`, content: roleNames[role] },
        {
          label: t`Group`,
          content:
            groupId === null ? (
              t`No group`
            ) : (
              <p>
                <bdi>{groups?.find(({ id }) => id === groupId)?.name ?? '…'}</bdi>
              </p>
            ),
        },
        { label: t`Budget`, content: <BudgetUsed money={moneyOf(member)} /> },
        { label: t`Keys`, content: formatCount(keys) },
        {
          label: t`Last sign-in`,
          content: lastSignInAt === null ? t`Never` : <Moment at={lastSignInAt} />,
        },
      ]}
      actions={
        onAct
          ? [
              { name: t`Edit`, choose: () => onAct('edit') },
              { name: t`Remove`, choose: () => onAct('remove'), danger: true },
            ]
          : []
      }
    />
  )
}

function RemoveMember({ member, close }: { member: Member; close: () => void }) {
  const scope = useScope()
  const { keys } = member
  const ends =
    keys === 0
      ? t`Their sessions end.`
      : plural(keys, {
          one: 'Their sessions end, and # key is revoked.',
          other: 'Their sessions end, and # keys are revoked.',
        })
  return (
    <ConfirmDialog
      title={t`Remove ${memberName(member)}?`}
      description={`${ends} ${t`This can’t be undone. Their past requests stay in Activity.`}`}
      kind="danger"
      button={t`Remove`}
      busy={t`Removing…`}
      act={async () => {
        await teamApi.members.remove({ memberId: member.id })
        await refreshTeam(scope)
      }}
      onClose={close}
    />
  )
}

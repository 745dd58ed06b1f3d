import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Boxes, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Group, Member } from '../../../shared/contract/team.ts'
import { useScope } from '../../data/service-scope.tsx'
import { useAnswer } from '../../data/use-answer.ts'
import { BudgetUsed } from '../../ui/budget-used.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatSentence } from '../../ui/format/list.ts'
import { formatCount } from '../../ui/format/number.ts'
import { limitWords } from '../../ui/keys/key-words.ts'
import { RecordLine, RecordTable } from '../../ui/record-line.tsx'
import { View } from '../../ui/view.tsx'
import { moneyOf } from '../labels.ts'
import { ListState } from '../list-state.tsx'
import { teamApi } from '../team-api.ts'
import { groupsQuestion, refreshTeam } from '../team-answers.ts'
import styles from '../team-lists.module.css'
import { GroupDialog } from './group-dialog.tsx'

type Act =
  | { readonly name: 'add'; readonly group?: undefined }
  | { readonly name: 'edit' | 'remove'; readonly group: Group }

/** The groups with their budgets, and what their members may do themselves. */
export function GroupsView({ me }: { me: Member }) {
  const scope = useScope()
  const answer = useAnswer(groupsQuestion)
  const [act, setAct] = useState<Act>()
  const close = () => setAct(undefined)
  const isAdmin = me.role === 'admin'
  return (
    <View title={t`Groups`} wide>
      <div className={styles.toolbar}>
        {isAdmin && (
          <Button kind="primary" onClick={() => setAct({ name: 'add' })}>
            <Plus size={16} strokeWidth={1.75} aria-hidden />
            <Trans>Add group</Trans>
          </Button>
        )}
      </div>
      <ListState answer={answer} loading={t`Loading groups…`}>
        {(groups) =>
          groups.length === 0 ? (
            <EmptyState
              icon={Boxes}
              title={t`No groups yet`}
              description={t`A group has a budget for all its members, and lets them create keys.`}
            />
          ) : (
            <RecordTable
              className={styles.groups}
              columns={[t`Name`, t`Budget`, t`Self-service`, t`Members`]}
            >
              {groups.map((group) => (
                <li key={group.id}>
                  <GroupLine group={group} onAct={isAdmin ? (name) => setAct({ name, group }) : undefined} />
                </li>
              ))}
            </RecordTable>
          )
        }
      </ListState>
      {act && act.name !== 'remove' && <GroupDialog group={act.group} close={close} />}
      {act?.name === 'remove' && (
        <ConfirmDialog
          title={t`Remove ${act.group.name}?`}
          description={t`You can remove only a group without members. Its budget and self-service settings are deleted.`}
          kind="danger"
          button={t`Remove`}
          busy={t`Removing…`}
          act={async () => {
            await teamApi.groups.remove({ groupId: act.group.id })
            await refreshTeam(scope)
          }}
          onClose={close}
        />
      )}
    </View>
  )
}

interface GroupLineProps {
  group: Group
  /** Undefined if the role doesn't allow changes. */
  onAct: ((act: 'edit' | 'remove') => void) | undefined
}

function GroupLine({ group, onAct }: GroupLineProps) {
  const { name, members } = group
  return (
    <RecordLine
      name={name}
      cells={[
        { label: t`Budget`, content: <BudgetUsed money={moneyOf(group)} /> },
        { label: t`Self-service`, content: <SelfService group={group} /> },
        { label: t`Members`, content: formatCount(members) },
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

function SelfService({ group: { selfService } }: { group: Group }) {
  if (!selfService) return <p>{t`Only an admin creates keys`}</p>
  const { keysPerMember, limits } = selfService
  const ceiling = limitWords(limits, undefined)
  return (
    <>
      <p>{plural(keysPerMember, { one: 'Up to # key per member', other: 'Up to # keys per member' })}</p>
      <p className={styles.detail}>
        {ceiling.length > 0 ? formatSentence(ceiling) : t`Members choose the limits`}
      </p>
    </>
  )
}

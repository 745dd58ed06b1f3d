import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import type { TeamKey } from '../../../shared/contract/team.ts'
import { useScope } from '../../data/service-scope.tsx'
import { useAnswer } from '../../data/use-answer.ts'
import { Button } from '../../ui/button.tsx'
import { CheckField } from '../../ui/check-field.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import listing from '../../ui/listing.module.css'
import { RecordTable } from '../../ui/record-line.tsx'
import { View } from '../../ui/view.tsx'
import { ListState } from '../list-state.tsx'
import { MemberField } from '../member-field.tsx'
import { teamApi } from '../team-api.ts'
import { keysQuestion, membersQuestion, refreshTeam, type Session } from '../team-answers.ts'
import styles from '../team-lists.module.css'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { keyColumns, TeamKeyLine } from './team-key-line.tsx'
import { selfServiceOf, SelfServiceNote } from './self-service.tsx'

/** The keys of the team, or a member's keys of their own. */
export function KeysView({ session }: { session: Session }) {
  const scope = useScope()
  const { member: me } = session
  const isMember = me.role === 'member'
  const [ownerId, setOwnerId] = useState('')
  const [withRevoked, setWithRevoked] = useState(false)
  const [creates, setCreates] = useState(false)
  const [revokes, setRevokes] = useState<TeamKey>()
  const members = useAnswer(isMember ? undefined : membersQuestion)
  const answer = useAnswer(keysQuestion(ownerId === '' ? undefined : ownerId), { keepPrevious: true })
  const service = isMember ? selfServiceOf(session) : undefined
  const mayCreate = me.role === 'admin' || (service?.left ?? 0) > 0
  const shown = answer.data?.filter(({ state }) => withRevoked || state !== 'revoked')
  return (
    <View title={t`Keys`} wide>
      {isMember && <SelfServiceNote service={service} />}
      <div className={styles.toolbar}>
        {!isMember && (
          <MemberField
            label={t`Owner`}
            all={t`All members`}
            members={members.data}
            chosen={ownerId}
            onChoose={setOwnerId}
          />
        )}
        <div className={styles.check}>
          <CheckField label={t`Show revoked`} checked={withRevoked} onTick={setWithRevoked} />
        </div>
        {mayCreate && (
          <Button
            kind="primary"
            waits={me.role === 'admin' && !members.data}
            onClick={() => setCreates(true)}
          >
            <Plus size={16} strokeWidth={1.75} aria-hidden />
            <Trans>Create key</Trans>
          </Button>
        )}
      </div>
      {members.failure && (
        <FailureNote failure={members.failure} className={listing.note} onRetry={members.refresh} />
      )}
      <ListState answer={{ ...answer, data: shown }} loading={t`Loading keys…`}>
        {(keys) =>
          keys.length === 0 ? (
            <EmptyState
              icon={KeyRound}
              title={t`No keys`}
              description={t`A tool needs a key to send requests through Sotto.`}
            />
          ) : (
            <RecordTable className={isMember ? styles.ownKeys : styles.keys} columns={keyColumns(!isMember)}>
              {keys.map((key) => (
                <li key={key.id}>
                  <TeamKeyLine
                    teamKey={key}
                    owners={isMember ? undefined : { members: members.data }}
                    onRevoke={me.role === 'auditor' ? undefined : () => setRevokes(key)}
                  />
                </li>
              ))}
            </RecordTable>
          )
        }
      </ListState>
      {creates && (
        <NewKeyDialog
          me={me}
          members={members.data}
          ceiling={service?.limits}
          close={() => setCreates(false)}
        />
      )}
      {revokes && (
        <ConfirmDialog
          title={t`Revoke ${revokes.name}?`}
          description={t`Tools with this key stop working within a second. This can’t be undone. Its past requests stay in Activity.`}
          kind="danger"
          button={t`Revoke`}
          busy={t`Revoking…`}
          act={async () => {
            await teamApi.keys.revoke({ keyId: revokes.id })
            await refreshTeam(scope)
          }}
          onClose={() => setRevokes(undefined)}
        />
      )}
    </View>
  )
}

import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { Member } from '../../../shared/contract/team.ts'
import type { KeyLimitsText } from '../../../shared/key-limits.ts'
import { useScope } from '../../data/service-scope.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { draftOf, emptyDraft } from '../../ui/keys/key-draft.ts'
import { KeyForm, type SaveKey } from '../../ui/keys/key-form.tsx'
import { NewSecret } from '../../ui/keys/new-secret.tsx'
import { MemberField } from '../member-field.tsx'
import { teamApi } from '../team-api.ts'
import { refreshTeam } from '../team-answers.ts'

interface NewKeyDialogProps {
  me: Member
  /** The possible owners; undefined if the key can only be the person's own. */
  members: readonly Member[] | undefined
  /** The widest limits of self-service, which the form begins with. */
  ceiling: KeyLimitsText | undefined
  close: () => void
}

/** Asks for a key's owner and limits, then shows its secret once. */
export function NewKeyDialog({ me, members, ceiling, close }: NewKeyDialogProps) {
  const scope = useScope()
  const [ownerId, setOwnerId] = useState(me.id)
  // Only this component has the secret, so it's gone when the dialog closes.
  const [created, setCreated] = useState<{ readonly name: string; readonly secret: string }>()
  const create: SaveKey = async (name, limits) => {
    const { key, secret } = await teamApi.keys.add({ memberId: ownerId, name, limits })
    setCreated({ name: key.name, secret })
    await refreshTeam(scope)
  }
  if (created) return <NewSecret name={created.name} secret={created.secret} done={close} />
  return (
    <Dialog
      open
      onClose={close}
      persistent
      wide
      title={t`New key`}
      says={t`One key per tool lets you limit, monitor, and revoke each one separately.`}
    >
      <KeyForm
        draft={ceiling ? draftOf({ name: '', limits: ceiling }) : emptyDraft}
        forPages
        models={undefined}
        ledger="replicas"
        does={t`Create key`}
        doing={t`Creating…`}
        onSave={create}
        onCancel={close}
      >
        {members && <MemberField label={t`Owner`} members={members} chosen={ownerId} onChoose={setOwnerId} />}
      </KeyForm>
    </Dialog>
  )
}

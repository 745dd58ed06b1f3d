import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ServiceKey } from '../../../shared/service-key.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import grouped from '../../ui/grouped-form.module.css'
import { useAction } from '../../ui/use-action.ts'
import { changeOf, draftOf, emptyDraft } from './key-draft.ts'
import styles from './key-form.module.css'
import { KeyForm } from './key-form.tsx'
import { createKey, revokeKey, rotateKey, updateKey, useKeys } from './keys-store.ts'

/** Those that work, but for one. */
function useTaken(but?: string): string[] {
  const keys = useKeys((state) => state.keys) ?? []
  return keys.filter(({ id, revokedAt }) => id !== but && typeof revokedAt !== 'number').map(({ name }) => name)
}

export function CreateKeyDialog({ close }: { close: () => void }) {
  const taken = useTaken()
  return (
    <Dialog open onClose={close} kept wide title={t`New key`} says={t`For one program, so that it can be limited, watched and revoked by itself.`}>
      <KeyForm draft={emptyDraft} taken={taken} does={t`Make the key`} doing={t`Making…`} onSave={(terms) => createKey(terms)} onCancel={close} />
    </Dialog>
  )
}

export function EditKeyDialog({ serviceKey, close }: { serviceKey: ServiceKey; close: () => void }) {
  const taken = useTaken(serviceKey.id)
  const before = draftOf(serviceKey)
  return (
    <Dialog open onClose={close} kept wide title={t`Edit ${serviceKey.name}`} says={t`Only what you change is sent. The key itself stays the same.`}>
      <KeyForm
        draft={before}
        taken={taken}
        does={t`Save`}
        doing={t`Saving…`}
        onSave={async (terms, after) => {
          const change = changeOf(before, after, terms)
          if (Object.keys(change).length > 0) await updateKey(serviceKey.id, change)
          close()
        }}
        onCancel={close}
      />
    </Dialog>
  )
}

export function RevokeDialog({ serviceKey, close }: { serviceKey: ServiceKey; close: () => void }) {
  const revoke = useAction(async () => {
    await revokeKey(serviceKey)
    close()
  })
  return (
    <Dialog
      open
      onClose={close}
      alert
      title={t`Revoke ${serviceKey.name}?`}
      says={serviceKey.inUse
        ? t`This Sotto pays with this key: afterwards nothing is paid from the account here until it has another one. The key stops working at once, everywhere, and this cannot be undone. To go on with a new key, rotate it instead. You confirm it outside this window.`
        : t`It stops working at once, in every program that has it. This cannot be undone.`}
    >
      {revoke.failure && <FailureNote failure={revoke.failure} className={styles.gap} />}
      <DialogActions>
        <Button onClick={close} autoFocus><Trans>Keep it</Trans></Button>
        <Button kind="primary" busy={revoke.busy && t`Revoking…`} onClick={() => void revoke.run()}><Trans>Revoke</Trans></Button>
      </DialogActions>
    </Dialog>
  )
}

export function RotateDialog({ serviceKey, close }: { serviceKey: ServiceKey; close: () => void }) {
  const rotate = useAction(() => rotateKey(serviceKey))
  return (
    <Dialog open onClose={close} alert title={t`Rotate ${serviceKey.name}?`} says={t`The service has no call for it, so it is done in steps. You confirm it once, outside this window.`}>
      <ol className={styles.steps}>
        <li><Trans>A new key is made, with the same cap, period and end.</Trans></li>
        {serviceKey.inUse && <li><Trans>This Sotto moves to the new one.</Trans></li>}
        <li><Trans>The old key is revoked: every other program that has it stops working until it is given the new one.</Trans></li>
      </ol>
      <p className={grouped.hint}><Trans>Should a step fail, those after it are left undone: at least one key goes on working, and this list says which.</Trans></p>
      {rotate.failure && <FailureNote failure={rotate.failure} className={styles.gap} />}
      <DialogActions>
        <Button onClick={close} autoFocus><Trans>Keep it</Trans></Button>
        <Button kind="primary" busy={rotate.busy && t`Rotating…`} onClick={() => void rotate.run()}><Trans>Rotate</Trans></Button>
      </DialogActions>
    </Dialog>
  )
}

import type { ServiceKey } from '../../../shared/service-key.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
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
    <Dialog open onClose={close} kept wide title="New key" says="For one program, so that it can be limited, watched and revoked by itself.">
      <KeyForm draft={emptyDraft} taken={taken} does="Make the key" doing="Making…" onSave={(terms) => createKey(terms)} onCancel={close} />
    </Dialog>
  )
}

export function EditKeyDialog({ serviceKey, close }: { serviceKey: ServiceKey; close: () => void }) {
  const taken = useTaken(serviceKey.id)
  const before = draftOf(serviceKey)
  return (
    <Dialog open onClose={close} kept wide title={`Edit ${serviceKey.name}`} says="Only what you change is sent. The key itself stays the same.">
      <KeyForm
        draft={before}
        taken={taken}
        does="Save"
        doing="Saving…"
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
      title={`Revoke ${serviceKey.name}?`}
      says={serviceKey.inUse
        ? 'This Sotto pays with this key: afterwards nothing is paid from the account here until it has another one. The key stops working at once, everywhere, and this cannot be undone. To go on with a new key, rotate it instead. You confirm it outside this window.'
        : 'It stops working at once, in every program that has it. This cannot be undone.'}
    >
      {revoke.failure && <FailureNote failure={revoke.failure} className={styles.gap} />}
      <DialogActions>
        <Button onClick={close} autoFocus>Keep it</Button>
        <Button kind="primary" busy={revoke.busy && 'Revoking…'} onClick={() => void revoke.run()}>Revoke</Button>
      </DialogActions>
    </Dialog>
  )
}

export function RotateDialog({ serviceKey, close }: { serviceKey: ServiceKey; close: () => void }) {
  const rotate = useAction(() => rotateKey(serviceKey))
  return (
    <Dialog open onClose={close} alert title={`Rotate ${serviceKey.name}?`} says="The service has no call for it, so it is done in steps. You confirm it once, outside this window.">
      <ol className={styles.steps}>
        <li>A new key is made, with the same cap, period and end.</li>
        {serviceKey.inUse && <li>This Sotto moves to the new one.</li>}
        <li>The old key is revoked: every other program that has it stops working until it is given the new one.</li>
      </ol>
      <p className={styles.hint}>Should a step fail, those after it are left undone: at least one key goes on working, and this list says which.</p>
      {rotate.failure && <FailureNote failure={rotate.failure} className={styles.gap} />}
      <DialogActions>
        <Button onClick={close} autoFocus>Keep it</Button>
        <Button kind="primary" busy={rotate.busy && 'Rotating…'} onClick={() => void rotate.run()}>Rotate</Button>
      </DialogActions>
    </Dialog>
  )
}

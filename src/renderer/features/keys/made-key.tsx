import { useState } from 'react'
import type { ServiceKey } from '../../../shared/service-key.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { SecretClipboardNote, SecretValue } from '../../ui/secret-value.tsx'
import { useAction } from '../../ui/use-action.ts'
import styles from './key-form.module.css'
import { forgetMade, revokeKey, type MadeKey } from './keys-store.ts'

/** A new key in full. It is not put away by accident. */
export function MadeKeyDialog({ made: { key, secret, follows }, done }: { made: MadeKey; done: () => void }) {
  const [leaving, setLeaving] = useState(false)
  const close = () => {
    forgetMade()
    done()
  }
  return (
    <Dialog open onClose={() => setLeaving(true)} kept wide title={`The key ${key.name}`} says={key.inUse ? 'This Sotto uses it already. Copy it for other programs: whoever holds it spends from the account.' : 'Copy it now and give it to the program that it is for: whoever holds it spends from the account.'}>
      {secret.value !== undefined && <SecretValue name="API key" secret={secret.value} />}
      <SecretClipboardNote />
      {follows && (follows.revoked ? <p className={styles.told}>The old key was revoked, and works no more.</p> : <StillWorks follows={follows.key} />)}
      {leaving && <p className={styles.leaving} role="alert">It can be shown again from the list, as long as the service shows it. Close this only where you have it, or do not need it.</p>}
      <DialogActions>
        {leaving && <Button onClick={close}>Close without copying it</Button>}
        <Button kind="primary" onClick={close} autoFocus>I have copied it</Button>
      </DialogActions>
    </Dialog>
  )
}

/** The last step failed: two keys work now. */
function StillWorks({ follows }: { follows: ServiceKey }) {
  const [revoked, setRevoked] = useState(false)
  const revoke = useAction(async () => {
    await revokeKey(follows)
    setRevoked(true)
  })
  if (revoked) return <p className={styles.told} role="status">The old key was revoked, and works no more.</p>
  return (
    <div className={styles.told} role="alert">
      <p><strong>The old key could not be revoked, and still works.</strong> Revoke it now, or later from the list.</p>
      {revoke.failure && <FailureNote failure={revoke.failure} className={styles.gap} />}
      <Button className={styles.gap} onClick={() => void revoke.run()} busy={revoke.busy && 'Revoking…'}>Revoke the old key</Button>
    </div>
  )
}

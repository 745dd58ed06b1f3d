import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { ServiceKey } from '../../../../shared/service-key.ts'
import { useScope } from '../../../data/service-scope.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { SecretClipboardNote, SecretValue } from '../../../ui/secret-value.tsx'
import { useAction } from '../../../ui/use-action.ts'
import styles from './key-form.module.css'
import { forgetMade, revokeKey, type MadeKey } from './keys-store.ts'

/** A new key in full. It is not put away by accident. */
export function MadeKeyDialog({
  newKey: { key, secret, follows },
  done,
}: {
  newKey: MadeKey
  done: () => void
}) {
  const scope = useScope()
  const [leaving, setLeaving] = useState(false)
  const close = () => {
    forgetMade(scope)
    done()
  }
  return (
    <Dialog
      open
      onClose={() => setLeaving(true)}
      persistent
      wide
      title={t`API key: ${key.name}`}
      says={
        key.inUse
          ? t`Sotto already uses this key. Copy it for other programs. Anyone with this key can spend from the account.`
          : t`Copy it now for the program it’s for. Anyone with this key can spend from the account.`
      }
    >
      {secret.value !== undefined && <SecretValue name={t`API key`} secret={secret.value} />}
      <SecretClipboardNote />
      {follows &&
        (follows.revoked ? (
          <p className={styles.told}>
            <Trans>The old key is revoked and no longer works.</Trans>
          </p>
        ) : (
          <StillWorks follows={follows.key} />
        ))}
      {leaving && (
        <p className={styles.leaving} role="alert">
          <Trans>
            You can show it again from the list as long as the service allows it. Close only if you have it or
            don’t need it.
          </Trans>
        </p>
      )}
      <DialogActions>
        {leaving && (
          <Button onClick={close}>
            <Trans>Close without copying</Trans>
          </Button>
        )}
        <Button kind="primary" onClick={close} autoFocus>
          <Trans>I’ve copied it</Trans>
        </Button>
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
  if (revoked)
    return (
      <p className={styles.told} role="status">
        <Trans>The old key is revoked and no longer works.</Trans>
      </p>
    )
  return (
    <div className={styles.told} role="alert">
      <p>
        <Trans>
          <strong>Couldn’t revoke the old key. It still works.</strong> Revoke it now, or later from the list.
        </Trans>
      </p>
      {revoke.failure && <FailureNote failure={revoke.failure} className={styles.gap} />}
      <Button className={styles.gap} onClick={() => void revoke.run()} busy={revoke.busy && t`Revoking…`}>
        <Trans>Revoke old key</Trans>
      </Button>
    </div>
  )
}

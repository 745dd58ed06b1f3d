import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ServiceKey } from '../../../../shared/service-key.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import grouped from '../../../ui/grouped-form.module.css'
import { useAction } from '../../../ui/use-action.ts'
import { changeOf, draftOf } from './key-draft.ts'
import styles from './key-form.module.css'
import { KeyForm } from './key-form.tsx'
import { revokeKey, rotateKey, updateKey } from './keys-store.ts'

/** The names of the working keys, except one. */
export function takenNames(keys: readonly ServiceKey[], but?: string): string[] {
  return keys
    .filter(({ id, revokedAt }) => id !== but && typeof revokedAt !== 'number')
    .map(({ name }) => name)
}

interface KeyDialog {
  readonly serviceKey: ServiceKey
  readonly close: () => void
}

export function EditKeyDialog({ keys, serviceKey, close }: KeyDialog & { keys: readonly ServiceKey[] }) {
  const before = draftOf(serviceKey)
  return (
    <Dialog
      open
      onClose={close}
      persistent
      wide
      title={t`Edit ${serviceKey.name}`}
      says={t`Only your changes are sent. The key itself stays the same.`}
    >
      <KeyForm
        draft={before}
        otherNames={takenNames(keys, serviceKey.id)}
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

export function RevokeDialog({ serviceKey, close }: KeyDialog) {
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
      says={
        serviceKey.inUse
          ? t`Sotto pays with this key. Without another key, it can’t pay from this account. The key stops working everywhere immediately, and this can’t be undone. To switch to a new key, rotate it instead. Confirm in the system dialog or your terminal.`
          : t`It stops working immediately in every program that uses it. This can’t be undone.`
      }
    >
      {revoke.failure && <FailureNote failure={revoke.failure} className={styles.gap} />}
      <DialogActions>
        <Button onClick={close} autoFocus>
          <Trans>Cancel</Trans>
        </Button>
        <Button kind="danger" busy={revoke.busy && t`Revoking…`} onClick={() => void revoke.run()}>
          <Trans>Revoke</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  )
}

export function RotateDialog({ serviceKey, close }: KeyDialog) {
  const rotate = useAction(() => rotateKey(serviceKey))
  return (
    <Dialog
      open
      onClose={close}
      alert
      title={t`Rotate ${serviceKey.name}?`}
      says={t`The service can’t rotate keys in one step, so Sotto does it in several. Confirm once in the system dialog or your terminal.`}
    >
      <ol className={styles.steps}>
        <li>
          <Trans>A new key is created with the same cap, reset period, and expiration.</Trans>
        </li>
        {serviceKey.inUse && (
          <li>
            <Trans>Sotto switches to the new key.</Trans>
          </li>
        )}
        <li>
          <Trans>
            The old key is revoked. Other programs that use it stop working until you give them the new key.
          </Trans>
        </li>
      </ol>
      <p className={grouped.hint}>
        <Trans>If a step fails, at least one key keeps working. This list shows which.</Trans>
      </p>
      {rotate.failure && <FailureNote failure={rotate.failure} className={styles.gap} />}
      <DialogActions>
        <Button onClick={close} autoFocus>
          <Trans>Cancel</Trans>
        </Button>
        <Button kind="primary" busy={rotate.busy && t`Rotating…`} onClick={() => void rotate.run()}>
          <Trans>Rotate</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  )
}

import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ServiceKey } from '../../../../shared/service-key.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import grouped from '../../../ui/grouped-form.module.css'
import { RevealDialog } from '../../../ui/reveal-dialog.tsx'
import { changeOf, draftOf } from './key-draft.ts'
import styles from './key-form.module.css'
import { KeyForm } from './key-form.tsx'
import { revealKey, revokeKey, rotateKey, updateKey } from './keys-store.ts'

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
        before={before}
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
  return (
    <ConfirmDialog
      title={t`Revoke ${serviceKey.name}?`}
      description={
        serviceKey.inUse
          ? t`Sotto pays with this key. Without another key, it can’t pay from this account. The key stops working everywhere immediately, and this can’t be undone. To switch to a new key, rotate it instead. Confirm in the system dialog or your terminal.`
          : t`It stops working immediately in every program that uses it. This can’t be undone.`
      }
      kind="danger"
      button={t`Revoke`}
      busy={t`Revoking…`}
      act={() => revokeKey(serviceKey)}
      onClose={close}
    />
  )
}

export function RotateDialog({ serviceKey, close }: KeyDialog) {
  return (
    <ConfirmDialog
      title={t`Rotate ${serviceKey.name}?`}
      description={t`The service can’t rotate keys in one step, so Sotto does it in several. Confirm once in the system dialog or your terminal.`}
      kind="primary"
      button={t`Rotate`}
      busy={t`Rotating…`}
      act={() => rotateKey(serviceKey)}
      onClose={close}
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
    </ConfirmDialog>
  )
}

export function RevealKeyDialog({ serviceKey: { id, name }, close }: KeyDialog) {
  return (
    <RevealDialog
      title={t`API key: ${name}`}
      description={t`Anyone with this key can spend from the account, within the key’s limits. Confirm in the system dialog or your terminal to show it.`}
      over={t`The key is hidden again`}
      reveal={async () => [{ name: t`API key`, secret: await revealKey(id) }]}
      close={close}
    />
  )
}

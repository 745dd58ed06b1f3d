import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRef } from 'react'
import { NO_AUTO_LOCK, type AutoLockSettings } from '../../../shared/lock.ts'
import type { VaultView } from '../../../shared/vault-view.ts'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { lockNow } from '../../ui/lock.ts'
import { AutoLockField } from '../../ui/service/auto-lock-field.tsx'
import { keysOf } from '../../ui/shortcuts.ts'
import { refreshStatus } from '../../ui/status-store.ts'
import { Switch } from '../../ui/switch.tsx'
import { useAction } from '../../ui/use-action.ts'
import styles from './lock-controls.module.css'

/** Locks Sotto now, and sets when it locks without being asked. */
export function LockControls({ view, show }: { view: VaultView; show: (view: VaultView) => void }) {
  const lock = useAction(lockNow)
  const { kind, autoLock } = view
  const settings = autoLock ?? NO_AUTO_LOCK
  const wanted = useRef(settings)
  const save = useAction(async () => {
    show(await api.vault.setAutoLock(wanted.current))
    await refreshStatus()
  })
  const change = (part: Partial<AutoLockSettings>) => {
    wanted.current = { ...settings, ...part }
    void save.run()
  }
  const failure = lock.failure ?? save.failure
  return (
    <div className={styles.lock} role="group" aria-label={t`Lock`}>
      <p className={styles.note}>
        {kind === 'memory' && (
          <Trans>
            Sotto can’t be locked now: nothing is saved, so locking would delete everything. Use a passphrase
            or the keychain first.
          </Trans>
        )}
        {kind === 'file' && (
          <Trans>
            Locking removes keys and chats from memory. Running replies and temporary chats end. Your
            passphrase unlocks Sotto.
          </Trans>
        )}
        {kind === 'keychain' && (
          <Trans>
            Locking removes keys and chats from memory. Running replies and temporary chats end. The system
            keychain unlocks Sotto, without a passphrase.
          </Trans>
        )}
      </p>
      {kind !== 'memory' && (
        <>
          <AutoLockField
            minutes={settings.afterMinutes}
            onChange={(afterMinutes) => change({ afterMinutes })}
          />
          <Switch
            label={t`Lock when the computer sleeps`}
            on={settings.onSleep}
            onTurn={() => change({ onSleep: !settings.onSleep })}
          />
        </>
      )}
      {failure && <FailureNote failure={failure} />}
      <div>
        <Button onClick={() => void lock.run()} disabled={kind === 'memory'} busy={lock.busy && t`Locking…`}>
          <Trans>Lock now</Trans> <kbd className={styles.keys}>{keysOf('lock')}</kbd>
        </Button>
      </div>
    </div>
  )
}

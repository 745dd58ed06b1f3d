import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { BackupForm } from '../../../ui/service/backup-form.tsx'
import { refreshAccounts } from './account-store.ts'
import styles from './accounts.module.css'

export function BackupDialog({ close }: { close: () => void }) {
  const [fileName, setFileName] = useState<string>()
  const saved = async (name: string) => {
    setFileName(name)
    await refreshAccounts()
  }
  return (
    <Dialog
      open
      onClose={close}
      persistent
      title={t`Back up accounts`}
      says={t`Exports all saved accounts to one file, encrypted with its own passphrase. You’ll confirm in a system dialog or your terminal.`}
    >
      {fileName === undefined ? (
        <BackupForm onSaved={saved} />
      ) : (
        <>
          <p className={styles.note} role="status">
            <Trans>
              <strong>Backup exported as {fileName}.</strong> Check that the file is where you want it, and
              keep its passphrase safe. A lost passphrase can’t be recovered.
            </Trans>
          </p>
          <DialogActions>
            <Button kind="primary" onClick={close} autoFocus>
              <Trans context="button">Done</Trans>
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}

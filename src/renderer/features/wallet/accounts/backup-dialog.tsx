import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { BackupForm } from '../../../ui/service/backup-form.tsx'
import { loadAccounts } from './account-store.ts'
import styles from './accounts.module.css'

export function BackupDialog({ close }: { close: () => void }) {
  const [fileName, setFileName] = useState<string>()
  const saved = async (name: string) => {
    setFileName(name)
    await loadAccounts()
  }
  return (
    <Dialog open onClose={close} kept title={t`Back up the accounts`} says={t`All accounts that are kept here, in one file, encrypted under a passphrase of its own. It is confirmed outside this window.`}>
      {fileName === undefined
        ? <BackupForm onSaved={saved} />
        : (
          <>
            <p className={styles.note} role="status"><Trans><strong>The backup was handed over as {fileName}.</strong> See that the file is where you want it, and keep its passphrase: nobody can recover it.</Trans></p>
            <DialogActions><Button kind="primary" onClick={close} autoFocus><Trans>Done</Trans></Button></DialogActions>
          </>
        )}
    </Dialog>
  )
}

import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { SyntheticEvent } from 'react'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { NewPassphraseFields } from '../../ui/service/new-passphrase-fields.tsx'
import { useNewPassphrase } from '../../ui/service/use-new-passphrase.ts'
import form from './dialog-form.module.css'
import { SavingState } from './saving-state.tsx'
import { useSaving } from './use-saving.ts'

export function BackupDialog({ close }: { close: () => void }) {
  const chosen = useNewPassphrase(12)
  const { progress, failure, said, save, stop } = useSaving()
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault()
    if (!chosen.handIn() || progress) return
    if (await save({ ending: 'backup', type: 'text/plain' }, (signal) => api.library.backup({ passphrase: chosen.passphrase }, { signal }))) chosen.clear()
  }
  return (
    <Dialog open onClose={close} kept title={t`Back up the conversations`} says={t`All conversations with their receipts in one file, encrypted under a passphrase of its own. Accounts and keys are not in it.`}>
      <form className={form.form} onSubmit={(event) => void submit(event)} noValidate>
        <NewPassphraseFields
          chosen={chosen}
          label={t`Passphrase of the backup`}
          hint={t`At least twelve characters; several words are better. Without it the file opens for nobody.`}
        />
        <SavingState progress={progress} failure={failure} said={said} />
        <DialogActions>
          {progress ? <Button onClick={stop}><Trans>Stop</Trans></Button> : <Button onClick={close}>{said ? t`Done` : t`Cancel`}</Button>}
          <Button kind="primary" type="submit" busy={progress !== undefined && t`Encrypting it…`}><Trans>Save the backup</Trans></Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

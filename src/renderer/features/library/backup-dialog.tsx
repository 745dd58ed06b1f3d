import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type SyntheticEvent } from 'react'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import form from './dialog-form.module.css'
import { SavingState } from './saving-state.tsx'
import { useSaving } from './use-saving.ts'

/** As the contract has it: whoever finds the file can try passphrases for as long as they like. */
const LEAST = 12

export function BackupDialog({ close }: { close: () => void }) {
  const [passphrase, setPassphrase] = useState('')
  const [again, setAgain] = useState('')
  const [tried, setTried] = useState(false)
  const { progress, failure, said, save, stop } = useSaving()
  const short = passphrase.length < LEAST
  const differs = passphrase !== again
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault()
    setTried(true)
    if (short || differs || progress) return
    if (!await save({ ending: 'backup', type: 'text/plain' }, (signal) => api.library.backup({ passphrase }, { signal }))) return
    setPassphrase('')
    setAgain('')
    setTried(false)
  }
  return (
    <Dialog open onClose={close} kept title={t`Back up the conversations`} says={t`All conversations with their receipts in one file, encrypted under a passphrase of its own. Accounts and keys are not in it.`}>
      <form className={form.form} onSubmit={(event) => void submit(event)} noValidate>
        <Field
          label={t`Passphrase of the backup`}
          type="password"
          autoComplete="new-password"
          value={passphrase}
          onChange={(event) => setPassphrase(event.target.value)}
          maxLength={1000}
          hint={t`At least twelve characters; several words are better. Without it the file opens for nobody.`}
          fault={tried && short ? t`This is shorter than twelve characters.` : undefined}
        />
        <Field
          label={t`The same again`}
          type="password"
          autoComplete="new-password"
          value={again}
          onChange={(event) => setAgain(event.target.value)}
          maxLength={1000}
          fault={tried && !short && differs ? t`The two are not the same.` : undefined}
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

import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Form } from '../../ui/field.tsx'
import { SavingState } from '../../ui/saving-state.tsx'
import { NewPassphraseFields } from '../../ui/service/new-passphrase-fields.tsx'
import { useNewPassphrase } from '../../ui/service/use-new-passphrase.ts'
import { useSavingChats } from './use-saving-chats.ts'

export function BackupDialog({ close }: { close: () => void }) {
  const chosen = useNewPassphrase(12)
  const { progress, failure, outcome, save, stop } = useSavingChats()
  const submit = async () => {
    if (!chosen.handIn() || progress) return
    if (
      await save({ ending: 'backup', type: 'text/plain' }, (signal) =>
        api.library.backup({ passphrase: chosen.passphrase }, { signal }),
      )
    )
      chosen.clear()
  }
  return (
    <Dialog
      open
      onClose={close}
      persistent
      title={t`Back up chats`}
      says={t`All chats and their receipts in one file, encrypted with its own passphrase. Accounts and keys aren’t included.`}
    >
      <Form onSubmit={() => void submit()}>
        <NewPassphraseFields
          chosen={chosen}
          label={t`Backup passphrase`}
          hint={t`At least 12 characters; several words are better. Without it, the file can’t be opened.`}
        />
        <SavingState label={t`Chats saved`} progress={progress} failure={failure} outcome={outcome} />
        <DialogActions>
          {progress ? (
            <Button onClick={stop}>
              <Trans>Stop</Trans>
            </Button>
          ) : (
            <Button onClick={close}>{outcome ? t({ message: 'Done', context: 'button' }) : t`Cancel`}</Button>
          )}
          <Button kind="primary" type="submit" busy={progress !== undefined && t`Encrypting…`}>
            <Trans>Save backup</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

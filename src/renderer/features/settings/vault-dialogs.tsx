import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { NO_AUTO_LOCK } from '../../../shared/lock.ts'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { confirmable } from '../../ui/confirmation-store.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Field, Form } from '../../ui/field.tsx'
import { saveText } from '../../ui/save-file.ts'
import { AutoLockField } from '../../ui/service/auto-lock-field.tsx'
import { PassphraseForm } from '../../ui/service/passphrase-form.tsx'
import { ProtectForm } from '../../ui/service/protect-form.tsx'
import { useAction } from '../../ui/use-action.ts'

export type VaultDeed = 'protect' | 'change' | 'to-file' | 'to-keychain' | 'recovery-copy'

const titles: Readonly<Record<VaultDeed, string>> = {
  get protect() {
    return t`Protect with a passphrase`
  },
  get change() {
    return t`Change passphrase`
  },
  get 'to-file'() {
    return t`Use a passphrase instead of the keychain`
  },
  get 'to-keychain'() {
    return t`Use the keychain instead`
  },
  get 'recovery-copy'() {
    return t`Save a recovery copy`
  },
}

const meanings: Readonly<Record<VaultDeed, string>> = {
  get protect() {
    return t`Sotto encrypts what it saves with a key that this passphrase unlocks. Your current data is saved too.`
  },
  get change() {
    return t`The old passphrase will open only copies of the vault file that were created before this change.`
  },
  get 'to-file'() {
    return t`Sotto will ask for the passphrase every time it starts, and will remove its key from the system keychain. You keep all saved data.`
  },
  get 'to-keychain'() {
    return t`Sotto will open without a passphrase for anyone who can use your account on this computer. You keep all saved data.`
  },
  get 'recovery-copy'() {
    return t`One file with all of the vault’s keys, encrypted with its own passphrase. If you lose the keychain or passphrase, this file and the data folder let you open your saved data. Anyone who has the file and its passphrase also has the keys.`
  },
}

interface VaultDialogProps {
  deed: VaultDeed
  /** A passphrase holds the vault now. */
  fromFile: boolean
  done: () => void
  close: () => void
}

export function VaultDialog({ deed, fromFile, done, close }: VaultDialogProps) {
  return (
    <Dialog open onClose={close} persistent title={titles[deed]} says={meanings[deed]}>
      {deed === 'protect' && <ProtectForm done={done} close={close} />}
      {deed === 'change' && <ProtectForm change done={done} close={close} />}
      {deed === 'to-file' && <ToFile done={done} close={close} />}
      {deed === 'to-keychain' && <ToKeychain fromFile={fromFile} done={done} close={close} />}
      {deed === 'recovery-copy' && (
        <PassphraseForm
          submit={<Trans>Save copy</Trans>}
          busy={t`Encrypting copy…`}
          close={close}
          act={async ({ passphrase }, signal) => {
            const { name, text } = await api.vault.recoveryCopy({ passphrase }, { signal })
            saveText(name, 'application/json', text)
            done()
          }}
        />
      )}
    </Dialog>
  )
}

function ToFile({ done, close }: { done: () => void; close: () => void }) {
  const [minutes, setMinutes] = useState<number | null>(null)
  return (
    <PassphraseForm
      submit={<Trans>Use passphrase</Trans>}
      more={<AutoLockField minutes={minutes} onChange={setMinutes} />}
      busy={t`Deriving key…`}
      close={close}
      act={async ({ passphrase }, signal) => {
        const { autoLock } = await api.vault.moveToFile({ passphrase }, { signal })
        if (minutes !== null)
          await api.vault.setAutoLock({ ...(autoLock ?? NO_AUTO_LOCK), afterMinutes: minutes })
        done()
      }}
    />
  )
}

function ToKeychain({ fromFile, done, close }: { fromFile: boolean; done: () => void; close: () => void }) {
  const [current, setCurrent] = useState('')
  const [tried, setTried] = useState(false)
  const move = useAction(() =>
    confirmable(async (signal) => {
      await api.vault.moveToKeychain(fromFile ? { current } : {}, { signal })
      done()
    }),
  )
  const submit = () => {
    setTried(true)
    if (!fromFile || current !== '') void move.run()
  }
  return (
    <Form onSubmit={submit}>
      {fromFile && (
        <Field
          label={t`Current passphrase`}
          type="password"
          autoComplete="current-password"
          value={current}
          onChange={(event) => {
            setCurrent(event.target.value)
            move.clear()
          }}
          fault={tried && current === '' ? t`Enter the current passphrase.` : undefined}
        />
      )}
      {move.failure && <FailureNote failure={move.failure} />}
      <DialogActions>
        <Button onClick={close}>
          <Trans>Cancel</Trans>
        </Button>
        <Button kind="primary" type="submit" busy={move.busy && t`Waiting for the keychain…`}>
          <Trans>Use keychain</Trans>
        </Button>
      </DialogActions>
    </Form>
  )
}

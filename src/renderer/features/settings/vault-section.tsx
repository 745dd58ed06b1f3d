import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import type { Status } from '../../../shared/status.ts'
import type { VaultView } from '../../../shared/vault-view.ts'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { asFailure } from '../../ui/failure.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Section } from '../../ui/view.tsx'
import { keychainWords, vaultWords } from '../../ui/service/vault-words.ts'
import { refreshStatus } from '../../ui/status-store.ts'
import { useAction } from '../../ui/use-action.ts'
import { LockControls } from './lock-controls.tsx'
import styles from './settings-view.module.css'
import { VaultDialog, type VaultDeed } from './vault-dialogs.tsx'

/** Where the encryption key of all saved data is stored, what the keychain shows of it, and how to change it. */
export function VaultSection({ vault }: { vault: Status['vault'] }) {
  const [view, setView] = useState<VaultView>()
  const [failure, setFailure] = useState<Failure>()
  const [deed, setDeed] = useState<VaultDeed>()
  const { kind, state } = vault
  const show = (now: VaultView) => {
    setView(now)
    setFailure(undefined)
  }
  useEffect(() => {
    api.vault.view().then(show, (thrown: unknown) => setFailure(asFailure(thrown)))
  }, [kind, state])
  const examine = useAction(async () => show(await api.vault.examine()))
  const done = () => {
    setDeed(undefined)
    void refreshStatus()
    api.vault.view().then(show, () => undefined)
  }
  const free = view?.asked === 'auto'
  const wrong = failure ?? examine.failure
  return (
    <Section title={t`Saved data and encryption`}>
      <Facts>
        <Fact name={t`Vault`}>{vaultWords[kind]}</Fact>
        {view && view.asked !== 'memory' && (
          <Fact name={t`System keychain`}>
            {view.keychain ? keychainWords[view.keychain] : t`Not checked`}{' '}
            <Button
              kind="link"
              onClick={() => void examine.run()}
              busy={examine.busy && t`Waiting for the keychain…`}
            >
              <Trans>Check now</Trans>
            </Button>
          </Fact>
        )}
        {view && view.asked !== 'auto' && (
          <Fact name={t`Type`}>
            <Trans>Set when Sotto was started (SOTTO_VAULT). It can’t be changed here.</Trans>
          </Fact>
        )}
      </Facts>
      {wrong && <FailureNote failure={wrong} />}
      <div className={styles.actions}>
        {kind === 'memory' && free && (
          <Button onClick={() => setDeed('protect')}>
            <Trans>Protect with a passphrase…</Trans>
          </Button>
        )}
        {kind === 'file' && (
          <Button onClick={() => setDeed('change')}>
            <Trans>Change passphrase…</Trans>
          </Button>
        )}
        {kind === 'keychain' && free && (
          <Button onClick={() => setDeed('to-file')}>
            <Trans>Use a passphrase instead…</Trans>
          </Button>
        )}
        {kind !== 'keychain' && free && (
          <Button onClick={() => setDeed('to-keychain')}>
            <Trans>Use the keychain instead…</Trans>
          </Button>
        )}
        {kind !== 'memory' && (
          <Button onClick={() => setDeed('recovery-copy')}>
            <Trans>Save recovery copy…</Trans>
          </Button>
        )}
      </div>
      {view && <LockControls view={view} show={show} />}
      {deed && (
        <VaultDialog deed={deed} fromFile={kind === 'file'} done={done} close={() => setDeed(undefined)} />
      )}
    </Section>
  )
}

import { useState } from 'react'
import type { Status } from '../../../shared/status.ts'
import { confirmable } from '../../ui/confirmation-store.ts'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { exactUsd } from '../../ui/format/money.ts'
import { Room, Section } from '../../ui/room.tsx'
import { ConnectForm, CreateForm } from '../../ui/service/account-forms.tsx'
import { ProtectForm } from '../../ui/service/protect-form.tsx'
import { setStatus, useStatus } from '../../ui/status-store.ts'
import { setTheme, themes, useTheme, type Theme } from '../../ui/theme.ts'
import { useAction } from '../../ui/use-action.ts'
import { ServiceSection } from './service-section.tsx'
import styles from './settings-room.module.css'

export function SettingsRoom() {
  const status = useStatus((state) => state.status)
  if (!status) return null
  return (
    <Room title="Settings">
      <ServiceSection service={status.service} />
      <AccountSection status={status} />
      <VaultSection vault={status.vault} />
      <Section title="Appearance"><ThemeChoice /></Section>
    </Room>
  )
}

function AccountSection({ status: { account, service } }: { status: Status }) {
  const [adding, setAdding] = useState<'connect' | 'create'>()
  const close = () => setAdding(undefined)
  return (
    <Section title="Account" says={service.kind === 'sandbox' ? 'The sandbox’s account holds no real money. Connecting a real one changes the service first.' : undefined}>
      <Facts>
        <Fact name="Key">{account.connected ? 'Connected; the key is in the vault' : 'None'}</Fact>
        {account.creditIdMasked !== undefined && <Fact name="Credit id"><code>{account.creditIdMasked}</code></Fact>}
        {account.connected && <Fact name="Balance"><Balance /></Fact>}
      </Facts>
      <div className={styles.actions}>
        <Button onClick={() => setAdding('connect')}>Connect an account…</Button>
        <Button onClick={() => setAdding('create')}>Make a new account…</Button>
        {account.connected && <Disconnect />}
      </div>
      <Dialog open={adding === 'connect'} onClose={close} title="Connect an account" says={replaces(account.connected)}><ConnectForm done={close} /></Dialog>
      <Dialog open={adding === 'create'} onClose={close} title="Make a new account" says={replaces(account.connected)}><CreateForm done={close} /></Dialog>
    </Section>
  )
}

function replaces(connected: boolean): string | undefined {
  return connected ? 'It takes the place of the account that is connected to that service now. Its key is forgotten here: keep it elsewhere if it still holds money.' : undefined
}

function Balance() {
  const [picoUsd, setPicoUsd] = useState<string>()
  const ask = useAction(async () => setPicoUsd((await api.accounts.balance()).picoUsd))
  return (
    <>
      {picoUsd !== undefined && <span className={styles.balance}>${exactUsd(picoUsd)} </span>}
      <Button kind="plain" className={styles.ask} onClick={() => void ask.run()} busy={ask.busy && 'Asking the service…'}>{picoUsd === undefined ? 'Ask the service' : 'Ask again'}</Button>
      {ask.failure && <FailureNote failure={ask.failure} />}
    </>
  )
}

function Disconnect() {
  const [open, setOpen] = useState(false)
  const disconnect = useAction(async () => {
    setStatus(await confirmable((signal) => api.accounts.disconnect(undefined, { signal })))
    setOpen(false)
  })
  return (
    <>
      <Button onClick={() => setOpen(true)}>Disconnect…</Button>
      <Dialog open={open} onClose={() => setOpen(false)} alert title="Disconnect the account?" says="Its key is deleted from the vault. Without a copy elsewhere, what is left on the account cannot be reached again.">
        {disconnect.failure && <FailureNote failure={disconnect.failure} />}
        <DialogActions>
          <Button onClick={() => setOpen(false)} autoFocus>Keep it</Button>
          <Button kind="primary" onClick={() => void disconnect.run()} busy={disconnect.busy && 'Disconnecting…'}>Disconnect</Button>
        </DialogActions>
      </Dialog>
    </>
  )
}

const kindWords: Readonly<Record<Status['vault']['kind'], string>> = {
  keychain: 'The keychain of this system holds the key that seals everything Sotto keeps.',
  file: 'A passphrase holds the key that seals everything Sotto keeps.',
  memory: 'Memory alone: nothing is kept after Sotto stops.',
}

function VaultSection({ vault }: { vault: Status['vault'] }) {
  const [open, setOpen] = useState(false)
  return (
    <Section title="What is kept, and how">
      <Facts><Fact name="Vault">{kindWords[vault.kind]}</Fact></Facts>
      {vault.kind === 'memory' && <div className={styles.actions}><Button onClick={() => setOpen(true)}>Protect with a passphrase…</Button></div>}
      <Dialog open={open} onClose={() => setOpen(false)} title="Protect with a passphrase" says="Sotto seals what it keeps with a key that this passphrase opens. What is here now is kept too."><ProtectForm done={() => setOpen(false)} /></Dialog>
    </Section>
  )
}

const themeWords: Readonly<Record<Theme, string>> = { system: 'As the system', light: 'Light', dark: 'Dark' }

function ThemeChoice() {
  const theme = useTheme((state) => state.theme)
  return (
    <fieldset className={styles.themes} aria-label="Theme">
      {themes.map((name) => (
        <label key={name} className={styles.theme}>
          <input type="radio" name="theme" value={name} checked={theme === name} onChange={() => setTheme(name)} />
          {themeWords[name]}
        </label>
      ))}
    </fieldset>
  )
}

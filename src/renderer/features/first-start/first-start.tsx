import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type ReactNode } from 'react'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { go } from '../../ui/route.ts'
import {
  ConnectForm,
  CreateForm,
  WithoutAccountForm,
  type MadeAccount,
} from '../../ui/service/account-forms.tsx'
import { NewCredentials } from '../../ui/service/new-credentials.tsx'
import { ProtectForm } from '../../ui/service/protect-form.tsx'
import { chooseService, useServices } from '../../ui/service/use-services.ts'
import { vaultWords } from '../../ui/service/vault-words.ts'
import { setStatus, useStatus } from '../../ui/status-store.ts'
import { useAction } from '../../ui/use-action.ts'
import styles from './first-start.module.css'

async function begin(): Promise<void> {
  setStatus(await api.app.begin())
}

/** What can be done without an account is done from the wallet. */
async function beginWithoutAccount(): Promise<void> {
  await begin()
  go({ room: 'wallet', part: 'connection' })
}

/** Shown until a way to start is chosen: what Sotto is, and four ways. */
export function FirstStart() {
  const sandbox = useStatus((state) => state.status?.service.kind) === 'sandbox'
  const [open, setOpen] = useState<string>()
  const [made, setMade] = useState<MadeAccount>()
  const toggle = (name: string) => setOpen(open === name ? undefined : name)
  if (made) return <KeepCredentials made={made} />
  return (
    <main className={styles.screen} id="main" tabIndex={-1}>
      <div className={styles.page}>
        <p className={styles.name}>Sotto</p>
        <h1 className={styles.promise}>
          <Trans>
            Sotto verifies the server’s hardware before every private chat. If the check fails, nothing is
            sent.
          </Trans>
        </h1>
        <p className={styles.lead}>
          {sandbox
            ? t`Demo mode is already running on this computer, so you can look around right away. How do you want to start?`
            : t`How do you want to start?`}
        </p>
        <ul className={styles.ways}>
          <SandboxWay running={sandbox} />
          <Way
            name={t`Connect an account`}
            says={t`Use an API key you already have.`}
            open={open === 'connect'}
            onToggle={() => toggle('connect')}
          >
            <ConnectForm done={begin} />
          </Way>
          <Way
            name={t`Create a new account`}
            says={t`No name or address needed. Add funds before you use it.`}
            open={open === 'create'}
            onToggle={() => toggle('create')}
          >
            <CreateForm onMade={setMade} />
          </Way>
          <Way
            name={t`No account`}
            says={t`Pay per request for images, videos, and data over Lightning.`}
            open={open === 'none'}
            onToggle={() => toggle('none')}
          >
            <div className={styles.later}>
              <p>
                <Trans>
                  The service sells images, videos, and data one request at a time. It sends an invoice, your
                  Lightning wallet pays it, and the request goes through. Connect a wallet in Wallet, set its
                  budgets, and see each price before it’s paid. There’s no account and no leftover balance.
                </Trans>
              </p>
              <p>
                <Trans>
                  Chat (private or not), speech, and embeddings need an account. You can create one at any
                  time.
                </Trans>
              </p>
            </div>
            <WithoutAccountForm done={beginWithoutAccount} />
          </Way>
        </ul>
        <StorageNote />
      </div>
    </main>
  )
}

/** Where what comes of it is kept; with nothing but memory, a passphrase can be chosen before anything is lost. */
function StorageNote() {
  const kind = useStatus((state) => state.status?.vault.kind)
  const [open, setOpen] = useState(false)
  if (kind === undefined) return null
  return (
    <p className={styles.lead}>
      {vaultWords[kind]}{' '}
      {kind === 'memory' && (
        <Button kind="link" onClick={() => setOpen(true)}>
          <Trans>Protect with a passphrase…</Trans>
        </Button>
      )}
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        kept
        title={t`Protect with a passphrase`}
        says={t`Sotto encrypts what it saves with a key that this passphrase unlocks. Your current data is saved too.`}
      >
        <ProtectForm done={() => setOpen(false)} />
      </Dialog>
    </p>
  )
}

/** Nothing leads past them but to say that they are saved: this is the one time that they are shown unasked. */
function KeepCredentials({ made: { accountId, credentials } }: { made: MadeAccount }) {
  return (
    <main className={styles.screen} id="main" tabIndex={-1}>
      <div className={styles.page}>
        <h1 className={styles.promise}>
          <Trans>Your new account</Trans>
        </h1>
        <p className={styles.lead}>
          <Trans>These credentials are the only proof that the account is yours.</Trans>
        </p>
        <p className={styles.lead}>
          <Trans>
            Sotto saved them in its vault. Save a copy elsewhere, too. If you lose them, you lose the
            account’s balance.
          </Trans>
        </p>
        <NewCredentials accountId={accountId} credentials={credentials} leaving={false} done={begin} />
      </div>
    </main>
  )
}

function SandboxWay({ running }: { running: boolean }) {
  const { choices } = useServices()
  const start = useAction(async () => {
    const sandbox = choices?.find(({ kind }) => kind === 'sandbox')
    if (!running && sandbox) await chooseService(sandbox.id)
    await begin()
  })
  return (
    <li className={styles.way}>
      <div className={styles.row}>
        <div className={styles.words}>
          <h2>
            <Trans>Try demo mode</Trans>
          </h2>
          <p>
            <Trans>
              A simulated service on this computer. Real protocol and signatures, simulated models, no real
              money.
            </Trans>
          </p>
        </div>
        <Button
          kind={running ? 'primary' : 'secondary'}
          onClick={() => void start.run()}
          busy={start.busy && t`Opening…`}
          disabled={!running && !choices}
        >
          {running ? t`Continue in demo mode` : t`Start demo mode`}
        </Button>
      </div>
      {start.failure && <FailureNote failure={start.failure} />}
    </li>
  )
}

interface WayProps {
  name: string
  says: string
  open: boolean
  onToggle: () => void
  children: ReactNode
}

function Way({ name, says, open, onToggle, children }: WayProps) {
  return (
    <li className={styles.way}>
      <h2 className={styles.heading}>
        <button type="button" className={styles.row} aria-expanded={open} onClick={onToggle}>
          <span className={styles.words}>
            <span className={styles.title}>{name}</span>
            <span className={styles.says}>{says}</span>
          </span>
          <span className={styles.sign} aria-hidden>
            {open ? '−' : '+'}
          </span>
        </button>
      </h2>
      {open && <div className={styles.inside}>{children}</div>}
    </li>
  )
}

import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ArrowLeft } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { go } from '../../ui/route.ts'
import screens from '../../ui/screen.module.css'
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
import { Mark } from '../../ui/shell/sidebar.tsx'
import { setStatus, useStatus } from '../../ui/status-store.ts'
import { useAction } from '../../ui/use-action.ts'
import styles from './first-start.module.css'

async function begin(): Promise<void> {
  setStatus(await api.app.begin())
}

/** Opens the wallet, which offers everything that needs no account. */
async function beginWithoutAccount(): Promise<void> {
  await begin()
  go({ view: 'wallet', part: 'connection' })
}

/** A new account has no balance, so the next step is to add funds. */
async function beginWithNewAccount(): Promise<void> {
  await begin()
  go({ view: 'wallet', part: 'add' })
}

type Way = 'create' | 'connect' | 'none'

/** The first screen: what Sotto promises, and the ways to start. Each way has a screen of its own. */
export function FirstStart() {
  const [way, setWay] = useState<Way>()
  const [newAccount, setMade] = useState<MadeAccount>()
  if (newAccount) return <SaveCredentials newAccount={newAccount} />
  if (way === undefined) return <Welcome onChoose={setWay} />
  return (
    <Screen>
      <Button kind="ghost" className={styles.back} onClick={() => setWay(undefined)}>
        <ArrowLeft size={16} strokeWidth={1.75} aria-hidden />
        <Trans>Back</Trans>
      </Button>
      {way === 'create' && (
        <>
          <h1>
            <Trans>Create an account</Trans>
          </h1>
          <p className={styles.lead}>
            <Trans>No name or address needed. Add funds before you use it.</Trans>
          </p>
          <CreateForm onMade={setMade} />
        </>
      )}
      {way === 'connect' && (
        <>
          <h1>
            <Trans>Existing account</Trans>
          </h1>
          <p className={styles.lead}>
            <Trans>Use an API key you already have.</Trans>
          </p>
          <ConnectForm done={begin} />
        </>
      )}
      {way === 'none' && <WithoutAccount />}
    </Screen>
  )
}

function Screen({ children }: { children: ReactNode }) {
  return (
    <main className={screens.screen} id="main" tabIndex={-1}>
      <div className={styles.page}>{children}</div>
    </main>
  )
}

function Welcome({ onChoose }: { onChoose: (way: Way) => void }) {
  return (
    <main className={screens.screen} id="main" tabIndex={-1}>
      <div className={styles.welcome}>
        <Mark size={56} />
        <h1 className={styles.promise}>
          <Trans>Private chats. Verified hardware. Pay only for what you use.</Trans>
        </h1>
        <p className={styles.lead}>
          <Trans>
            Sotto verifies the server’s hardware before every private chat. If the check fails, nothing is
            sent.
          </Trans>
        </p>
        <div className={styles.ways}>
          <Button kind="primary" className={styles.way} onClick={() => onChoose('create')}>
            <Trans>Create account</Trans>
          </Button>
          <Button className={styles.way} onClick={() => onChoose('connect')}>
            <Trans>I have an API key</Trans>
          </Button>
          <Demo />
          <Button kind="link" onClick={() => onChoose('none')}>
            <Trans>Pay per request</Trans>
          </Button>
        </div>
        <StorageNote />
      </div>
    </main>
  )
}

/** A simulated service on this computer, with the real protocol and no real money. */
function Demo() {
  const running = useStatus((state) => state.status?.service.kind) === 'sandbox'
  const { choices, failure, refresh } = useServices()
  const start = useAction(async () => {
    const sandbox = choices?.find(({ kind }) => kind === 'sandbox')
    if (!running && sandbox) await chooseService(sandbox.id)
    await begin()
  })
  return (
    <>
      <Button
        kind="link"
        title={t`A simulated service on this computer. Real protocol and signatures, simulated models, no real money.`}
        onClick={() => void start.run()}
        busy={start.busy && t`Opening…`}
        disabled={!running && !choices}
      >
        <Trans>Try the demo</Trans>
      </Button>
      {start.failure && <FailureNote failure={start.failure} />}
      {!running && failure && <FailureNote failure={failure} onRetry={refresh} />}
    </>
  )
}

function WithoutAccount() {
  return (
    <>
      <h1>
        <Trans>Pay per request</Trans>
      </h1>
      <div className={styles.lead}>
        <p>
          <Trans>
            The service sells images, videos, and data one request at a time. It sends an invoice, your
            Lightning wallet pays it, and the request goes through. Connect a wallet in Wallet, set its
            budgets, and see each price before it’s paid. There’s no account and no leftover balance.
          </Trans>
        </p>
        <p>
          <Trans>
            Chat (private or not), speech, and embeddings need an account. You can create one at any time.
          </Trans>
        </p>
      </div>
      <WithoutAccountForm done={beginWithoutAccount} />
    </>
  )
}

/** Where Sotto saves its key. If it saves nothing, a passphrase can be chosen before anything is lost. */
function StorageNote() {
  const kind = useStatus((state) => state.status?.vault.kind)
  const [open, setOpen] = useState(false)
  if (kind === undefined) return null
  return (
    <p className={styles.note}>
      {vaultWords[kind]}{' '}
      {kind === 'memory' && (
        <Button kind="link" onClick={() => setOpen(true)}>
          <Trans>Protect with a passphrase…</Trans>
        </Button>
      )}
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        persistent
        title={t`Protect with a passphrase`}
        says={t`Sotto encrypts what it saves with a key that this passphrase unlocks. Your current data is saved too.`}
      >
        <ProtectForm done={() => setOpen(false)} close={() => setOpen(false)} />
      </Dialog>
    </p>
  )
}

/**
 * The only time that credentials are shown without a request, so the next step waits until the person confirms that
 * they are saved.
 */
function SaveCredentials({ newAccount: { accountId, credentials } }: { newAccount: MadeAccount }) {
  return (
    <Screen>
      <h1>
        <Trans>Your new account</Trans>
      </h1>
      <div className={styles.lead}>
        <p>
          <Trans>These credentials are the only proof that the account is yours.</Trans>
        </p>
        <p>
          <Trans>
            Sotto saved them in its vault. Save a copy elsewhere, too. If you lose them, you lose the
            account’s balance.
          </Trans>
        </p>
      </div>
      <NewCredentials
        accountId={accountId}
        credentials={credentials}
        leaving={false}
        done={beginWithNewAccount}
      />
    </Screen>
  )
}

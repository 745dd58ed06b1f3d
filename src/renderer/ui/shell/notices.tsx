import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type ReactNode } from 'react'
import { RECORDS_CHANGED } from '../../../shared/record-change.ts'
import type { LocalizedText } from '../../../shared/localized-text.ts'
import { api } from '../api.ts'
import { Button } from '../button.tsx'
import { confirmable } from '../confirmation-store.ts'
import { Dialog } from '../dialog.tsx'
import { ProtectForm } from '../service/protect-form.tsx'
import { refreshStatus, setStatus, useStatus } from '../status-store.ts'
import { useAction } from '../use-action.ts'
import { fromCore, spoken } from '../language/core-sentences.ts'
import styles from './notices.module.css'

/** The core's notice about a vault in memory, shown here with a button to change that. */
const MEMORY = 'vault-memory'

/** The notices that Sotto shows in every view, and those of the desktop's window. */
export function Notices({ children }: { children: ReactNode }) {
  const status = useStatus((state) => state.status)
  const failure = useStatus((state) => state.failure)
  return (
    <div className={styles.notices}>
      {failure && (
        <div className={styles.notice} role="alert">
          <p>
            {fromCore(failure.says)} {fromCore(failure.remedy)}
          </p>
          <Button kind="link" onClick={() => void refreshStatus()}>
            <Trans>Try again</Trans>
          </Button>
        </div>
      )}
      {status?.vault.kind === 'memory' && <MemoryNotice />}
      {status?.notices
        .filter(({ id }) => id !== MEMORY)
        .map((notice) => (
          <NoticeRow key={notice.id} id={notice.id} message={notice.says} lasting={notice.lasting} />
        ))}
      {children}
    </div>
  )
}

function NoticeRow({ id, message, lasting }: { id: string; message: LocalizedText; lasting: boolean }) {
  const acknowledge = useAction(async () => setStatus(await api.app.acknowledge({ noticeId: id })))
  return (
    <div className={styles.notice} role="status">
      <p>
        {spoken(message)}
        {acknowledge.failure && ` (${fromCore(acknowledge.failure.says)})`}
      </p>
      {!lasting && (
        <Button kind="link" onClick={() => void acknowledge.run()} busy={acknowledge.busy && t`Saving…`}>
          <Trans>Got it</Trans>
        </Button>
      )}
      {id === RECORDS_CHANGED && <AcceptRecords />}
    </div>
  )
}

function AcceptRecords() {
  const accept = useAction(async () =>
    setStatus(await confirmable((signal) => api.app.acceptRecords(undefined, { signal }))),
  )
  return (
    <>
      {accept.failure && (
        <p role="alert">
          {fromCore(accept.failure.says)} {fromCore(accept.failure.remedy)}
        </p>
      )}
      <Button
        kind="link"
        onClick={() => void accept.run()}
        busy={accept.busy && t`Waiting for confirmation…`}
      >
        <Trans>Accept records</Trans>
      </Button>
    </>
  )
}

function MemoryNotice() {
  const [hidden, setHidden] = useState(false)
  const [open, setOpen] = useState(false)
  if (hidden) return null
  return (
    <div className={styles.notice} role="status">
      <p>
        <Trans>Your chats and accounts will be deleted when Sotto quits.</Trans>
      </p>
      <span className={styles.actions}>
        <Button kind="link" onClick={() => setOpen(true)}>
          <Trans>Protect with a passphrase</Trans>
        </Button>
        <Button kind="link" onClick={() => setHidden(true)}>
          <Trans>Not now</Trans>
        </Button>
      </span>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={t`Protect with a passphrase`}
        says={t`Sotto encrypts what it saves with a key that this passphrase unlocks. Your current data is saved too.`}
      >
        <ProtectForm done={() => setOpen(false)} close={() => setOpen(false)} />
      </Dialog>
    </div>
  )
}

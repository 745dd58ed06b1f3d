import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import type { ImportReport } from '../../../shared/library/import-report.ts'
import { sendFile, type FileProgress } from '../../files/send-file.ts'
import { announce } from '../../ui/announcer.tsx'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { DropZone } from '../../ui/drop-zone.tsx'
import { asFailure } from '../../ui/failure.ts'
import { Field, Form } from '../../ui/field.tsx'
import { takenOf } from './import-outcome.tsx'
import { ImportState } from './import-state.tsx'

interface RestoreDialogProps {
  onTaken: () => void
  close: () => void
}

export function RestoreDialog({ onTaken, close }: RestoreDialogProps) {
  const [file, setFile] = useState<File>()
  const [passphrase, setPassphrase] = useState('')
  const [tried, setTried] = useState(false)
  const { progress, failure, outcome, run, stop, clear } = useRestore(onTaken)
  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    clear()
  }
  const submit = () => {
    setTried(true)
    if (file && passphrase !== '' && !progress && !outcome) void run(file, passphrase)
  }
  return (
    <Dialog
      open
      onClose={close}
      persistent
      title={t`Restore chats`}
      says={t`Adds the chats and receipts from a backup. Existing chats don’t change.`}
    >
      <Form onSubmit={submit}>
        <DropZone
          label={t`Backup file`}
          disabled={progress !== undefined}
          onFiles={([chosen]) => choose(chosen)}
          names={file ? [file.name] : []}
          fault={tried && !file ? t`Choose a backup file saved by Sotto.` : undefined}
        />
        <Field
          label={t`Backup passphrase`}
          type="password"
          autoComplete="off"
          value={passphrase}
          onChange={(event) => setPassphrase(event.target.value)}
          maxLength={1000}
          fault={
            tried && passphrase === '' ? t`Enter the passphrase that was chosen for this backup.` : undefined
          }
        />
        <ImportState progress={progress} failure={failure} outcome={outcome} />
        <DialogActions>
          {progress ? (
            <Button onClick={stop}>
              <Trans>Stop</Trans>
            </Button>
          ) : (
            <Button onClick={close}>{outcome ? t({ message: 'Done', context: 'button' }) : t`Cancel`}</Button>
          )}
          {!outcome && (
            <Button kind="primary" type="submit" busy={progress !== undefined && t`Restoring…`}>
              <Trans>Restore</Trans>
            </Button>
          )}
        </DialogActions>
      </Form>
    </Dialog>
  )
}

/** Imports the chats of a backup. `onTaken` is called at the end, even after a failure. */
function useRestore(onTaken: () => void) {
  const [progress, setProgress] = useState<FileProgress>()
  const [outcome, setOutcome] = useState<{ readonly report: ImportReport; readonly stopped: boolean }>()
  const [failure, setFailure] = useState<Failure>()
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const clear = () => {
    setOutcome(undefined)
    setFailure(undefined)
  }
  const run = async (file: File, passphrase: string) => {
    const stopped = new AbortController()
    stop.current = stopped
    clear()
    let latestReport: ImportReport | undefined
    const follow = (now: FileProgress) => {
      latestReport = now.report
      setProgress(now)
    }
    follow({ read: 0, of: file.size, report: undefined })
    try {
      const begin = () => api.library.restoreBegin({ passphrase })
      const report = await sendFile(file, begin, 'library/backup-invalid', stopped.signal, follow)
      setOutcome({ report, stopped: stopped.signal.aborted })
      announce(takenOf(report))
    } catch (thrown) {
      setFailure(asFailure(thrown))
      // Conversations that were imported before the failure remain.
      if (latestReport && latestReport.conversations > 0) setOutcome({ report: latestReport, stopped: true })
    } finally {
      setProgress(undefined)
      onTaken()
    }
  }
  return { progress, failure, outcome, run, stop: () => stop.current?.abort(), clear }
}

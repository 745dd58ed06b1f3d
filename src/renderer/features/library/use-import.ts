import { useEffect, useRef, useState } from 'react'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import type { ImportReport } from '../../../shared/library/import-report.ts'
import { announce } from '../../ui/announcer.tsx'
import { asFailure } from '../../ui/failure.ts'
import { sendFile, type FileProgress } from '../../files/send-file.ts'
import { takenOf } from './import-outcome.tsx'

interface ImportProgress {
  readonly progress: FileProgress | undefined
  readonly failure: Failure | undefined
  readonly outcome: { readonly report: ImportReport; readonly stopped: boolean } | undefined
  readonly run: (
    file: File,
    begin: () => Promise<{ readonly importId: string }>,
    refused: 'library/not-conversations' | 'library/backup-invalid',
  ) => Promise<void>
  readonly stop: () => void
  /** Another file was chosen. */
  readonly clear: () => void
}

/** Imports the conversations of a file. `onTaken` is called at the end, even after a failure. */
export function useImport(onTaken: () => void): ImportProgress {
  const [progress, setProgress] = useState<FileProgress>()
  const [outcome, setOutcome] = useState<ImportProgress['outcome']>()
  const [failure, setFailure] = useState<Failure>()
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const clear = () => {
    setOutcome(undefined)
    setFailure(undefined)
  }
  const run: ImportProgress['run'] = async (file, begin, refused) => {
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
      const report = await sendFile(file, begin, refused, stopped.signal, follow)
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

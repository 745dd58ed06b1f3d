import { t } from '@lingui/core/macro'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import type { ImportReport } from '../../../shared/library/import-report.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatCount } from '../../ui/format/number.ts'
import { Progress } from '../../ui/saving-state.tsx'
import { ImportOutcome } from './import-outcome.tsx'
import type { FileProgress } from '../../files/send-file.ts'

interface ImportStateProps {
  progress: FileProgress | undefined
  failure: Failure | undefined
  outcome: { readonly report: ImportReport; readonly stopped: boolean } | undefined
}

/** The progress of reading a file, or the outcome. */
export function ImportState({ progress, failure, outcome }: ImportStateProps) {
  return (
    <>
      {progress && (
        <Progress
          label={t`File progress`}
          done={progress.read}
          of={progress.of}
          message={
            progress.report && progress.preview
              ? t`${formatCount(progress.report.conversations)} found`
              : progress.report
                ? progress.report.skipped > 0
                  ? t`${formatCount(progress.report.conversations)} imported, ${formatCount(progress.report.skipped)} skipped`
                  : t`${formatCount(progress.report.conversations)} imported`
                : t`Reading…`
          }
        />
      )}
      {outcome && <ImportOutcome report={outcome.report} stopped={outcome.stopped} />}
      {failure && <FailureNote failure={failure} />}
    </>
  )
}

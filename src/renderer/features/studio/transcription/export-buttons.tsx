import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Job, JobFile } from '../../../../shared/job.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { titleOf } from '../../../ui/jobs/job-words.ts'
import { saveJobFile } from '../../../ui/jobs/save-job-file.ts'
import { saveText } from '../../../ui/save-file.ts'
import { useAction } from '../../../ui/use-action.ts'
import {
  exportFormats,
  exportTranscript,
  exportTypes,
  type Exported,
  type ExportFormat,
} from './export-transcript.ts'
import styles from './transcription.module.css'

const names: Readonly<Record<ExportFormat, string>> = {
  get txt() {
    return t`Text`
  },
  get srt() {
    return t`SRT`
  },
  get vtt() {
    return t`VTT`
  },
  get json() {
    return t`JSON`
  },
}

/** Exports the text with the user's edits as a file, or the service's response byte for byte. */
export function ExportTranscript({
  job,
  transcriptFile,
  exported,
}: {
  job: Job
  transcriptFile: JobFile | undefined
  exported: Exported
}) {
  const sent = useAction(async () => {
    if (transcriptFile) await saveJobFile(job, transcriptFile)
  })
  // Without times there are no subtitles.
  const formats = exportFormats.filter(
    (format) => exported.lines !== undefined || (format !== 'srt' && format !== 'vtt'),
  )
  return (
    <div className={styles.actions}>
      <span className={styles.quiet}>
        <Trans>Save as:</Trans>
      </span>
      {formats.map((format) => (
        <Button
          key={format}
          onClick={() =>
            saveText(
              `${fileName(titleOf(job))}.${format}`,
              exportTypes[format],
              exportTranscript(format, exported),
            )
          }
        >
          {names[format]}
        </Button>
      ))}
      {transcriptFile && (
        <Button onClick={() => void sent.run()} busy={sent.busy && t`Saving…`}>
          <Trans>Original response</Trans>
        </Button>
      )}
      {sent.failure && <FailureNote failure={sent.failure} />}
    </div>
  )
}

/** The title without its file extension, and without characters that have a meaning in file systems. */
function fileName(title: string): string {
  const plain = title
    .replace(/\.[\p{L}\p{N}]{1,5}$/u, '')
    .replaceAll(/[^\p{L}\p{N} ._-]+/gu, ' ')
    .trim()
    .slice(0, 80)
  return plain === '' ? 'transcript' : plain
}

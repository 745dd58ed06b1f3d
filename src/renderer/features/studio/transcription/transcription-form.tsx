import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useCallback, useEffect, useRef, useState } from 'react'
import { MAX_HEARD_BYTES } from '../../../../shared/audio-limits.ts'
import type { Job } from '../../../../shared/job.ts'
import { useVoicePrices } from '../../../data/listings.ts'
import { useScopedState } from '../../../data/use-answer.ts'
import { api } from '../../../ui/api.ts'
import { CheckField } from '../../../ui/check-field.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { codedFailure } from '../../../ui/failure.ts'
import { formatDuration } from '../../../ui/format/time.ts'
import askLine from '../../../ui/jobs/ask-line.module.css'
import { AskLine } from '../../../ui/jobs/ask-line.tsx'
import { FileField } from '../../../ui/jobs/file-field.tsx'
import { showJob } from '../../../ui/jobs/jobs-store.ts'
import { useGivenFile, type GivenFileState } from '../../../ui/jobs/use-given-file.ts'
import { checkRecording, readSeconds } from './check-recording.ts'
import { RecordPanel } from './record-panel.tsx'
import {
  transcriptionAsk,
  transcriptionModel,
  useTranscriptionDraft,
  type Recorded,
} from './transcription-draft.ts'
import { TranscriptionSettings } from './transcription-settings.tsx'
import columns from '../parts/two-columns.module.css'
import styles from './transcription.module.css'

const ACCEPTED = '.mp3,.mp4,.mpeg,.mpga,.m4a,.wav,.webm,audio/*'

/** Facts about the chosen file. */
interface About {
  readonly large: boolean
  readonly seconds?: number | undefined
}

/** A recording from a file or the microphone, checked before its upload, and the options of its transcription. */
export function TranscriptionForm({ onStarted }: { onStarted: (job: Job) => void }) {
  const draft = useTranscriptionDraft()
  const model = useScopedState(transcriptionModel)
  const { failure, refresh } = useVoicePrices()
  const [about, setAbout] = useState<About>({ large: false })
  const fileInput = useGivenFile({
    check: async (file) => {
      const { wrong, splits } = await checkRecording(file)
      if (wrong !== undefined && !splits) return codedFailure(wrong)
      const recorded = useTranscriptionDraft.getState().recorded
      setAbout({
        large: wrong !== undefined,
        seconds: recorded?.file === file ? recorded.seconds : await readSeconds(file),
      })
      return undefined
    },
  })
  const { picked, take } = fileInput
  const first = useRef(take)
  useEffect(() => {
    // A recording from before the user left the tab.
    const { recorded } = useTranscriptionDraft.getState()
    if (recorded) first.current(recorded.file)
  }, [])
  const forget = () => useTranscriptionDraft.setState({ recorded: undefined })
  const formInput: GivenFileState = {
    ...fileInput,
    take: (file) => {
      forget()
      take(file)
    },
    clear: () => {
      forget()
      fileInput.clear()
    },
  }
  const keep = (recorded: Recorded) => {
    useTranscriptionDraft.setState({ recorded })
    take(recorded.file)
  }
  const pickedFile = picked.state === 'taken' ? picked : undefined
  const unsplit = about.large && !draft.split
  const started = async (job: Job) => {
    const name = pickedFile?.name
    fileInput.usedBy(job)
    forget()
    onStarted(job)
    // The service doesn't name transcripts, so the job gets the name of its file.
    if (name !== undefined)
      await showJob(api.studio.rename({ jobId: job.id, title: name.slice(0, 200) })).catch(() => undefined)
  }
  return (
    <div className={columns.form}>
      <div className={columns.first}>
        <FileField
          label={t`Recording`}
          fileInput={formInput}
          accept={ACCEPTED}
          hint={t`MP3, MP4, M4A, WAV, or WebM, up to 25 MB per request`}
          others={<RecordPanel disabled={picked.state === 'taking'} onRecorded={keep} />}
        />
        {pickedFile && about.seconds !== undefined && about.seconds >= 1 && (
          <Length seconds={about.seconds} />
        )}
        {pickedFile && about.large && <Large bytes={pickedFile.upload?.bytes} />}
        {pickedFile?.file && draft.recorded?.file === pickedFile.file && <Preview file={pickedFile.file} />}
      </div>
      <div className={columns.second}>
        {failure && <FailureNote failure={failure} onRetry={refresh} />}
        <TranscriptionSettings />
      </div>
      <div className={classNames(columns.ask, askLine.sticky)}>
        <AskLine
          ask={
            pickedFile && !unsplit
              ? transcriptionAsk(draft, model, pickedFile.source, about.large, about.seconds)
              : undefined
          }
          missing={
            picked.state === 'taking'
              ? t`Adding the recording…`
              : unsplit && pickedFile
                ? t`Turn on “Send in parts” to see the price.`
                : t`Choose a recording to see the price.`
          }
          single={false}
          send={t`Transcribe`}
          onStarted={(job) => void started(job)}
        />
      </div>
    </div>
  )
}

function Length({ seconds }: { seconds: number }) {
  const long = formatDuration(seconds * 1000)
  return (
    <p className={styles.quiet} data-testid="recording-length">
      <Trans>Length: {long}</Trans>
    </p>
  )
}

/** Offers to split a file that exceeds the service's limit for one request. */
function Large({ bytes = 0 }: { bytes?: number | undefined }) {
  const split = useTranscriptionDraft((state) => state.split)
  const pieces = Math.max(2, Math.ceil(bytes / MAX_HEARD_BYTES))
  return (
    <div className={styles.large} role="note">
      <p>
        <Trans>The recording is larger than 25 MB, the most the service accepts per request.</Trans>
      </p>
      <CheckField
        label={t`Send in parts`}
        checked={split}
        onTick={(on) => useTranscriptionDraft.setState({ split: on })}
        hint={plural(pieces, {
          one: 'Cut into about # part, between samples or frames. The texts are joined, with timestamps for the whole recording.',
          other:
            'Cut into about # parts, between samples or frames. The texts are joined, with timestamps for the whole recording.',
        })}
      />
    </div>
  )
}

/** Plays the recording before the user sends it. */
function Preview({ file }: { file: File }) {
  const shown = useCallback(
    (audio: HTMLAudioElement) => {
      const address = URL.createObjectURL(file)
      audio.src = address
      return () => URL.revokeObjectURL(address)
    },
    [file],
  )
  return (
    <audio ref={shown} className={styles.audio} controls preload="metadata" aria-label={t`Play recording`} />
  )
}

import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import type { Job, JobFile, Transcript } from '../../../../shared/job.ts'
import { announce } from '../../../ui/announcer.tsx'
import { api } from '../../../ui/api.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { asFailure } from '../../../ui/failure.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { TextAreaField } from '../../../ui/text-area-field.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { ExportTranscript } from './export-buttons.tsx'
import { storedText, linesOf, type Line } from './transcript-lines.ts'
import { TranscriptLines } from './transcript-lines-list.tsx'
import { RecordingPlayer } from './recording-player.tsx'
import styles from './transcription.module.css'

/**
 * The text of a recording next to its audio. Pressing a line plays the recording from there, and the user can
 * edit each line.
 */
export function TranscriptView({ job }: { job: Job }) {
  const [transcript, setTranscript] = useState<Transcript>()
  const [failure, setFailure] = useState<Failure>()
  useEffect(() => {
    const left = new AbortController()
    api.studio.transcript({ jobId: job.id }, { signal: left.signal }).then(
      (response) => {
        if (!left.signal.aborted) setTranscript(response)
      },
      (thrown: unknown) => {
        if (!left.signal.aborted) setFailure(asFailure(thrown))
      },
    )
    return () => left.abort()
  }, [job.id])
  if (failure) return <FailureNote failure={failure} />
  if (!transcript) return <Skeleton label={t`Loading transcript…`} />
  return <Opened job={job} transcript={transcript} onSaved={setTranscript} />
}

function Opened({
  job,
  transcript,
  onSaved,
}: {
  job: Job
  transcript: Transcript
  onSaved: (transcript: Transcript) => void
}) {
  const { edited, text, language, seconds } = transcript
  const lines = useMemo(() => linesOf(transcript), [transcript])
  const [draft, setDraft] = useState<{ readonly lines?: readonly Line[]; readonly text?: string }>()
  const [at, setAt] = useState(0)
  const audio = useRef<HTMLAudioElement>(null)
  const recording: JobFile | undefined = job.files.find(({ role }) => role === 'given')
  const transcriptFile = job.files.find(({ role }) => role === 'made')
  const shown = lines ? storedText(lines) : (edited ?? text)

  const keep = useAction(async () => {
    if (!draft) return
    const next = draft.lines ? storedText(draft.lines) : (draft.text ?? '')
    await api.studio.edit({ jobId: job.id, text: next })
    const { edited: _, ...rest } = transcript
    onSaved(next === '' ? rest : { ...rest, edited: next })
    setDraft(undefined)
    announce(t`Saved`)
  })
  const back = useAction(async () => {
    await api.studio.edit({ jobId: job.id, text: '' })
    const { edited: _, ...rest } = transcript
    onSaved(rest)
    setDraft(undefined)
    announce(t`Original restored`)
  })
  const failure = keep.failure ?? back.failure
  const seek = (to: number) => {
    if (!audio.current) return
    audio.current.currentTime = to
    setAt(to)
  }
  const hear = (to: number) => {
    seek(to)
    audio.current?.play().catch(() => undefined)
  }

  return (
    <div className={styles.transcript}>
      {recording && (
        <RecordingPlayer
          job={job}
          file={recording}
          audio={audio}
          at={at}
          known={seconds}
          onTime={setAt}
          onSeek={seek}
        />
      )}
      {!lines && (
        <p className={styles.quiet}>
          <Trans>
            This format has no timestamps, so the text doesn’t follow the audio. Transcribe again with a
            format that has them.
          </Trans>
        </p>
      )}
      {lines && (
        <TranscriptLines
          lines={draft?.lines ?? lines}
          editing={draft !== undefined}
          at={at}
          onHear={hear}
          onChange={(next) => setDraft({ lines: next })}
        />
      )}
      {!lines && !draft && (
        <div className={styles.plain} tabIndex={0} role="region" aria-label={t`Text`} lang={language}>
          {shown.trim() === '' ? t`No speech detected.` : shown}
        </div>
      )}
      {!lines && draft && (
        <TextAreaField
          label={t`Text`}
          rows={12}
          value={draft.text ?? ''}
          spellCheck
          className={styles.edit}
          onChange={({ target }) => setDraft({ text: target.value })}
        />
      )}
      {failure && <FailureNote failure={failure} />}
      <div className={styles.actions}>
        {draft ? (
          <>
            <Button kind="primary" onClick={() => void keep.run()} busy={keep.busy && t`Saving…`}>
              <Trans>Save</Trans>
            </Button>
            <Button onClick={() => setDraft(undefined)}>
              <Trans>Cancel</Trans>
            </Button>
          </>
        ) : (
          <>
            <Button onClick={() => setDraft(lines ? { lines } : { text: edited ?? text })}>
              <Trans>Edit</Trans>
            </Button>
            <CopyButton label={t`Copy text`} text={() => shown} />
            {edited !== undefined && (
              <Button onClick={() => void back.run()} busy={back.busy && t`Restoring…`}>
                <Trans>Restore original</Trans>
              </Button>
            )}
          </>
        )}
      </div>
      {!draft && (
        <ExportTranscript
          job={job}
          transcriptFile={transcriptFile}
          exported={{ text: shown, lines, language, seconds }}
        />
      )}
    </div>
  )
}

import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Mic } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { announce } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import { Recorder, RecorderError, troubleWords, type RecorderTrouble } from '../../../ui/sound/recorder.ts'
import { RecordingMeter } from '../../../ui/sound/recording-meter.tsx'
import { useLeaving } from '../../../ui/use-action.ts'
import type { Recorded } from './transcription-draft.ts'
import styles from './transcription.module.css'

type Stage =
  | { readonly name: 'closed' }
  | { readonly name: 'before'; readonly trouble?: RecorderTrouble }
  | { readonly name: 'asking' }
  | { readonly name: 'recording'; readonly recorder: Recorder }

/**
 * Records the microphone. The panel explains the permission before the browser requests it, and only until
 * the user grants it.
 */
export function RecordPanel({
  disabled,
  onRecorded,
}: {
  disabled: boolean
  onRecorded: (recorded: Recorded) => void
}) {
  const [stage, setStage] = useState<Stage>({ name: 'closed' })
  const recorder = useRef<Recorder>(undefined)
  const leaving = useLeaving()
  const keep = useRef(onRecorded)
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    keep.current = onRecorded
  })
  // Saves the recording if the user leaves the tab while recording.
  useEffect(() => () => void finish(recorder, keep.current), [])
  useEffect(() => {
    if (stage.name !== 'closed') panel.current?.querySelector<HTMLElement>('[data-first]')?.focus()
  }, [stage.name])

  const start = async () => {
    setStage({ name: 'asking' })
    try {
      const started = await Recorder.start(() => {
        if (recorder.current === started) void stop()
      }, leaving())
      recorder.current = started
      setStage({ name: 'recording', recorder: started })
      announce(t`Recording.`)
    } catch (thrown) {
      setStage({
        name: 'before',
        trouble: thrown instanceof RecorderError ? thrown.trouble : 'not-supported',
      })
    }
  }
  const open = async () => {
    if (await isAllowed()) await start()
    else setStage({ name: 'before' })
  }
  const stop = async () => {
    await finish(recorder, keep.current)
    setStage({ name: 'closed' })
  }
  const discard = () => {
    const finished = recorder.current
    recorder.current = undefined
    void finished?.finish()
    setStage({ name: 'closed' })
  }

  if (stage.name === 'closed')
    return (
      <Button onClick={() => void open()} disabled={disabled}>
        <Mic size={14} strokeWidth={1.75} aria-hidden />
        <Trans>Record…</Trans>
      </Button>
    )
  return (
    <div ref={panel} className={styles.record} role="group" aria-label={t`Record`}>
      {stage.name === 'before' && (
        <>
          <p>
            <Trans>
              Audio is recorded on this computer and stays here until you send it. You’ll be asked for
              microphone access next. The microphone turns off when you stop.
            </Trans>
          </p>
          {stage.trouble && (
            <p role="alert" className={styles.trouble}>
              {troubleWords(stage.trouble)}
            </p>
          )}
          <div className={styles.actions}>
            <Button kind="primary" data-first onClick={() => void start()}>
              <Trans>Start recording</Trans>
            </Button>
            <Button onClick={discard}>
              <Trans>Cancel</Trans>
            </Button>
          </div>
        </>
      )}
      {stage.name === 'asking' && (
        <p role="status">
          <Trans>Waiting for microphone access…</Trans>
        </p>
      )}
      {stage.name === 'recording' && (
        <div className={styles.actions}>
          <RecordingMeter recorder={stage.recorder} costOf={() => undefined} />
          <Button kind="primary" data-first onClick={() => void stop()}>
            <Trans>Stop recording</Trans>
          </Button>
          <Button onClick={discard}>
            <Trans>Discard</Trans>
          </Button>
        </div>
      )}
    </div>
  )
}

async function finish(
  recorder: { current: Recorder | undefined },
  keep: (recorded: Recorded) => void,
): Promise<void> {
  const finished = recorder.current
  recorder.current = undefined
  if (!finished) return
  const { content, durationMs } = await finished.finish()
  const ending = content.type.startsWith('audio/mp4') ? 'm4a' : 'webm'
  keep({
    file: new File([content], `${t`recording`}.${ending}`, { type: content.type }),
    seconds: durationMs / 1000,
  })
}

async function isAllowed(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'microphone' })).state === 'granted'
  } catch {
    // This browser doesn't report the permission.
    return false
  }
}

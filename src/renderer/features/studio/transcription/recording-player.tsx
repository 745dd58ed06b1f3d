import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState, type RefObject } from 'react'
import type { Job, JobFile } from '../../../../shared/job.ts'
import { linkedBytes } from '../../../ui/api.ts'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { titleOf } from '../../../ui/jobs/job-words.ts'
import { useLink } from '../../../ui/jobs/use-link.ts'
import type { Peaks } from './peaks.ts'
import { MAX_DRAWN_BYTES, readPeaks } from './read-peaks.ts'
import styles from './transcription.module.css'
import { Waveform } from './waveform.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'

interface RecordingPlayerProps {
  job: Job
  file: JobFile
  audio: RefObject<HTMLAudioElement | null>
  /** Seconds. */
  at: number
  /** The length that the service reports, in seconds. */
  known: number | undefined
  onTime: (seconds: number) => void
  onSeek: (seconds: number) => void
}

/** A recording with its waveform. Pressing the waveform seeks to that moment. */
export function RecordingPlayer({ job, file, audio, at, known, onTime, onSeek }: RecordingPlayerProps) {
  const { path, failure, renew } = useLink(job.id, file.index)
  const [length, setLength] = useState<number>()
  const [peaks, setPeaks] = useState<Peaks | 'unreadable'>()
  const from = useRef(0)
  const measuring = useRef(false)
  const large = file.bytes > MAX_DRAWN_BYTES
  const settled = peaks !== undefined || large
  useEffect(() => {
    if (path === undefined || settled) return
    const left = new AbortController()
    const read = async () => readPeaks(await linkedBytes(path, left.signal), left.signal)
    read().then(
      (found) => {
        if (!left.signal.aborted) setPeaks(found)
      },
      () => {
        if (!left.signal.aborted) setPeaks('unreadable')
      },
    )
    return () => left.abort()
  }, [path, settled])

  if (failure) return <FailureNote failure={failure} isSaved />
  const shape = typeof peaks === 'object' ? peaks : undefined
  const seconds = shape?.seconds ?? length ?? file.seconds ?? known ?? 0
  const title = titleOf(job)
  const ready = ({ currentTarget }: { currentTarget: HTMLAudioElement }) => {
    if (currentTarget.duration === Infinity) {
      // A file that a browser recorded doesn't contain its duration, so the player seeks to the end to find
      // it.
      measuring.current = true
      currentTarget.currentTime = 1e7
      return
    }
    setLength(currentTarget.duration)
    if (from.current > 0) currentTarget.currentTime = from.current
    from.current = 0
  }
  const measured = ({ currentTarget }: { currentTarget: HTMLAudioElement }) => {
    if (!measuring.current || !Number.isFinite(currentTarget.duration)) return
    measuring.current = false
    setLength(currentTarget.duration)
    currentTarget.currentTime = from.current
    from.current = 0
  }
  return (
    <div className={styles.player}>
      {shape && <Waveform peaks={shape} at={at} seconds={seconds} onSeek={onSeek} />}
      {!settled && <Skeleton label={t`Loading waveform…`} />}
      {large && (
        <p className={styles.quiet}>
          <Trans>
            The recording is too large for a waveform. You can still play it, and the text is below.
          </Trans>
        </p>
      )}
      {peaks === 'unreadable' && (
        <p className={styles.quiet}>
          <Trans>This browser can’t draw a waveform for this recording. The text is below.</Trans>
        </p>
      )}
      <audio
        ref={audio}
        className={styles.audio}
        controls
        preload="metadata"
        aria-label={t`Play ${title}`}
        {...(path !== undefined && { src: path })}
        onLoadedMetadata={ready}
        onDurationChange={measured}
        onSeeked={measured}
        onTimeUpdate={({ currentTarget }) => {
          if (!measuring.current) onTime(currentTarget.currentTime)
        }}
        onError={({ currentTarget }) => {
          from.current = currentTarget.currentTime
          renew()
        }}
      />
    </div>
  )
}

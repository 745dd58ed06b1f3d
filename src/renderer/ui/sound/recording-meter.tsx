import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import type { Recorder } from './recorder.ts'
import styles from './recording-meter.module.css'

const SHOWN_EVERY_MS = 80

/** The current loudness, and the duration of the recording. */
export function RecordingMeter({
  recorder,
  costOf,
}: {
  recorder: Recorder
  costOf: (ms: number) => string | undefined
}) {
  const [now, setNow] = useState({ level: 0, ms: 0 })
  useEffect(() => {
    const timer = setInterval(
      () => setNow({ level: recorder.level(), ms: recorder.elapsedMs() }),
      SHOWN_EVERY_MS,
    )
    return () => clearInterval(timer)
  }, [recorder])
  const cost = costOf(now.ms)
  return (
    <span className={styles.meter}>
      <span className={styles.dot} aria-hidden />
      <span className={styles.time} role="timer" aria-label={t`Recording time`}>
        {clockOf(now.ms)}
      </span>
      <meter className={styles.level} min={0} max={1} value={now.level} aria-label={t`Volume`} />
      {cost !== undefined && <span className={styles.cost}>{cost}</span>}
    </span>
  )
}

/** Minutes and seconds, as a recorder shows them. */
function clockOf(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  return `${String(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}`
}

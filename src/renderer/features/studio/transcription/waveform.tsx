import { plural, t } from '@lingui/core/macro'
import { useEffect, useRef, type KeyboardEvent, type PointerEvent } from 'react'
import { paperOf, useDrawn } from '../../../ui/canvas.ts'
import { formatDuration } from '../../../ui/format/time.ts'
import { useDarkTheme } from '../../../ui/theme.ts'
import { clockOf } from './transcript-lines.ts'
import type { Peaks } from './peaks.ts'
import styles from './transcription.module.css'

const STEP_S = 5
const LEAP_S = 30
/** CSS pixels. */
const BAR = 3
const GAP = 1

interface WaveformProps {
  peaks: Peaks
  /** Seconds. */
  at: number
  seconds: number
  onSeek: (seconds: number) => void
}

/**
 * The loudness of a recording over time. A press or the arrow keys seek to that moment. The text below states
 * what the waveform shows.
 */
export function Waveform({ peaks, at, seconds, onSeek }: WaveformProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const dark = useDarkTheme()
  const drawn = useDrawn(canvas)
  useEffect(() => {
    if (canvas.current) draw(canvas.current, peaks.levels, seconds === 0 ? 0 : at / seconds)
  }, [peaks, at, seconds, dark, drawn])

  const go = (to: number) => onSeek(Math.min(Math.max(0, to), seconds))
  const pressed = (event: PointerEvent<HTMLDivElement>) => {
    if (event.type === 'pointermove' && event.buttons !== 1) return
    const { left, width } = event.currentTarget.getBoundingClientRect()
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId)
    go(((event.clientX - left) / width) * seconds)
  }
  const typed = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: at + STEP_S,
      ArrowUp: at + STEP_S,
      ArrowLeft: at - STEP_S,
      ArrowDown: at - STEP_S,
      PageUp: at + LEAP_S,
      PageDown: at - LEAP_S,
      Home: 0,
      End: seconds,
    }
    const to = steps[event.key]
    if (to === undefined) return
    event.preventDefault()
    go(to)
  }
  const [now, whole, long] = [clockOf(at), clockOf(seconds), formatDuration(seconds * 1000)]
  const pauses = peaks.pauses
  return (
    <figure className={styles.waveform}>
      <div
        className={styles.track}
        role="slider"
        tabIndex={0}
        dir="ltr"
        aria-label={t`Position in the recording`}
        aria-valuemin={0}
        aria-valuemax={Math.round(seconds)}
        aria-valuenow={Math.round(at)}
        aria-valuetext={t`${now} of ${whole}`}
        onPointerDown={pressed}
        onPointerMove={pressed}
        onKeyDown={typed}
      >
        <canvas ref={canvas} className={styles.canvas} aria-hidden />
      </div>
      <figcaption className={styles.quiet}>
        {pauses === 0
          ? t`${long} of audio, without a pause of a second or longer.`
          : plural(pauses, {
              one: `${long} of audio, with # pause of a second or longer.`,
              other: `${long} of audio, with # pauses of a second or longer.`,
            })}
      </figcaption>
    </figure>
  )
}

/** Uses the style sheet's colors: ink for the part already played, line for the rest. */
function draw(canvas: HTMLCanvasElement, levels: Float32Array, heard: number): void {
  const paper = paperOf(canvas)
  if (!paper) return
  const { context, width, height, ink, line } = paper
  const bars = Math.max(1, Math.floor(width / (BAR + GAP)))
  for (let bar = 0; bar < bars; bar += 1) {
    const [from, to] = [
      Math.floor((bar / bars) * levels.length),
      Math.ceil(((bar + 1) / bars) * levels.length),
    ]
    const level = levels.subarray(from, Math.max(to, from + 1)).reduce((most, one) => Math.max(most, one), 0)
    const tall = Math.max(2, level * height)
    context.fillStyle = (bar + 0.5) / bars <= heard ? ink : line
    context.fillRect(bar * (BAR + GAP), (height - tall) / 2, BAR, tall)
  }
}

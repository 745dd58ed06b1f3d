import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { hasEnded } from '../../../../shared/job-state.ts'
import type { Job } from '../../../../shared/job.ts'
import { api, ownStream } from '../../../ui/api.ts'
import { formatCount } from '../../../ui/format/number.ts'
import { titleOf } from '../../../ui/jobs/job-words.ts'
import { canStreamSound, streamSound } from '../../../ui/sound/stream-sound.ts'
import styles from './speech.module.css'

interface StreamedProps {
  job: Job
  /**
   * Called when the stream ends or can't continue. `seconds`: the audio played so far. `more`: whether audio
   * remains.
   */
  onOver: (seconds: number, more: boolean) => void
}

/** Plays speech while the service sends it. */
export function StreamedPlayer({ job, onOver }: StreamedProps) {
  const { id: jobId, parts } = job
  const audio = useRef<HTMLAudioElement>(null)
  const over = useRef(onOver)
  useEffect(() => {
    over.current = onOver
  })
  const [begun, setBegun] = useState(false)
  useEffect(() => {
    const { current } = audio
    if (!current) return
    const left = new AbortController()
    const { signal } = left
    const play = async () => {
      const { path, type } = await api.studio.listen({ jobId }, { signal })
      if (!canStreamSound(type))
        throw new DOMException('It cannot be decoded while it comes.', 'NotSupportedError')
      const content = await ownStream(path, signal)
      await streamSound(current, type, content, signal)
    }
    play().catch(() => {
      if (!signal.aborted) over.current(current.currentTime, true)
    })
    // If the browser blocks autoplay, the user can press the play button.
    current.play().catch(() => undefined)
    return () => left.abort()
  }, [jobId])
  const title = titleOf(job)
  const [done, of] = [formatCount(parts?.done ?? 0), formatCount(parts?.of ?? 0)]
  return (
    <div className={styles.player}>
      <audio
        ref={audio}
        className={styles.audio}
        controls
        aria-label={t`Play ${title}`}
        onPlaying={() => setBegun(true)}
        onEnded={({ currentTarget }) => onOver(currentTarget.currentTime, false)}
        onError={({ currentTarget }) => onOver(currentTarget.currentTime, true)}
      />
      <p className={styles.quiet} role="status">
        {!begun
          ? t`Generating the first words…`
          : parts && !hasEnded(job.state)
            ? t`Playing while generating: ${done} of ${of} parts are ready.`
            : t`All parts are ready.`}
      </p>
    </div>
  )
}

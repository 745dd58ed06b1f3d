import { t } from '@lingui/core/macro'
import { useCallback, useEffect, useRef, useState } from 'react'
import { hasEnded } from '../../../../shared/job-state.ts'
import type { Job, JobFile } from '../../../../shared/job.ts'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { formatCount } from '../../../ui/format/number.ts'
import { titleOf } from '../../../ui/jobs/job-words.ts'
import { useLink } from '../../../ui/jobs/use-link.ts'
import styles from './speech.module.css'
import { StreamedPlayer } from './streamed-player.tsx'

/** The core numbers parts from this index on, until it joins them. */
const FIRST_PART = 100

/** The audio files of a job that can be played, in order: the joined file if it exists, else the parts so far. */
export function spokenFiles({ files }: Pick<Job, 'files'>): readonly JobFile[] {
  return files
    .filter(({ role }) => role === 'made' || role === 'part')
    .toSorted((one, other) => one.index - other.index)
}

/**
 * Plays generated speech. With `begin`, playback starts at once because the user asked for it. The audio then
 * streams if this browser can decode the stream. Otherwise the parts play one after another while the job
 * runs.
 */
export function SpokenPlayer({ job, begin = false }: { job: Job; begin?: boolean }) {
  const [streamed] = useState(begin && !hasEnded(job.state))
  /** The seconds that the stream played, and whether more audio remains. */
  const [over, setOver] = useState<{ readonly seconds: number; readonly more: boolean }>()
  const files = spokenFiles(job)
  const [first] = files
  if (streamed && !over?.more && !(over && first))
    return <StreamedPlayer job={job} onOver={(seconds, more) => setOver({ seconds, more })} />
  if (!first) return null
  return over ? (
    <Player job={job} files={files} first={first} begin={over.more} from={over.more ? over.seconds : 0} />
  ) : (
    <Player job={job} files={files} first={first} begin={begin} from={0} />
  )
}

/**
 * Plays the parts in order. After the core joins them, playback continues in the joined file at the same
 * moment.
 */
function Player({
  job,
  files,
  first,
  begin,
  from: heard,
}: {
  job: Job
  files: readonly JobFile[]
  first: JobFile
  begin: boolean
  /** Seconds. */ from: number
}) {
  const [file, setFile] = useState(first)
  const [waiting, setWaiting] = useState(false)
  const audio = useRef<HTMLAudioElement>(null)
  /**
   * `before`: seconds played before this file. `wanted`: whether to play. `from`: the start in this file, in
   * seconds.
   */
  const handler = useRef({ before: 0, wanted: begin, from: heard })
  const { path, failure, renew } = useLink(job.id, file.index)
  const whole = files.length === 1 && first.role === 'made' ? first : undefined
  const following = whole ?? files.find(({ index }) => index > file.index)

  const take = useCallback((next: JobFile, from: number) => {
    handler.current.from = from
    setWaiting(false)
    setFile(next)
  }, [])
  useEffect(() => {
    if (waiting && following && following.index !== file.index)
      take(following, following === whole ? handler.current.before : 0)
  }, [waiting, following, whole, file.index, take])
  useEffect(() => {
    const { current } = audio
    const idle = current === null || (current.paused && current.currentTime === 0)
    if (whole && whole.index !== file.index && idle && handler.current.before === 0) take(whole, 0)
  }, [whole, file.index, take])

  const ended = () => {
    if (file.index === whole?.index) return
    const seconds = audio.current?.duration ?? 0
    handler.current.before += Number.isFinite(seconds) ? seconds : 0
    setWaiting(true)
  }
  const failed = () => {
    const at = audio.current?.currentTime ?? 0
    // The file of a joined part no longer exists; the joined file contains its audio.
    if (whole && whole.index !== file.index) return take(whole, handler.current.before + at)
    // The link may have expired. The new link continues at the same position.
    handler.current.from = at
    renew()
  }
  const ready = () => {
    const { current } = audio
    const { from, wanted } = handler.current
    if (!current) return
    if (from > 0) current.currentTime = from
    handler.current.from = 0
    // If the browser blocks autoplay, the user can press the play button.
    if (wanted) current.play().catch(() => undefined)
  }

  if (failure) return <FailureNote failure={failure} isSaved />
  const title = titleOf(job)
  const parts = file.role === 'part' ? job.parts : undefined
  const at = formatCount(file.index - FIRST_PART + 1)
  const of = formatCount(parts?.of ?? 0)
  return (
    <div className={styles.player}>
      <audio
        ref={audio}
        className={styles.audio}
        controls
        preload="metadata"
        aria-label={t`Play ${title}`}
        {...(path !== undefined && { src: path })}
        onLoadedMetadata={ready}
        onEnded={ended}
        onError={failed}
        onPlay={() => {
          handler.current.wanted = true
        }}
        onPause={({ currentTarget }) => {
          if (!currentTarget.ended) handler.current.wanted = false
        }}
      />
      {parts && (
        <p className={styles.quiet} role="status">
          {waiting && !hasEnded(job.state) ? t`Generating the next part…` : t`Part ${at} of ${of}`}
        </p>
      )}
    </div>
  )
}

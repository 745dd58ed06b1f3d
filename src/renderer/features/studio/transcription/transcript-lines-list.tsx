import { t } from '@lingui/core/macro'
import { useEffect, useRef } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { classNames } from '../../../ui/class-names.ts'
import { clockOf, lineAt, type Line } from './transcript-lines.ts'
import styles from './transcription.module.css'

interface TranscriptLinesProps {
  lines: readonly Line[]
  editing: boolean
  /** Seconds. */
  at: number
  /** Called to play from this moment. */
  onHear: (seconds: number) => void
  onChange: (lines: readonly Line[]) => void
}

/**
 * The lines of a transcript. The spoken line is highlighted and stays in view. Only the lines near the view
 * are in the page.
 */
export function TranscriptLines({ lines, editing, at, onHear, onChange }: TranscriptLinesProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  const heard = lineAt(lines, at)
  useEffect(() => {
    if (heard >= 0 && !editing) list.current?.scrollToIndex(heard, { align: 'nearest' })
  }, [heard, editing])
  return (
    <div ref={scroller} className={styles.lines} role="region" tabIndex={0} aria-label={t`Transcript lines`}>
      <Virtualizer ref={list} scrollRef={scroller} bufferSize={400} data={lines} as="ol" item="li">
        {(line, index) => {
          const { start, text } = line
          const clock = clockOf(start)
          return (
            <div
              key={index}
              className={classNames(styles.row, index === heard && styles.heard)}
              {...(index === heard && { 'aria-current': 'true' as const })}
            >
              <button
                type="button"
                className={styles.time}
                aria-label={t`Play from ${clock}`}
                onClick={() => onHear(start)}
              >
                {clock}
              </button>
              {editing ? (
                <textarea
                  rows={1}
                  className={styles.said}
                  aria-label={t`Text at ${clock}`}
                  value={text}
                  autoComplete="off"
                  spellCheck
                  onChange={({ target }) => onChange(lines.with(index, { ...line, text: target.value }))}
                />
              ) : (
                <button
                  type="button"
                  className={styles.words}
                  dir="auto"
                  tabIndex={-1}
                  onClick={() => onHear(start)}
                >
                  {text}
                </button>
              )}
            </div>
          )
        }}
      </Virtualizer>
    </div>
  )
}

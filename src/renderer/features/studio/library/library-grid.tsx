import { t } from '@lingui/core/macro'
import { useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { VList, type VListHandle } from 'virtua'
import type { Job } from '../../../../shared/job.ts'
import { focusOnceShown } from '../../../ui/into-view.ts'
import { LibraryCell } from './library-cell.tsx'
import styles from './library.module.css'

interface GridProps {
  jobs: readonly Job[]
  chosen: ReadonlySet<string>
  onChoose: (jobId: string) => void
  onOpen: (job: Job) => void
  onNearEnd: () => void
}

const CELL_WIDTH = 176
/** Within this many rows of the end, older jobs are fetched. */
const NEAR_END = 4

/**
 * Rows of cells, of which only the visible ones are rendered. Arrow keys move the focus, Enter opens a job
 * and Space selects it.
 */
export function LibraryGrid({ jobs, chosen, onChoose, onOpen, onNearEnd }: GridProps) {
  const frame = useRef<HTMLDivElement>(null)
  const list = useRef<VListHandle>(null)
  const [columns, setColumns] = useState(4)
  const [at, setAt] = useState(0)
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return
    const measured = new ResizeObserver(() =>
      setColumns(Math.max(1, Math.floor(element.clientWidth / CELL_WIDTH))),
    )
    measured.observe(element)
    return () => measured.disconnect()
  }, [])
  const rows = useMemo(
    () =>
      Array.from({ length: Math.ceil(jobs.length / columns) }, (_, row) =>
        jobs.slice(row * columns, (row + 1) * columns),
      ),
    [jobs, columns],
  )
  const current = Math.min(at, jobs.length - 1)
  const go = (to: number) => {
    const next = Math.max(0, Math.min(to, jobs.length - 1))
    setAt(next)
    list.current?.scrollToIndex(Math.floor(next / columns), { align: 'nearest' })
    requestAnimationFrame(() =>
      focusOnceShown(frame.current?.querySelector<HTMLElement>(`[data-place="${String(next)}"]`)),
    )
  }
  const pressed = (event: KeyboardEvent) => {
    const job = jobs[current]
    if (!job || !(event.target instanceof HTMLElement) || event.target.dataset['place'] === undefined) return
    // In a right-to-left script, the next cell is on the left.
    const ahead = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1
    const to: Partial<Record<string, number>> = {
      ArrowRight: current + ahead,
      ArrowLeft: current - ahead,
      ArrowDown: current + columns,
      ArrowUp: current - columns,
      Home: 0,
      End: jobs.length - 1,
    }
    const place = to[event.key]
    if (place !== undefined) go(place)
    else if (event.key === ' ') onChoose(job.id)
    else if (event.key === 'Enter') onOpen(job)
    else return
    event.preventDefault()
  }
  const scrolled = () => {
    const handle = list.current
    if (handle && handle.findItemIndex(handle.scrollOffset + handle.viewportSize) >= rows.length - NEAR_END)
      onNearEnd()
  }
  return (
    <div
      ref={frame}
      className={styles.grid}
      role="grid"
      aria-label={t`Library`}
      aria-rowcount={rows.length}
      aria-colcount={columns}
      aria-multiselectable
      onKeyDown={pressed}
    >
      <VList
        ref={list}
        className={styles.rows}
        onScroll={scrolled}
        data={rows}
        keepMounted={[Math.floor(current / columns)]}
      >
        {(row, index) => (
          <div
            key={row[0]?.id ?? index}
            role="row"
            aria-rowindex={index + 1}
            className={styles.row}
            data-columns={columns}
          >
            {row.map((job, column) => {
              const place = index * columns + column
              return (
                <LibraryCell
                  key={job.id}
                  job={job}
                  place={place}
                  current={place === current}
                  chosen={chosen.has(job.id)}
                  onChoose={onChoose}
                  onOpen={onOpen}
                  onFocus={setAt}
                />
              )
            })}
          </div>
        )}
      </VList>
    </div>
  )
}

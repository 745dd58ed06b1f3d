import { useCallback, useEffect, useRef, useState } from 'react'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import type { BatchRow, BatchRows, RowState } from '../../../../shared/job-rows.ts'
import { api } from '../../../ui/api.ts'
import { asFailure } from '../../../ui/failure.ts'

const PAGE = 200
/** Pages that are kept: what lies further away is asked for again. */
const KEPT = 20
const SAMPLE = 50
/** While rows change, so often they are asked for at most. */
const AGAIN_MS = 700

interface Pages {
  readonly asked: string
  readonly columns: readonly string[]
  readonly sample: readonly (readonly string[])[]
  readonly total: number
  readonly pages: ReadonlyMap<number, readonly BatchRow[]>
}

export interface RowsState {
  readonly columns: readonly string[]
  /** Cells of the first rows that were read. */
  readonly sample: readonly (readonly string[])[]
  readonly total: number
  readonly at: (index: number) => BatchRow | undefined
  readonly failure: Failure | undefined
  /** Tells which rows are looked at. */
  readonly look: (first: number, end: number) => void
  readonly again: () => void
}

const nothing: Pages = { asked: '', columns: [], sample: [], total: 0, pages: new Map() }

/** Rows of a batch, page by page as they are looked at, and anew when `changedAt` says that something changed. */
export function useRows(
  jobId: string,
  states: readonly RowState[] | undefined,
  changedAt: number,
): RowsState {
  const asked = `${jobId} ${states?.join() ?? ''}`
  const [known, setKnown] = useState<Pages>(nothing)
  const [failure, setFailure] = useState<Failure>()
  const [turn, setTurn] = useState(0)
  const [range, setRange] = useState({ first: 0, end: 1 })
  /** What was read for this stamp; whether it is being read now, and has to be once more after that. */
  const have = useRef<{ readonly stamp: string; readonly pages: Set<number> }>({
    stamp: '',
    pages: new Set(),
  })
  const reading = useRef({ busy: false, again: false, at: 0 })
  const leaving = useRef<AbortController>(null)
  const stamp = `${asked} ${String(changedAt)} ${String(turn)}`
  const wanted = states?.join() ?? ''
  const [firstPage, lastPage] = [
    Math.floor(range.first / PAGE),
    Math.floor(Math.max(0, range.end - 1) / PAGE),
  ]
  useEffect(() => {
    const left = new AbortController()
    leaving.current = left
    reading.current = { busy: false, again: false, at: 0 }
    return () => left.abort()
  }, [asked])
  useEffect(() => {
    const signal = leaving.current?.signal
    if (!signal) return
    const fresh = have.current.stamp !== stamp
    if (fresh) have.current = { stamp, pages: new Set() }
    const kept = have.current
    const missing = Array.from({ length: lastPage - firstPage + 1 }, (_, at) => firstPage + at).filter(
      (page) => !kept.pages.has(page),
    )
    if (missing.length === 0) return
    const now = reading.current
    // What is on its way is never given up for what is newer: where rows change without end, nothing would ever come.
    const read = async () => {
      if (now.busy) {
        now.again = true
        return
      }
      now.busy = true
      now.at = Date.now()
      try {
        for (const page of missing) {
          const filter = rowStatesOf(wanted)
          const answer = await api.studio.rows(
            { jobId, from: page * PAGE, limit: PAGE, ...(filter.length > 0 && { states: filter }) },
            { signal },
          )
          if (signal.aborted) return
          kept.pages.add(page)
          setKnown((before) => withPage(before, asked, page, answer, [firstPage, lastPage]))
        }
        setFailure(undefined)
      } catch (thrown) {
        if (!signal.aborted) setFailure(asFailure(thrown))
      } finally {
        now.busy = false
        if (now.again && !signal.aborted) {
          now.again = false
          setTurn((before) => before + 1)
        }
      }
    }
    const timer = setTimeout(() => void read(), fresh ? Math.max(0, AGAIN_MS - (Date.now() - now.at)) : 0)
    return () => clearTimeout(timer)
  }, [asked, stamp, jobId, wanted, firstPage, lastPage])
  const { pages } = known.asked === asked ? known : nothing
  const at = useCallback((index: number) => pages.get(Math.floor(index / PAGE))?.[index % PAGE], [pages])
  const look = useCallback(
    (first: number, end: number) =>
      setRange((before) => (before.first === first && before.end === end ? before : { first, end })),
    [],
  )
  return {
    columns: known.columns,
    sample: known.sample,
    total: known.asked === asked ? known.total : 0,
    at,
    failure,
    look,
    again: () => setTurn((before) => before + 1),
  }
}

function withPage(
  before: Pages,
  asked: string,
  page: number,
  answer: BatchRows,
  inView: readonly [number, number],
): Pages {
  const same = before.asked === asked
  const pages = new Map(same ? before.pages : [])
  pages.delete(page)
  pages.set(page, answer.rows)
  for (const old of pages.keys())
    if (pages.size > KEPT && (old < inView[0] || old > inView[1])) pages.delete(old)
  return {
    asked,
    // The same array as long as it says the same, so that nothing is drawn anew for it.
    columns: before.columns.join('\n') === answer.columns.join('\n') ? before.columns : answer.columns,
    sample: before.sample.length > 0 ? before.sample : answer.rows.slice(0, SAMPLE).map(({ cells }) => cells),
    total: answer.total,
    pages,
  }
}

function rowStatesOf(text: string): RowState[] {
  const all: readonly RowState[] = ['ready', 'sending', 'done', 'failed', 'unknown']
  return all.filter((state) => text.split(',').includes(state))
}

import { useCallback, useEffect, useRef, useState } from 'react'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import type { BatchRow, BatchRows, RowState } from '../../../../shared/job-rows.ts'
import { api } from '../../../ui/api.ts'
import { asFailure } from '../../../ui/failure.ts'

const PAGE = 200
/** Pages in the cache. Pages further away are dropped and fetched again. */
const MAX_PAGES = 20
const SAMPLE = 50
/** While rows change, the minimum time between two fetches. */
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
  /** The cells of the first rows that the hook read. */
  readonly sample: readonly (readonly string[])[]
  readonly total: number
  readonly at: (index: number) => BatchRow | undefined
  readonly failure: Failure | undefined
  /** Reports which rows are in view. */
  readonly look: (first: number, end: number) => void
  readonly again: () => void
}

const nothing: Pages = { asked: '', columns: [], sample: [], total: 0, pages: new Map() }

/** Fetches the rows of a batch page by page as they come into view, and again when `changedAt` changes. */
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
  /**
   * `have`: the pages read for this stamp. `reading`: whether a read is in progress, and whether another must
   * follow it.
   */
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
    const cache = have.current
    const missing = Array.from({ length: lastPage - firstPage + 1 }, (_, at) => firstPage + at).filter(
      (page) => !cache.pages.has(page),
    )
    if (missing.length === 0) return
    const now = reading.current
    // A newer request never cancels a read in progress: if rows change continuously, no read would ever
    // finish.
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
          cache.pages.add(page)
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
    if (pages.size > MAX_PAGES && (old < inView[0] || old > inView[1])) pages.delete(old)
  return {
    asked,
    // Return the same array if its content is the same, so that React draws nothing again.
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

import { useCallback, useEffect, useRef, useState } from 'react'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import type { BatchRow, RowState } from '../../../../shared/job-rows.ts'
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
export function useRows(jobId: string, states: readonly RowState[] | undefined, changedAt: number): RowsState {
  const asked = `${jobId} ${states?.join() ?? ''}`
  const [known, setKnown] = useState<Pages>(nothing)
  const [failure, setFailure] = useState<Failure>()
  const [turn, setTurn] = useState(0)
  const [range, setRange] = useState({ first: 0, end: 1 })
  const have = useRef<{ readonly asked: string; readonly stamp: string; readonly pages: Set<number> }>({ asked: '', stamp: '', pages: new Set() })
  const lastAt = useRef(0)
  const stamp = `${asked} ${String(changedAt)} ${String(turn)}`
  const wanted = states?.join() ?? ''
  const [firstPage, lastPage] = [Math.floor(range.first / PAGE), Math.floor(Math.max(0, range.end - 1) / PAGE)]
  useEffect(() => {
    const left = new AbortController()
    if (have.current.stamp !== stamp) have.current = { asked, stamp, pages: new Set() }
    const missing = Array.from({ length: lastPage - firstPage + 1 }, (_, at) => firstPage + at).filter((page) => !have.current.pages.has(page))
    if (missing.length === 0) return
    const read = async () => {
      lastAt.current = Date.now()
      try {
        for (const page of missing) {
          const filter = rowStatesOf(wanted)
          const answer = await api.studio.rows({ jobId, from: page * PAGE, limit: PAGE, ...(filter.length > 0 && { states: filter }) }, { signal: left.signal })
          if (left.signal.aborted) return
          have.current.pages.add(page)
          setKnown((before) => {
            const pages = new Map(before.asked === asked ? before.pages : [])
            pages.delete(page)
            pages.set(page, answer.rows)
            for (const old of pages.keys()) if (pages.size > KEPT && (old < firstPage || old > lastPage)) pages.delete(old)
            const sample = before.sample.length > 0 ? before.sample : answer.rows.slice(0, SAMPLE).map(({ cells }) => cells)
            return { asked, columns: before.columns.join() === answer.columns.join() ? before.columns : answer.columns, sample, total: answer.total, pages }
          })
        }
        setFailure(undefined)
      } catch (thrown) {
        if (!left.signal.aborted) setFailure(asFailure(thrown))
      }
    }
    const wait = Math.max(0, AGAIN_MS - (Date.now() - lastAt.current))
    const timer = setTimeout(() => void read(), have.current.pages.size === 0 ? wait : 0)
    return () => {
      left.abort()
      clearTimeout(timer)
    }
  }, [asked, stamp, jobId, wanted, firstPage, lastPage])
  const { pages } = known.asked === asked ? known : nothing
  const at = useCallback((index: number) => pages.get(Math.floor(index / PAGE))?.[index % PAGE], [pages])
  const look = useCallback((first: number, end: number) => setRange((before) => (before.first === first && before.end === end ? before : { first, end })), [])
  return { columns: known.columns, sample: known.sample, total: known.asked === asked ? known.total : 0, at, failure, look, again: () => setTurn(turn + 1) }
}

function rowStatesOf(text: string): RowState[] {
  const all: readonly RowState[] = ['ready', 'sending', 'done', 'failed', 'unknown']
  return all.filter((state) => text.split(',').includes(state))
}

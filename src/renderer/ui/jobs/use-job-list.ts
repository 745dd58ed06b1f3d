import { useEffect, useMemo, useRef, useState } from 'react'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import { jobKinds, type JobKind } from '../../../shared/job-ask.ts'
import type { Job } from '../../../shared/job.ts'
import { api } from '../api.ts'
import { asFailure } from '../failure.ts'
import { sameService, useService } from '../status-store.ts'
import { putJobs, useJobs } from './jobs-store.ts'

export interface JobList {
  /** The newest first; undefined before the first page. */
  readonly jobs: readonly Job[] | undefined
  readonly busy: boolean
  readonly failure: Failure | undefined
  /** Whether there are older ones. */
  readonly more: boolean
  readonly older: () => void
  readonly again: () => void
}

interface Page {
  readonly asked: string
  readonly ids: readonly string[]
  readonly next: string | undefined
}

const PAGE = 60

/** Jobs of some kinds, page by page; what begins or changes meanwhile is among them. With `text` those alone that hold its words. */
export function useJobList(kinds: readonly JobKind[] | undefined, text = ''): JobList {
  const service = useService()
  const [turn, setTurn] = useState(0)
  const wanted = kinds?.join(',') ?? ''
  const asked = `${service ?? ''}\n${wanted}\n${text}\n${String(turn)}`
  const [page, setPage] = useState<Page>()
  const [failed, setFailed] = useState<{ readonly asked: string; readonly failure: Failure }>()
  const [readingOn, setReadingOn] = useState(false)
  const known = useJobs((state) => state.jobs)
  const leaving = useRef<AbortSignal>(undefined)

  useEffect(() => {
    const left = new AbortController()
    leaving.current = left.signal
    readPage({ asked, wanted, text }, undefined, left.signal).then(
      (read) => {
        if (!read) return
        setPage(read)
        setFailed(undefined)
      },
      (thrown: unknown) => {
        if (!left.signal.aborted) setFailed({ asked, failure: asFailure(thrown) })
      },
    )
    return () => left.abort()
  }, [asked, wanted, text])

  const jobs = useMemo(() => {
    if (!page) return undefined
    const listed = page.ids.flatMap((id) => known[id] ?? [])
    const searched = text.trim() !== ''
    const among = new Set(page.ids)
    const newest = listed[0]?.at ?? 0
    // What began after the list was read stands in the store alone.
    const since = searched
      ? []
      : Object.values(known).filter(
          ({ id, kind, at }) =>
            !among.has(id) && at >= newest && (wanted === '' || wanted.split(',').includes(kind)),
        )
    return [...since, ...listed].toSorted((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1))
  }, [page, known, text, wanted])

  const failure = failed?.asked === asked ? failed.failure : undefined
  const busy = readingOn || (page?.asked !== asked && !failure)
  const older = () => {
    const signal = leaving.current
    if (busy || page?.next === undefined || !signal) return
    setReadingOn(true)
    readPage({ asked, wanted, text }, page, signal)
      .then(
        (read) => {
          if (!read) return
          setPage(read)
          setFailed(undefined)
        },
        (thrown: unknown) => {
          if (!signal.aborted) setFailed({ asked, failure: asFailure(thrown) })
        },
      )
      .finally(() => setReadingOn(false))
  }
  return {
    jobs,
    busy,
    failure,
    more: page?.next !== undefined,
    older,
    again: () => setTurn((before) => before + 1),
  }
}

/** What follows `before`; undefined where nobody waits for it any more. */
async function readPage(
  { asked, wanted, text }: { readonly asked: string; readonly wanted: string; readonly text: string },
  before: Page | undefined,
  signal: AbortSignal,
): Promise<Page | undefined> {
  const still = sameService()
  const { jobs, next } = await api.studio.list(
    {
      ...(wanted !== '' && { kinds: jobKinds.filter((kind) => wanted.split(',').includes(kind)) }),
      ...(text.trim() !== '' && { text }),
      ...(before?.next !== undefined && { before: before.next }),
      limit: PAGE,
    },
    { signal },
  )
  if (signal.aborted || !still()) return undefined
  putJobs(jobs)
  return { asked, ids: [...(before?.ids ?? []), ...jobs.map(({ id }) => id)], next }
}

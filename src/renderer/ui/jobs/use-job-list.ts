import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import { jobKinds, type JobKind } from '../../../shared/job-ask.ts'
import type { Job } from '../../../shared/job.ts'
import { useScope } from '../../data/service-scope.tsx'
import { useFailure } from '../../data/use-answer.ts'
import { api } from '../api.ts'
import { putJobs, useJobs } from './jobs-store.ts'

export interface JobList {
  /** The newest first; undefined before the first page. */
  readonly jobs: readonly Job[] | undefined
  readonly busy: boolean
  readonly failure: Failure | undefined
  /** Whether older jobs can be loaded. */
  readonly more: boolean
  readonly older: () => void
  readonly again: () => void
}

const PAGE = 60

/**
 * Jobs of some kinds, page by page, with those that start or change later.
 * @param text lists only the jobs that contain its words
 */
export function useJobList(kinds: readonly JobKind[] | undefined, text = ''): JobList {
  const scope = useScope()
  const wanted = kinds?.join(',') ?? ''
  const query = useInfiniteQuery({
    queryKey: [scope.service, 'job-list', wanted, text],
    queryFn: async ({ pageParam, signal }) => {
      const { jobs, next } = await api.studio.list(
        {
          ...(wanted !== '' && { kinds: jobKinds.filter((kind) => wanted.split(',').includes(kind)) }),
          ...(text.trim() !== '' && { text }),
          ...(pageParam !== '' && { before: pageParam }),
          limit: PAGE,
        },
        { signal },
      )
      putJobs(scope, jobs)
      return { ids: jobs.map(({ id }) => id), next }
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    // A list that is opened again begins with its newest jobs again.
    gcTime: 0,
    staleTime: Infinity,
  })
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = query
  const known = useJobs()
  // The jobs of the question before this one remain until it is answered, and after a failure.
  const [shown, setShown] = useState(data)
  if (data && data !== shown) setShown(data)

  const jobs = useMemo(() => {
    if (!shown) return undefined
    const ids = shown.pages.flatMap((page) => page.ids)
    const listed = ids.flatMap((id) => known[id] ?? [])
    const among = new Set(ids)
    const newest = listed[0]?.at ?? 0
    // A search can't tell whether a job that began later matches.
    const since =
      text.trim() !== ''
        ? []
        : Object.values(known).filter(
            ({ id, kind, at }) =>
              !among.has(id) && at >= newest && (wanted === '' || wanted.split(',').includes(kind)),
          )
    return [...since, ...listed].toSorted((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1))
  }, [shown, known, text, wanted])

  return {
    jobs,
    busy: isFetching,
    failure: useFailure(error, isFetching),
    more: hasNextPage || (isFetching && shown?.pages.at(-1)?.next !== undefined),
    older: () => {
      if (!isFetching && hasNextPage) void fetchNextPage()
    },
    again: () => void refetch(),
  }
}

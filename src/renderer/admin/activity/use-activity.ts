import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import type { TeamRequest } from '../../../shared/contract/team.ts'
import { useScope } from '../../data/service-scope.tsx'
import { useFailure } from '../../data/use-answer.ts'
import { teamApi } from '../team-api.ts'
import type { ActivityFilter } from './activity-filter.ts'

interface ActivityList {
  /** The newest first. They remain while others load, and after a failure. */
  readonly data: readonly TeamRequest[] | undefined
  readonly failure: Failure | undefined
  readonly refresh: () => void
  readonly more: boolean
  readonly loadsMore: boolean
  readonly older: () => void
}

/** The requests that pass the filter, page by page. */
export function useActivity(filter: ActivityFilter): ActivityList {
  const scope = useScope()
  const query = useInfiniteQuery({
    queryKey: [scope.service, 'team', 'activity', filter],
    queryFn: ({ pageParam, signal }) =>
      teamApi.activity.page({ ...filter, ...(pageParam !== '' && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  const { data, error, isFetching, isFetchingNextPage, hasNextPage, refetch, fetchNextPage } = query
  const failedOlder = query.isFetchNextPageError
  return {
    data: data?.pages.flatMap(({ requests }) => requests),
    failure: useFailure(error, isFetching),
    refresh: () => void (failedOlder ? fetchNextPage() : refetch()),
    more: hasNextPage,
    loadsMore: isFetchingNextPage,
    older: () => void fetchNextPage(),
  }
}

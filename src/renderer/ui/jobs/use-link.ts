import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import { useScope } from '../../data/service-scope.tsx'
import { useFailure } from '../../data/use-answer.ts'
import { api } from '../api.ts'
import { codedFailure } from '../failure.ts'

/** A link that expires sooner than this is replaced, because the file is read for a while. */
const LEFT_MS = 60_000
/** If a renewed link fails this soon, the file is the cause, and another link would fail too. */
const AT_ONCE_MS = 10_000

export interface FileLink {
  /** For `src`; undefined until it is loaded. */
  readonly path: string | undefined
  readonly failure: Failure | undefined
  /** Call this if the file can't be read: the link may have expired. Asks for another one, unless this one is new. */
  readonly renew: () => void
}

/** A short-lived address of a file of a job. */
export function useLink(jobId: string, index: number): FileLink {
  const { client, service } = useScope()
  const queryKey = [service, 'job-link', jobId, index]
  const { data, error, isFetching } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => ({
      ...(await api.studio.link({ jobId, index }, { signal })),
      since: Date.now(),
    }),
    staleTime: ({ state }) => (state.data ? state.data.expiresAt - state.data.since - LEFT_MS : 0),
  })
  const key = `${jobId}/${String(index)}`
  const [renewed, setRenewed] = useState<string>()
  const [unreadable, setUnreadable] = useState<string>()
  const failed = useFailure(error, isFetching)
  const failure = data && data.path === unreadable ? codedFailure('studio/unknown') : failed
  const renew = () => {
    if (renewed === key && data && Date.now() - data.since < AT_ONCE_MS) return setUnreadable(data.path)
    setRenewed(key)
    void client.resetQueries({ queryKey })
  }
  return { path: data?.path, failure, renew }
}

import { useEffect, useState } from 'react'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import type { Model } from '../../../shared/model.ts'
import { api } from '../../ui/api.ts'
import { asFailure } from '../../ui/failure.ts'
import { useService } from '../../ui/status-store.ts'

interface Listed {
  /** As listed; undefined while the listing is asked for. */
  readonly models: readonly Model[] | undefined
  readonly failure: Failure | undefined
  readonly again: () => void
}

/** What the service lists for images, or for clips. */
export function useMediaModels(type: 'image' | 'video'): Listed {
  const service = useService() ?? ''
  const [turn, setTurn] = useState(0)
  const key = `${service}\n${type}\n${String(turn)}`
  const [answer, setAnswer] = useState<{
    readonly key: string
    readonly models?: readonly Model[]
    readonly failure?: Failure
  }>()
  useEffect(() => {
    const left = new AbortController()
    api.studio.models({ types: [type] }, { signal: left.signal }).then(
      (models) => {
        if (!left.signal.aborted) setAnswer({ key, models: models.filter(({ private: sealed }) => !sealed) })
      },
      (thrown: unknown) => {
        if (!left.signal.aborted) setAnswer({ key, failure: asFailure(thrown) })
      },
    )
    return () => left.abort()
  }, [key, type])
  const here = answer?.key === key ? answer : undefined
  return { models: here?.models, failure: here?.failure, again: () => setTurn((before) => before + 1) }
}

import { useEffect, useState } from 'react'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import type { Model } from '../../../../shared/model.ts'
import { api } from '../../../ui/api.ts'
import { asFailure } from '../../../ui/failure.ts'
import { useService } from '../../../ui/status-store.ts'

/** What the service lists of models that embed; undefined while the listing is asked for. */
export function useEmbeddingModels(): {
  readonly models: readonly Model[] | undefined
  readonly failure: Failure | undefined
  readonly again: () => void
} {
  const service = useService() ?? ''
  const [turn, setTurn] = useState(0)
  const key = `${service}\n${String(turn)}`
  const [answer, setAnswer] = useState<{
    readonly key: string
    readonly models?: readonly Model[]
    readonly failure?: Failure
  }>()
  useEffect(() => {
    const left = new AbortController()
    api.studio.models({ types: ['embedding'] }, { signal: left.signal }).then(
      (models) => {
        if (!left.signal.aborted) setAnswer({ key, models: models.filter(({ private: sealed }) => !sealed) })
      },
      (thrown: unknown) => {
        if (!left.signal.aborted) setAnswer({ key, failure: asFailure(thrown) })
      },
    )
    return () => left.abort()
  }, [key])
  const here = answer?.key === key ? answer : undefined
  return { models: here?.models, failure: here?.failure, again: () => setTurn((before) => before + 1) }
}

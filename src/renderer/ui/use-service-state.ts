import { useCallback, useState } from 'react'
import { currentService, useService } from './status-store.ts'

/**
 * Like useState, for the current service and account. When either changes, the value becomes undefined. Later values
 * for the former service are discarded, and the value doesn't return with that service.
 */
export function useServiceState<T>(): readonly [T | undefined, (value: T | undefined) => void] {
  const service = useService()
  const [storedState, setSaved] = useState<{
    readonly service: string | undefined
    readonly value: T | undefined
  }>()
  if (storedState && storedState.service !== service) setSaved(undefined)
  const set = useCallback(
    (value: T | undefined) => {
      if (currentService() === service) setSaved({ service, value })
    },
    [service],
  )
  return [storedState?.service === service ? storedState?.value : undefined, set]
}

import { useCallback, useState } from 'react'
import { currentService, useService } from './status-store.ts'

/**
 * As useState, of the service and the account in use: once they are left it is undefined, what is set late for them is let go, and
 * it does not come back with them.
 */
export function useServiceState<T>(): readonly [T | undefined, (value: T | undefined) => void] {
  const service = useService()
  const [kept, setSaved] = useState<{ readonly service: string | undefined; readonly value: T | undefined }>()
  if (kept && kept.service !== service) setSaved(undefined)
  const set = useCallback(
    (value: T | undefined) => {
      if (currentService() === service) setSaved({ service, value })
    },
    [service],
  )
  return [kept?.service === service ? kept?.value : undefined, set]
}

import { useCallback, useEffect, useState } from 'react'
import type { UpdateView } from '../../../shared/updates.ts'
import { api } from '../../ui/api.ts'

const BUSY_MS = 1000

/**
 * The state of updates: polled every second while an update is in progress, else every `quietMs`. Null
 * without a desktop.
 */
export function useUpdates(quietMs: number): {
  readonly updates: UpdateView | null
  readonly show: (view: UpdateView) => void
} {
  const [updates, setUpdates] = useState<UpdateView | null>(null)
  const phase = updates?.phase ?? 'idle'
  const busy = phase !== 'idle' && phase !== 'ready'
  const read = useCallback(() => api.desktop.updates().then(setUpdates, () => undefined), [])
  useEffect(() => void read(), [read])
  useEffect(() => {
    const timer = setInterval(() => void read(), busy ? BUSY_MS : quietMs)
    return () => clearInterval(timer)
  }, [busy, quietMs, read])
  return { updates, show: setUpdates }
}

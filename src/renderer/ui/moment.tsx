import { useSyncExternalStore } from 'react'
import { formatDateTime, formatMoment, startOfDay } from './format/time.ts'

const MINUTE = 60_000
const readers = new Set<() => void>()
let today = startOfDay(Date.now())

setInterval(() => {
  const now = startOfDay(Date.now())
  if (now === today) return
  today = now
  for (const changed of readers) changed()
}, MINUTE)

function subscribe(changed: () => void): () => void {
  readers.add(changed)
  return () => readers.delete(changed)
}

/**
 * The time of an event: the time of day for today, the date for other days; `exact` to the second. All moments share
 * one timer.
 */
export function Moment({ at, exact = false }: { at: number; exact?: boolean }) {
  const now = useSyncExternalStore(subscribe, () => today)
  return (
    <time dateTime={new Date(at).toISOString()} title={formatDateTime(at)}>
      {formatMoment(at, now, exact)}
    </time>
  )
}

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

/** When something was: the clock today, the date before; `exact` to the second. One timer serves every one of them. */
export function Moment({ at, exact = false }: { at: number; exact?: boolean }) {
  const now = useSyncExternalStore(subscribe, () => today)
  return (
    <time dateTime={new Date(at).toISOString()} title={formatDateTime(at)}>
      {formatMoment(at, now, exact)}
    </time>
  )
}

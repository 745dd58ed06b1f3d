import { plural } from '@lingui/core/macro'
import { useEffect, useRef } from 'react'
import { announce } from '../../../ui/announcer.tsx'
import { formatDateTime, formatDuration } from '../../../ui/format/time.ts'

const MINUTE = 60_000
/** A screen reader hears of the time so often and no more. */
const SPOKEN = [5 * MINUTE, MINUTE]

/** How long an invoice can still be paid. It is shown to the second, and spoken at five minutes and at one. */
export function Countdown({ until, now }: { until: number; now: number }) {
  const left = until - now
  const before = useRef(left)
  useEffect(() => {
    const passed = SPOKEN.findLast((mark) => left <= mark && before.current > mark)
    before.current = left
    if (passed !== undefined && left > 0)
      announce(plural(passed / MINUTE, { one: 'One minute left to pay', other: '# minutes left to pay' }))
  }, [left])
  return (
    <time role="timer" aria-live="off" dateTime={new Date(until).toISOString()} title={formatDateTime(until)}>
      {formatDuration(left)}
    </time>
  )
}

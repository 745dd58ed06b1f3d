import { startChild } from './child.ts'
import { atLeast, atMost, type Row } from './report.ts'
import type { SealingTimes } from './sealing.ts'
import type { Bounds } from './statistics.ts'

/**
 * Makes glibc keep freed memory instead of releasing it. Otherwise the way that happens to get new pages pays
 * for them: up to 15 ms for 20 MB, more than any cipher takes.
 */
const KEEP_MEMORY = {
  MALLOC_MMAP_THRESHOLD_: '33554432',
  MALLOC_TRIM_THRESHOLD_: '1073741824',
  MALLOC_TOP_PAD_: '268435456',
}

/**
 * EHBP without a proxy: a small body with the full cost of a fresh request, and a large body compared with
 * the bare cipher.
 */
export async function sealing(small: Bounds, large: Bounds): Promise<Row[]> {
  await using child = await startChild<SealingTimes>('sealing.ts', {
    argument: { small, large },
    execArgv: ['--expose-gc'],
    env: KEEP_MEMORY,
    timeoutMs: small.deadlineMs + large.deadlineMs + 60_000,
  })
  const times = child.ready
  const share = times.large.bare / times.large.sealed
  return [
    { what: 'known answers, at start', value: times.cold, unit: 'ms' },
    {
      what: 'seal 2 KB, fresh key, framed',
      value: times.small.sotto,
      unit: 'ms',
      against: { what: 'npm ehbp', value: times.small.published },
      aim: atMost(times.small.sotto, 0.2, 'ms'),
    },
    {
      what: 'the same over @noble',
      value: times.small.portable,
      unit: 'ms',
      against: { what: 'npm ehbp', value: times.small.published },
    },
    {
      what: 'seal 20 MB',
      value: times.large.sealed,
      unit: 'ms',
      against: { what: 'bare AES-256-GCM', value: times.large.bare },
      aim: atLeast(share, 0.5, 'of its speed'),
    },
    {
      what: 'open 20 MB, one frame',
      value: times.large.opened,
      unit: 'ms',
      against: { what: 'bare AES-256-GCM', value: times.large.bare },
    },
  ]
}

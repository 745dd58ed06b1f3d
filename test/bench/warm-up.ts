import type { Agent } from 'node:http'
import { keepAlive, saturate, send } from './client.ts'
import { notMeasured, type Row } from './report.ts'
import { median } from './statistics.ts'
import { ways, without, type Route, type Targets } from './targets.ts'

const FIRST = 100
const CALLERS = 16
const WHOLE = 8_000
const STREAMED = 400
/** A way that takes this long is warm by then, or never will be. */
const LONGEST_MS = 8_000

/**
 * The time that each way adds to the first requests of its process, one after the other, before the engine
 * has compiled any of its code. Forwarded and sealed share a process, in this order.
 */
export async function firstRequests(targets: Targets): Promise<Row[]> {
  const agent = keepAlive(1)
  const medians: Partial<Record<keyof Targets, number>> = {}
  for (const way of ways) {
    const target = targets[way]?.whole
    if (target === undefined) continue
    const samples: number[] = []
    for (let sent = 0; sent < FIRST; sent += 1) samples.push((await send(agent, target)).end)
    medians[way] = median(samples)
  }
  agent.destroy()
  return ways
    .filter((way) => way !== 'direct' && way !== 'pre-sealed')
    .map((way): Row => {
      const what = `${way}: adds to the first ${String(FIRST)}, median`
      const [wayMedian, base] = [medians[way], medians[without[way]]]
      return wayMedian === undefined || base === undefined
        ? notMeasured(what, 'ms', 'it did not start')
        : { what, value: wayMedian - base, unit: 'ms' }
    })
}

/** All ways alike, until V8 has compiled what runs often: a proxy is a process that stays. */
export async function warmUp(targets: Targets): Promise<void> {
  const agent = keepAlive(CALLERS)
  for (const way of ways) {
    const route = targets[way]
    if (route) await warmRoute(agent, route)
  }
  agent.destroy()
}

/** One way, by complete and by streamed answers. */
export async function warmRoute(
  agent: Agent,
  { whole, streamed }: Pick<Route, 'whole' | 'streamed'>,
): Promise<void> {
  await saturate(agent, whole, { callers: CALLERS, count: WHOLE, deadlineMs: LONGEST_MS })
  await saturate(agent, streamed, { callers: CALLERS, count: STREAMED, deadlineMs: LONGEST_MS })
}

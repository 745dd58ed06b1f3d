import { randomUUID } from 'node:crypto'
import { keepAlive, leave, send, type Target } from './client.ts'
import { DEPARTURE_PATH } from './departure-path.ts'
import { notMeasured, type Row } from './report.ts'
import { interleave, median, quantile, type Bounds } from './statistics.ts'
import type { Route, Started, Targets, Way } from './targets.ts'

export const STREAMS = 16
/** An event every two milliseconds, as the service paces them, so that each is a separate event on the wire. */
export const EVENTS = 500
/** If the service learns of a caller's departure later than this, the caller pays for the answer. */
const DEPARTURE_TIMEOUT_MS = 5_000
const AIMS: Partial<Record<Way, number>> = { forwarded: 1.3, sealed: 2 }
const proxied = ['pass-through', 'forwarded', 'bare sealing', 'sealed', 'published'] as const

type Form = Parameters<NonNullable<Route['other']>>[0]

/** Sixteen concurrent streams: the proxy's processor time for a thousand events, over all of its threads. */
export async function streamedEvents(targets: Targets, bounds: Bounds): Promise<Row[]> {
  const agent = keepAlive(STREAMS)
  const samples = await interleave(present(targets, proxied), { ...bounds, warmUp: 1 }, async (way) => {
    const cpu = targets[way]?.cpu
    const target = otherOf(targets, way, { stream: true, asked: { max_completion_tokens: EVENTS } })
    const before = await cpu?.()
    await Promise.all(Array.from({ length: STREAMS }, () => send(agent, target)))
    const after = await cpu?.()
    return before && after ? (after.all - before.all) / ((STREAMS * EVENTS) / 1_000) : NaN
  })
  agent.destroy()
  const floor = median(samples['pass-through'])
  return proxied.map((way): Row => {
    const what = `${way}: processor time for 1,000 streamed events`
    const measured = samples[way]
    if (measured.length === 0) return notMeasured(what, 'ms', 'it did not start')
    const wayMedian = median(measured)
    const most = AIMS[way]
    return {
      what,
      value: wayMedian,
      unit: 'ms',
      against: { what: 'pass-through', value: floor },
      ...(most !== undefined && { aim: { says: `≤ ${String(most)} × it`, met: wayMedian <= most * floor } }),
    }
  })
}

/** The time from a caller's disconnection during a stream until the service's connection closes. */
export async function abortDelay({ targets, enclavePort }: Started, bounds: Bounds): Promise<Row[]> {
  const left = async (way: Way): Promise<number> => {
    const name = randomUUID()
    const at = await leave(otherOf(targets, way, { stream: true, asked: { user: name } }))
    const response = await fetch(`http://127.0.0.1:${String(enclavePort)}${DEPARTURE_PATH}${name}`, {
      signal: AbortSignal.timeout(DEPARTURE_TIMEOUT_MS),
    })
    return ((await response.json()) as number) - at
  }
  const measured: Way[] = []
  const rows: Row[] = []
  for (const way of present(targets, ['direct', ...proxied])) {
    // Skip a way that doesn't forward the disconnection, because every round would wait for the timeout.
    if (
      await left(way).then(
        () => true,
        () => false,
      )
    )
      measured.push(way)
    else
      rows.push(
        notMeasured(
          `${way}: caller gone to service told`,
          'ms',
          `the service was not told within ${String(DEPARTURE_TIMEOUT_MS)} ms`,
        ),
      )
  }
  const samples = await interleave(measured, { ...bounds, warmUp: 3 }, left)
  return [
    ...measured.flatMap((way): Row[] => {
      const what = `${way}: caller gone to service told`
      return [
        { what: `${what}, median`, value: median(samples[way]), unit: 'ms' },
        { what: `${what}, p99`, value: quantile(samples[way], 0.99), unit: 'ms' },
      ]
    }),
    ...rows,
  ]
}

function present<Name extends Way>(targets: Targets, names: readonly Name[]): Name[] {
  return names.filter((name) => targets[name]?.other !== undefined)
}

function otherOf(targets: Targets, way: Way, form: Form): Target {
  const other = targets[way]?.other
  if (other === undefined) throw new Error(`no target for ${way}`)
  return other(form)
}

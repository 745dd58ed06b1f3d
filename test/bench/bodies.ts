import { keepAlive, send } from './client.ts'
import { notMeasured, type Row } from './report.ts'
import { interleave, median, type Bounds } from './statistics.ts'
import { ways, type Targets, type Way } from './targets.ts'

const BYTES = 20_000_000
const AIMS: Partial<Record<Way, number>> = { forwarded: 1.3, sealed: 2 }

/** A single caller with requests of 20 MB: megabytes per second until the answer. */
export async function largeBodies(targets: Targets, bounds: Bounds): Promise<Row[]> {
  const agent = keepAlive(1)
  const measured = ways.filter((way) => way !== 'pre-sealed')
  const bodies = new Map(
    measured.flatMap((way) => {
      const target = targets[way]?.other?.({ bytes: BYTES })
      return target ? [[way, target] as const] : []
    }),
  )
  const samples = await interleave([...bodies.keys()], { ...bounds, warmUp: 1 }, async (way) => {
    const target = bodies.get(way)
    return target ? BYTES / 1_000_000 / ((await send(agent, target)).end / 1_000) : NaN
  })
  agent.destroy()
  const floor = median(samples['pass-through'])
  return measured.map((way): Row => {
    const what = `${way}: bodies of 20 MB`
    if (!bodies.has(way)) return notMeasured(what, 'MB/s', 'it did not start')
    const throughput = median(samples[way])
    const most = AIMS[way]
    return {
      what,
      value: throughput,
      unit: 'MB/s',
      against: { what: 'pass-through', value: floor },
      ...(most !== undefined && {
        aim: { says: `≤ ${String(most)} × its time`, met: throughput >= floor / most },
      }),
    }
  })
}

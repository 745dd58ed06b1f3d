import { keepAlive, saturate, send } from './client.ts'
import { withoutEnclave } from './enclave-share.ts'
import { atLeast, atMost, notMeasured, type Row } from './report.ts'
import { interleave, median, quantile, type Bounds } from './statistics.ts'
import { ways, without, type Targets, type Way } from './targets.ts'

const P99 = 0.99
export const CALLERS = 16
/** Requests of one turn. The first of them are omitted, because a caller in a series meets a warm connection. */
const RUN = 25
const SETTLE = 5

type Samples = Partial<Record<Way, number[]>>
const present = (targets: Targets): Way[] => ways.filter((way) => targets[way] !== undefined)

/** A turn of requests, one after the other on the same way. */
export async function inARow(measure: () => Promise<number>): Promise<number[]> {
  const samples: number[] = []
  for (let sent = 0; sent < RUN; sent += 1) {
    const sample = await measure()
    if (sent >= SETTLE) samples.push(sample)
  }
  return samples
}

export const turns = ({ rounds, deadlineMs }: Bounds): Bounds => ({
  rounds: Math.ceil(rounds / (RUN - SETTLE)),
  deadlineMs,
})

/**
 * A single caller with 2 KB requests one after the other: the time that each way adds, at the median and the
 * 99th percentile.
 */
export async function latency(targets: Targets, bounds: Bounds): Promise<Row[]> {
  const agent = keepAlive(1)
  const samples: Samples = await interleave(present(targets), { ...turns(bounds), warmUp: 4 }, (way) =>
    inARow(async () => (await send(agent, wholeOf(targets, way))).end),
  )
  agent.destroy()
  const rows = [...absolute('direct: 2 KB chat, 1 caller', samples.direct)]
  for (const way of ways.slice(1)) {
    const aims = way === 'forwarded' ? [0.5, 5] : way === 'sealed' ? [1, 5] : []
    rows.push(
      added(way, samples, 'median', median, aims[0]),
      added(way, samples, 'p99', (all) => quantile(all, P99), aims[1]),
    )
  }
  return rows
}

/**
 * A single caller with streamed answers: the delay of the first token compared with the direct way. Some rows
 * subtract the enclave's share, measured by replaying pre-sealed bodies directly, and state this.
 */
export async function firstToken(targets: Targets, bounds: Bounds): Promise<Row[]> {
  const agent = keepAlive(1)
  const samples: Samples = await interleave(present(targets), { ...turns(bounds), warmUp: 1 }, (way) =>
    inARow(async () => (await send(agent, streamedOf(targets, way))).first),
  )
  agent.destroy()
  const direct = median(samples.direct ?? [])
  return [
    ...absolute('direct: first streamed token', samples.direct),
    ...ways
      .slice(1)
      .map((way) => later(`${way}: first token later by`, samples[way], direct, way === 'forwarded')),
    later(
      'sealed, without the enclave’s share: first token later by',
      samples.sealed,
      median(samples['pre-sealed'] ?? []),
      true,
    ),
  ]
}

function later(what: string, waySamples: number[] | undefined, base: number, aimed: boolean): Row {
  if (waySamples === undefined) return notMeasured(what, 'ms', 'it did not start')
  const value = median(waySamples) - base
  return { what, value, unit: 'ms', ...(aimed && { aim: atMost(value, 1, 'ms') }) }
}

/**
 * Sixteen callers: requests per second, and the proxy's processor time per request, which stays comparable
 * when other programs use the machine too. Every way gets several turns, and their median counts.
 */
export async function throughput(
  targets: Targets,
  { rounds, deadlineMs }: Bounds,
  count: number,
): Promise<Row[]> {
  const agent = keepAlive(CALLERS)
  const turn = { callers: CALLERS, count, deadlineMs: deadlineMs / (rounds * ways.length) }
  const cpuSamples: Samples = {}
  const servingSamples: Samples = {}
  const samples: Samples = await interleave(
    present(targets),
    { rounds, deadlineMs, warmUp: 1 },
    async (way) => {
      const cpu = targets[way]?.cpu
      const before = await cpu?.()
      const { answered, elapsedMs } = await saturate(agent, wholeOf(targets, way), turn)
      if (cpu && before !== undefined) {
        const after = await cpu()
        ;(cpuSamples[way] ??= []).push((after.all - before.all) / answered)
        ;(servingSamples[way] ??= []).push((after.serving - before.serving) / answered)
      }
      return answered / (elapsedMs / 1_000)
    },
  )
  agent.destroy()
  return [
    ...rates(samples),
    ...processorTimes('processor time of the proxy per request', cpuSamples),
    ...processorTimes('of which on the thread that serves', servingSamples),
  ]
}

function rates(samples: Samples): Row[] {
  const rate = (way: Way): number | undefined => samples[way] && median(samples[way])
  const base = rate('pass-through') ?? NaN
  const rows = ways.map((way): Row => {
    const what = `${way}: ${String(CALLERS)} callers`
    const wayRate = rate(way)
    return wayRate === undefined
      ? notMeasured(what, 'requests/s', 'it did not start')
      : { what, value: wayRate, unit: 'requests/s', against: { what: 'pass-through', value: base } }
  })
  for (const way of ['bare sealing', 'sealed'] as const) {
    const what = `${way}, without the enclave’s share`
    const wayRate = rate(way)
    if (wayRate === undefined) rows.push(notMeasured(what, 'requests/s', 'it did not start'))
    else {
      const rateWithoutEnclave = withoutEnclave(wayRate, rate('pre-sealed'), rate('direct'))
      rows.push({
        what,
        value: rateWithoutEnclave,
        unit: 'requests/s',
        against: { what: 'pass-through', value: base },
        ...(way === 'sealed' && { aim: atLeast(rateWithoutEnclave / base, 0.5, '× pass-through') }),
      })
    }
  }
  return rows
}

function processorTimes(what: string, samples: Samples): Row[] {
  const base = median(samples['pass-through'] ?? [])
  return ways.flatMap((way): Row[] => {
    const waySamples = samples[way]
    return waySamples === undefined
      ? []
      : [
          {
            what: `${way}: ${what}`,
            value: median(waySamples),
            unit: 'ms',
            against: { what: 'pass-through', value: base },
          },
        ]
  })
}

function absolute(what: string, samples: number[] = []): Row[] {
  return [
    { what: `${what}, median`, value: median(samples), unit: 'ms' },
    { what: `${what}, p99`, value: quantile(samples, P99), unit: 'ms' },
  ]
}

function added(way: Way, samples: Samples, name: string, of: (all: number[]) => number, aim?: number): Row {
  const what =
    way === 'pre-sealed' ? `the enclave’s share of a sealed exchange, ${name}` : `${way}: adds, ${name}`
  const [waySamples, base] = [samples[way], samples[without[way]]]
  if (waySamples === undefined || base === undefined) return notMeasured(what, 'ms', 'it did not start')
  const value = of(waySamples) - of(base)
  return { what, value, unit: 'ms', ...(aim !== undefined && { aim: atMost(value, aim, 'ms') }) }
}

function wholeOf(targets: Targets, way: Way) {
  return targets[way]?.whole ?? nowhere(way)
}

function streamedOf(targets: Targets, way: Way) {
  return targets[way]?.streamed ?? nowhere(way)
}

function nowhere(way: Way): never {
  throw new Error(`no target for ${way}`)
}

import { keepAlive, saturate } from './client.ts'
import { withoutEnclave } from './enclave-share.ts'
import { atLeast, notMeasured, type Row } from './report.ts'
import { interleave, median, quantile, type Bounds } from './statistics.ts'
import { ways, type Targets, type Way } from './targets.ts'

const CALLERS = [1, 16, 128] as const
/** Requests of one turn; at least two for each caller. */
const TURN = 1_000
/** The maximum time of a request, as a multiple of the floor. */
const AIMS: Partial<Record<Way, number>> = { forwarded: 1.3, sealed: 2 }

interface Turn {
  readonly rate: number
  readonly median: number
  readonly p99: number
}

/**
 * 2 KB requests by 1, 16 and 128 concurrent callers, each of which sends the next request after every answer.
 * The rows have requests per second compared with the floor, and the time that each way adds to an answer.
 * The values are medians of several turns. Some rows subtract the enclave's share of a sealed exchange,
 * measured by replaying pre-sealed bodies, and state this.
 */
export async function callersAtOnce(
  targets: Targets,
  { rounds, deadlineMs }: Bounds,
  scale: number,
): Promise<Row[]> {
  const rows: Row[] = []
  const present = ways.filter((way) => targets[way] !== undefined)
  for (const callers of CALLERS) {
    const agent = keepAlive(callers)
    const turns: Partial<Record<Way, Turn[]>> = {}
    const callerBudgetMs = deadlineMs / CALLERS.length
    const turn = {
      callers,
      count: Math.max(2 * callers, Math.ceil(TURN * scale)),
      deadlineMs: callerBudgetMs / ((rounds + 1) * ways.length),
    }
    await interleave(present, { rounds, deadlineMs: callerBudgetMs, warmUp: 1 }, async (way) => {
      const target = targets[way]?.whole
      if (target === undefined) return NaN
      const { answered, elapsedMs, ends } = await saturate(agent, target, turn)
      const measured = {
        rate: answered / (elapsedMs / 1_000),
        median: median(ends),
        p99: quantile(ends, 0.99),
      }
      ;(turns[way] ??= []).push(measured)
      return measured.rate
    })
    agent.destroy()
    rows.push(...rowsOf(`${String(callers)} ${callers === 1 ? 'caller' : 'callers'}`, turns))
  }
  return rows
}

function rowsOf(callers: string, turns: Partial<Record<Way, Turn[]>>): Row[] {
  const of = (way: Way, part: keyof Turn): number | undefined => {
    // The first turn is the warm-up. It counts only if there was no time for another.
    const [first, ...later] = turns[way] ?? []
    if (first === undefined) return undefined
    return median((later.length === 0 ? [first] : later).map((turn) => turn[part]))
  }
  const rows: Row[] = []
  const floor = of('pass-through', 'rate') ?? NaN
  for (const way of ways) {
    const rate = of(way, 'rate')
    if (rate === undefined) {
      rows.push(notMeasured(`${callers}, ${way}`, 'requests/s', 'it did not start'))
      continue
    }
    const sealing = way === 'sealed' || way === 'bare sealing'
    const wayRate = sealing ? withoutEnclave(rate, of('pre-sealed', 'rate'), of('direct', 'rate')) : rate
    const most = AIMS[way]
    const aim =
      most === undefined
        ? {}
        : { aim: { ...atLeast(wayRate, floor / most, ''), says: `≤ ${String(most)} × its time` } }
    rows.push({
      what: `${callers}, ${way}`,
      value: rate,
      unit: 'requests/s',
      against: { what: 'pass-through', value: floor },
      ...(!sealing && aim),
    })
    if (sealing)
      rows.push({
        what: `${callers}, ${way}, without the enclave’s share`,
        value: wayRate,
        unit: 'requests/s',
        against: { what: 'pass-through', value: floor },
        ...aim,
      })
  }
  for (const part of ['median', 'p99'] as const) {
    const base = of('direct', part) ?? NaN
    rows.push({ what: `${callers}, direct: takes, ${part}`, value: base, unit: 'ms' })
    const least = (of('pass-through', part) ?? NaN) - base
    for (const way of ['pass-through', 'forwarded', 'bare sealing', 'sealed', 'published'] as const) {
      const latency = of(way, part)
      if (latency !== undefined)
        rows.push({
          what: `${callers}, ${way}: adds, ${part}`,
          value: latency - base,
          unit: 'ms',
          against: { what: 'pass-through', value: least },
        })
    }
  }
  return rows
}

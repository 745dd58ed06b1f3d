import { startChild } from './child.ts'
import { atMost, notMeasured, type Row } from './report.ts'
import { mean, type Bounds } from './statistics.ts'
import { subjects, whyNot, type SubjectName } from './verdict-subjects.ts'
import type { First, VerdictArgument, VerdictTimes } from './verdict.ts'

const titles: Record<SubjectName, string> = {
  'real-sev': 'SEV-SNP, whole verdict of the real bundle',
  'real-tdx': 'TDX, the real quote with Intel’s collateral',
  'real-nitro': 'Nitro, the real document',
  'sandbox-tdx': 'TDX, whole verdict of the sandbox’s bundle',
  'sandbox-nitro': 'Nitro, whole verdict of the sandbox’s bundle',
  'sandbox-v3-sev': 'Version 3 on SEV-SNP, the sandbox’s document',
  'sandbox-v3-tdx': 'Version 3 on TDX, the sandbox’s document',
}
const WARM_AIM = 1.3
const FIRST_AIM = 1.5
const MEMORY_MB = 20

/**
 * The cost of each platform's verdict compared with its signature checks, and the time that Sigstore's own
 * library takes for the same bundles.
 */
export async function verdict(bounds: Bounds, starts: number): Promise<Row[]> {
  const rows: Row[] = []
  for (const name of Object.keys(subjects) as SubjectName[])
    rows.push(...(await rowsOf(name, bounds, starts)))
  return rows
}

async function rowsOf(subject: SubjectName, bounds: Bounds, starts: number): Promise<Row[]> {
  const what = titles[subject]
  const missing = whyNot(subject)
  if (missing !== undefined) return [notMeasured(what, 'ms', missing)]
  const measure = async (argument: Omit<VerdictArgument, 'subject'>): Promise<VerdictTimes> => {
    await using child = await startChild<VerdictTimes>('verdict.ts', {
      argument: { subject, ...argument },
      execArgv: ['--expose-gc'],
      timeoutMs: bounds.deadlineMs + 60_000,
    })
    return child.ready
  }
  const { good, warm, checks, allocated } = await measure({ first: 'verdict', bounds })
  if (!good || !warm || !checks || allocated === undefined) return [notMeasured(what, 'ms', 'it is refused')]
  const times: Record<First, VerdictTimes[]> = { verdict: [], proven: [], checks: [], library: [] }
  for (let turn = 0; turn < starts; turn += 1) {
    for (const first of ['verdict', 'proven', 'library'] as const) {
      if (first !== 'library' || warm.library !== undefined) times[first].push(await measure({ first }))
    }
    times.checks.push(await measure({ first: 'checks', checks }))
  }
  const cold = (first: First): number => mean(times[first].map((time) => time.cold))
  const again = mean(times.checks.map((time) => time.again ?? NaN))
  const checksLabel = `its ${String(checks.length)} signature checks`
  return [
    ratio(`${what}, warm`, warm.verdict, checksLabel, warm.checks, WARM_AIM),
    // The known answers and the first turn of the checks have used each kind of key by then.
    ratio(
      `${what}, first once the known answers hold`,
      cold('proven'),
      `${checksLabel}, made a second time`,
      again,
      FIRST_AIM,
    ),
    {
      what: `${what}: what is done ahead of it, once in a process`,
      value: mean(times.proven.map(({ ahead = NaN }) => ahead)),
      unit: 'ms',
    },
    {
      what: `${what}, first with nothing done ahead`,
      value: cold('verdict'),
      unit: 'ms',
      against: { what: `${checksLabel}, first in a process`, value: cold('checks') },
    },
    ...(warm.library === undefined
      ? []
      : [
          {
            what: `${what}: its Sigstore part alone by @sigstore/verify, warm`,
            value: warm.library,
            unit: 'ms',
          },
          {
            what: `${what}: its Sigstore part alone by @sigstore/verify, first`,
            value: cold('library'),
            unit: 'ms',
          },
        ]),
    {
      what: `${what}: memory`,
      value: allocated / 1e6,
      unit: 'MB',
      aim: atMost(allocated / 1e6, MEMORY_MB, 'MB'),
    },
  ]
}

function ratio(what: string, value: number, checks: string, bare: number, aim: number): Row {
  return {
    what,
    value,
    unit: 'ms',
    against: { what: checks, value: bare },
    aim: atMost(value / bare, aim, '× its own signature checks'),
  }
}

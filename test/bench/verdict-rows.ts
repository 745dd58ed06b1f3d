import { startChild } from './child.ts'
import { atMost, notMeasured, type Row } from './report.ts'
import { mean, type Bounds } from './statistics.ts'
import { subjects, whyNot, type SubjectName } from './verdict-subjects.ts'
import type { First, VerdictTimes } from './verdict.ts'

const titles: Record<SubjectName, string> = {
  'real-sev': 'SEV-SNP, whole verdict of the real bundle',
  'real-tdx': 'TDX, the real quote with Intel’s collateral',
  'real-nitro': 'Nitro, the real document',
  'sandbox-tdx': 'TDX, whole verdict of the sandbox’s bundle',
  'sandbox-nitro': 'Nitro, whole verdict of the sandbox’s bundle',
}
const AIM = 1.5
const MEMORY_MB = 20

/** What each platform's verdict costs against the signature checks that it makes, and beside it what Sigstore's own library takes for the same bundles. */
export async function verdict(bounds: Bounds, starts: number): Promise<Row[]> {
  const rows: Row[] = []
  for (const name of Object.keys(subjects) as SubjectName[]) rows.push(...await rowsOf(name, bounds, starts))
  return rows
}

async function rowsOf(subject: SubjectName, bounds: Bounds, starts: number): Promise<Row[]> {
  const what = titles[subject]
  const missing = whyNot(subject)
  if (missing !== undefined) return [notMeasured(what, 'ms', missing)]
  const measure = async (first: First, within: Bounds | null): Promise<VerdictTimes> => {
    await using child = await startChild<VerdictTimes>('verdict.ts', {
      argument: { subject, first, bounds: within }, execArgv: ['--expose-gc'], patienceMs: bounds.deadlineMs + 60_000,
    })
    return child.ready
  }
  const { good, warm, checks, allocated } = await measure('verdict', bounds)
  if (!good || !warm || allocated === undefined) return [notMeasured(what, 'ms', 'it is refused')]
  const cold: Record<First | 'answers', number[]> = { verdict: [], proven: [], answers: [], checks: [], library: [] }
  for (let turn = 0; turn < starts; turn += 1) {
    for (const first of ['verdict', 'proven', 'checks', ...(warm.library === undefined ? [] : ['library'] as const)] as const) {
      const times = await measure(first, null)
      cold[first].push(times.cold)
      if (times.answers !== undefined) cold.answers.push(times.answers)
    }
  }
  const own = `its ${String(checks)} signature checks`
  return [
    ratio(`${what}, warm`, warm.verdict, own, warm.checks),
    ratio(`${what}, first once the known answers hold`, mean(cold.proven), own, mean(cold.checks)),
    { what: `${what}: the known answers, once in a process while the evidence is awaited`, value: mean(cold.answers), unit: 'ms' },
    { what: `${what}, first without them`, value: mean(cold.verdict), unit: 'ms', against: { what: own, value: mean(cold.checks) } },
    ...(warm.library === undefined ? [] : [
      { what: `${what}: its Sigstore part alone by @sigstore/verify, warm`, value: warm.library, unit: 'ms' },
      { what: `${what}: its Sigstore part alone by @sigstore/verify, first`, value: mean(cold.library), unit: 'ms' },
    ]),
    { what: `${what}: memory`, value: allocated / 1e6, unit: 'MB', aim: atMost(allocated / 1e6, MEMORY_MB, 'MB') },
  ]
}

function ratio(what: string, value: number, checks: string, bare: number): Row {
  return { what, value, unit: 'ms', against: { what: checks, value: bare }, aim: atMost(value / bare, AIM, '× its own signature checks') }
}

import { startChild } from './child.ts'
import { atMost, notMeasured, type Row } from './report.ts'
import { mean, type Bounds } from './statistics.ts'
import { subjects, whyNot, type SubjectName } from './verdict-subjects.ts'
import type { VerdictTimes } from './verdict.ts'

const titles: Record<SubjectName, string> = {
  'real-sev': 'SEV-SNP, whole verdict of the real bundle',
  'real-tdx': 'TDX, the real quote with Intel’s collateral',
  'real-nitro': 'Nitro, the real document',
  'sandbox-tdx': 'TDX, whole verdict of the sandbox’s bundle',
  'sandbox-nitro': 'Nitro, whole verdict of the sandbox’s bundle',
}
const AIM = 1.5
const MEMORY_MB = 20

/** What each platform's verdict costs: what is written here against the signature checks that it makes, the library's time apart. */
export async function verdict(bounds: Bounds, starts: number): Promise<Row[]> {
  const rows: Row[] = []
  for (const name of Object.keys(subjects) as SubjectName[]) rows.push(...await rowsOf(name, bounds, starts))
  return rows
}

async function rowsOf(subject: SubjectName, bounds: Bounds, starts: number): Promise<Row[]> {
  const what = titles[subject]
  const missing = whyNot(subject)
  if (missing !== undefined) return [notMeasured(what, 'ms', missing)]
  const measure = async (first: 'verdict' | 'checks', within: Bounds | null): Promise<VerdictTimes> => {
    await using child = await startChild<VerdictTimes>('verdict.ts', {
      argument: { subject, first, bounds: within }, execArgv: ['--expose-gc'], patienceMs: bounds.deadlineMs + 60_000,
    })
    return child.ready
  }
  const { good, warm, checks, allocated } = await measure('verdict', bounds)
  if (!good || !warm || allocated === undefined) return [notMeasured(what, 'ms', 'it is refused')]
  const cold = { own: [] as number[], library: [] as number[], checks: [] as number[] }
  for (let turn = 0; turn < starts; turn += 1) {
    const first = await measure('verdict', null)
    cold.own.push(first.cold.own)
    cold.library.push(first.cold.library)
    cold.checks.push((await measure('checks', null)).cold.own)
  }
  const counted = (ofLibrary: number) => `its own ${String(checks.own)} of ${String(checks.own + ofLibrary)} signature checks`
  const own = counted(checks.all - checks.own)
  return [
    ratio(`${what}: written here, warm`, warm.own, own, warm.ownChecks),
    ratio(`${what}: written here, first in its process`, mean(cold.own), own, mean(cold.checks)),
    ...(checks.all > checks.own ? [
      { what: `${what}: in @sigstore/verify, warm`, value: warm.library, unit: 'ms', against: { what: 'the bare checks in it', value: warm.checks - warm.ownChecks } },
      { what: `${what}: in @sigstore/verify, first in its process`, value: mean(cold.library), unit: 'ms' },
    ] : []),
    { what: `${what}: memory`, value: allocated / 1e6, unit: 'MB', aim: atMost(allocated / 1e6, MEMORY_MB, 'MB') },
  ]
}

function ratio(what: string, value: number, checks: string, bare: number): Row {
  return { what, value, unit: 'ms', against: { what: checks, value: bare }, aim: atMost(value / bare, AIM, '× its own signature checks') }
}

import { givenArgument, tellReady } from './child.ts'
import { interleave, mean, quantile, type Bounds } from './statistics.ts'
import { bareChecks, processorTime, recordChecks, timed, type RecordedCheck } from './verdict-meters.ts'
import { subjects, type SubjectName } from './verdict-subjects.ts'

/**
 * What a process does first, and is timed at: later everything is warm. `proven`: a verdict once the known answers hold and the roots are
 * read, as in the product. `checks`: the bare signature checks of such a verdict, recorded in another process, with the reading of their keys.
 */
export type First = 'verdict' | 'proven' | 'checks' | 'library'

export interface VerdictArgument {
  readonly subject: SubjectName
  readonly first: First
  readonly bounds?: Bounds
  readonly checks?: readonly RecordedCheck[]
}

/** Milliseconds of processor time; the warm ones are means: the system counts in ticks, of which one may hold several verdicts. */
export interface VerdictTimes {
  readonly good: boolean
  readonly cold: number
  /** Where the process did this first: the known answers, and the reading of the roots. */
  readonly ahead?: number
  /** The same once more. */
  readonly again?: number
  /** The library's is of the Sigstore bundles alone; none where there is no such bundle. */
  readonly warm?: { readonly verdict: number; readonly checks: number; readonly library?: number }
  /** The signature checks that a verdict makes. */
  readonly checks?: readonly RecordedCheck[]
  /** Bytes that one verdict allocates, collected or not. */
  readonly allocated?: number
}

const { subject, first, bounds, checks: recorded = [] } = givenArgument() as VerdictArgument
tellReady(await (first === 'checks' ? measureChecks() : measureSubject()))

function measureChecks(): VerdictTimes {
  const checks = bareChecks(recorded)
  return { good: true, cold: timed(checks), again: timed(checks) }
}

async function measureSubject(): Promise<VerdictTimes> {
  const { judge, platform, trust, library } = await subjects[subject]()
  let good = false
  const verdict = () => {
    good = judge()
  }
  if (first === 'library') {
    const byLibrary = await library?.()
    if (!byLibrary) throw new Error('no Sigstore bundle')
    const cold = timed(() => {
      good = byLibrary()
    })
    return { good, cold }
  }
  if (first === 'proven') {
    const begun = processorTime()
    const { givesKnownAnswers } = await import('../../src/verifier/known-answers/index.ts')
    const { readRoots } = await import('../../src/verifier/read-roots.ts')
    if (!(await givesKnownAnswers(platform))) throw new Error('the known answers do not hold')
    readRoots(trust)
    const ahead = processorTime() - begun
    const cold = timed(verdict)
    return { good, cold, ahead }
  }
  const cold = timed(verdict)
  const checks = recordChecks(verdict)
  if (!bounds) return { good, cold }
  const byLibrary = await library?.()
  const ways = {
    verdict,
    checks: bareChecks(checks),
    library: () => {
      byLibrary?.()
    },
  }
  const samples = await interleave(
    ['verdict', 'checks', ...(byLibrary ? (['library'] as const) : [])],
    { ...bounds, warmUp: 300 },
    (way) => timed(ways[way]),
  )
  const warm = {
    verdict: mean(samples.verdict),
    checks: mean(samples.checks),
    ...(byLibrary && { library: mean(samples.library) }),
  }
  return { good, cold, warm, checks, allocated: allocatedBy(verdict) }
}

/** The middle of ten verdicts, each after a collection; the collector does not run within so few bytes. */
function allocatedBy(verdict: () => void): number {
  const { gc } = globalThis
  if (!gc) throw new Error('--expose-gc is needed')
  return quantile(
    Array.from({ length: 10 }, () => {
      gc()
      const before = process.memoryUsage()
      verdict()
      const after = process.memoryUsage()
      return after.heapUsed - before.heapUsed + after.external - before.external
    }),
    0.5,
  )
}

import { givenArgument, tellReady } from './child.ts'
import { interleave, mean, quantile, type Bounds } from './statistics.ts'
import { bareChecks, processorTime, recordChecks, timed, type RecordedCheck } from './verdict-meters.ts'
import { subjects, type SubjectName } from './verdict-subjects.ts'

/**
 * The first measured work of a process, because later everything is warm. `proven`: a verdict after the known
 * answers hold and the roots are read, as in the product. `checks`: the bare signature checks of such a
 * verdict, recorded in another process, including the reading of their keys.
 */
export type First = 'verdict' | 'proven' | 'checks' | 'library'

export interface VerdictArgument {
  readonly subject: SubjectName
  readonly first: First
  readonly bounds?: Bounds
  readonly checks?: readonly RecordedCheck[]
}

/**
 * Milliseconds of processor time. Warm times are means, because the system counts in ticks, and one tick may
 * contain several verdicts.
 */
export interface VerdictTimes {
  readonly good: boolean
  readonly cold: number
  /** The time of the preparation, if the process ran it first: the known answers, and reading the roots. */
  readonly ahead?: number
  /** The time of the same work a second time. */
  readonly again?: number
  /** The library's time covers only the Sigstore bundles; absent if there is no such bundle. */
  readonly warm?: { readonly verdict: number; readonly checks: number; readonly library?: number }
  /** The signature checks of a verdict. */
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
  const { verify, platform, trust, library } = await subjects[subject]()
  let good = false
  const verdict = () => {
    good = verify()
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
  const ways = { verdict, checks: bareChecks(checks) }
  const samples = await interleave(['verdict', 'checks'], { ...bounds, warmUp: 300 }, (way) =>
    timed(ways[way]),
  )
  // The library runs afterwards, because its longer work between two verdicts would make each verdict slower.
  const byLibrary = await library?.()
  const ofLibrary =
    byLibrary && (await interleave(['library'], { ...bounds, warmUp: 300 }, () => timed(byLibrary)))
  const warm = {
    verdict: mean(samples.verdict),
    checks: mean(samples.checks),
    ...(ofLibrary && { library: mean(ofLibrary.library) }),
  }
  return { good, cold, warm, checks, allocated: allocatedBy(verdict) }
}

/**
 * The median of the bytes of ten verdicts, each after a garbage collection. The collector doesn't run within
 * so few bytes.
 */
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

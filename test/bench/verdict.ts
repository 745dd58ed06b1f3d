import { givenArgument, tellReady } from './child.ts'
import { interleave, mean, quantile, type Bounds } from './statistics.ts'
import { processorTime, recordChecks, timed } from './verdict-meters.ts'
import { subjects, type SubjectName } from './verdict-subjects.ts'

/** What a process does first, and is timed at: later everything is warm. `proven`: a verdict once the known answers hold, as in the product. */
export type First = 'verdict' | 'proven' | 'checks' | 'library'

/** Milliseconds of processor time; the warm ones are means: the system counts in ticks, of which one may hold several verdicts. */
export interface VerdictTimes {
  readonly good: boolean
  readonly cold: number
  /** The known answers, where the process asked for them first. */
  readonly answers?: number
  /** The library's is of the Sigstore bundles alone; none where there is no such bundle. */
  readonly warm?: { readonly verdict: number; readonly checks: number; readonly library?: number }
  /** How many signature checks a verdict makes. */
  readonly checks: number
  /** Bytes that one verdict allocates, collected or not. */
  readonly allocated?: number
}

const { subject, first, bounds } = givenArgument() as { subject: SubjectName; first: First; bounds: Bounds | null }

const { judge, platform, library } = await subjects[subject]()
let good = false
const verdict = () => { good = judge() }

if (first === 'library') {
  const byLibrary = await library?.()
  if (!byLibrary) throw new Error('no Sigstore bundle')
  const cold = timed(() => { good = byLibrary() })
  tellReady({ good, cold, checks: 0 } satisfies VerdictTimes)
} else if (first === 'checks') {
  // Recorded by a verdict, so the product is warm; OpenSSL has seen these keys once. A verdict that comes first has not.
  const checks = recordChecks(verdict)
  const cold = timed(() => { if (!checks.every((again) => again())) throw new Error('a recorded check does not hold') })
  tellReady({ good, cold, checks: checks.length } satisfies VerdictTimes)
} else if (first === 'proven') {
  const begun = processorTime()
  const { givesKnownAnswers } = await import('../../src/core/attestation/known-answers/index.ts')
  if (!await givesKnownAnswers(platform)) throw new Error('the known answers do not hold')
  const answers = processorTime() - begun
  const cold = timed(verdict)
  tellReady({ good, cold, answers, checks: 0 } satisfies VerdictTimes)
} else {
  const cold = timed(verdict)
  const checks = recordChecks(verdict)
  const warm = bounds ? await measureWarm(checks, bounds) : undefined
  tellReady({ good, cold, ...(warm && { warm, allocated: allocatedBy() }), checks: checks.length } satisfies VerdictTimes)
}

async function measureWarm(checks: ReturnType<typeof recordChecks>, within: Bounds): Promise<NonNullable<VerdictTimes['warm']>> {
  const byLibrary = await library?.()
  const ways = { verdict, checks: () => { for (const again of checks) again() }, library: () => { byLibrary?.() } }
  const samples = await interleave(['verdict', 'checks', ...(byLibrary ? ['library'] as const : [])], { ...within, warmUp: 50 }, (way) => timed(ways[way]))
  return { verdict: mean(samples.verdict), checks: mean(samples.checks), ...(byLibrary && { library: mean(samples.library) }) }
}

/** The middle of ten verdicts, each after a collection; the collector does not run within so few bytes. */
function allocatedBy(): number {
  const { gc } = globalThis
  if (!gc) throw new Error('--expose-gc is needed')
  return quantile(Array.from({ length: 10 }, () => {
    gc()
    const before = process.memoryUsage()
    verdict()
    const after = process.memoryUsage()
    return after.heapUsed - before.heapUsed + after.external - before.external
  }), 0.5)
}

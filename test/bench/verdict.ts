import { givenArgument, tellReady } from './child.ts'
import { interleave, mean, quantile, type Bounds } from './statistics.ts'
import { processorTime, recordChecks, split, watchLibrary } from './verdict-meters.ts'
import { subjects, type SubjectName } from './verdict-subjects.ts'

/** Milliseconds of processor time; the warm ones are means: the system counts in ticks, of which one may hold several verdicts. */
export interface VerdictTimes {
  readonly good: boolean
  /** The first verdict of the process, or the first making of its signature checks: whichever this process was asked for. */
  readonly cold: { readonly own: number; readonly library: number }
  readonly warm?: Record<'own' | 'library' | 'checks' | 'ownChecks', number>
  readonly checks: { readonly own: number; readonly all: number }
  /** Bytes that one verdict allocates, collected or not. */
  readonly allocated?: number
}

const { subject, first, bounds } = givenArgument() as { subject: SubjectName; first: 'verdict' | 'checks'; bounds: Bounds | null }

watchLibrary()
const judge = await subjects[subject]()
let good = false
const verdict = () => { good = judge() }

if (first === 'checks') {
  // Recorded by a verdict, so the product is warm; OpenSSL has seen these keys once. A verdict that comes first has not.
  const checks = recordChecks(verdict)
  const begun = processorTime()
  for (const { own, again } of checks) if (own && !again()) throw new Error('a recorded check does not hold')
  tellReady({ good, cold: { own: processorTime() - begun, library: 0 }, checks: counted(checks) } satisfies VerdictTimes)
} else {
  const cold = split(verdict)
  const checks = recordChecks(verdict)
  const warm = bounds ? await measureWarm(checks, bounds) : undefined
  tellReady({ good, cold, ...(warm && { warm, allocated: allocatedBy() }), checks: counted(checks) } satisfies VerdictTimes)
}

function counted(checks: readonly { own: boolean }[]) {
  return { own: checks.filter(({ own }) => own).length, all: checks.length }
}

async function measureWarm(checks: ReturnType<typeof recordChecks>, within: Bounds): Promise<NonNullable<VerdictTimes['warm']>> {
  const make = (some: typeof checks) => () => { for (const { again } of some) again() }
  const ways = { verdict, checks: make(checks), ownChecks: make(checks.filter(({ own }) => own)) }
  const library: number[] = []
  const samples = await interleave(['verdict', 'checks', 'ownChecks'], { ...within, warmUp: 50 }, (way) => {
    const times = split(ways[way])
    if (way === 'verdict') library.push(times.library)
    return times.own
  })
  return {
    own: mean(samples.verdict),
    library: mean(library.slice(-samples.verdict.length)),
    // Replayed outside the library, all of it counts as ours.
    checks: mean(samples.checks),
    ownChecks: mean(samples.ownChecks),
  }
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

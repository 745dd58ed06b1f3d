import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { startChild } from './child.ts'
import { atMost, notMeasured, type Row } from './report.ts'
import type { Bounds } from './statistics.ts'
import type { VerdictTimes } from './verdict.ts'

const PATH = resolve(import.meta.dirname, '../../../shared/evidence/bundle/genoa-router-bundle.json')
/** A moment at which the bundle is good. */
const AT = Date.UTC(2026, 1, 1)

/** The verdict of a real bundle, against the signature checks that no verifier could do without. */
export async function verdict(bounds: Bounds): Promise<Row[]> {
  const what = 'verdict of the real bundle'
  if (!existsSync(PATH)) return [notMeasured(what, 'ms', '../shared is absent')]
  await using child = await startChild<VerdictTimes>('verdict.ts', { argument: { path: PATH, at: AT, bounds }, patienceMs: bounds.deadlineMs + 60_000 })
  const { good, cold, warm, signatures } = child.ready
  if (!good) return [notMeasured(what, 'ms', 'it is refused')]
  const bare = { what: `its ${String(signatures)} bare signature checks`, value: warm.signatures }
  const own = warm.verdict - warm.sigstore
  return [
    { what: `${what}, first in its process`, value: cold, unit: 'ms', against: bare },
    { what, value: warm.verdict, unit: 'ms', against: bare },
    { what: 'of which @sigstore/verify alone would take', value: warm.sigstore, unit: 'ms', against: bare },
    {
      what: 'what is written here: the verdict without the library’s time',
      value: own,
      unit: 'ms',
      against: { what: 'its own signature checks', value: warm.ownSignatures },
      aim: atMost(own / warm.ownSignatures, 1.5, '× its own signature checks'),
    },
  ]
}

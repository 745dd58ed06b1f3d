import { describe, expect, it } from 'vitest'
import { judgeRelease, type ReleaseMemory } from '../../../src/core/channel/release-memory.ts'
import type { Verdict } from '../../../src/shared/verdict.ts'

const good: Verdict = {
  good: true, steps: [], trust: 'sandbox', enclaveHost: 'e', verifiedAt: 0, validUntil: 1, evidenceDigest: '',
  release: { repository: 'o/r', tag: 'v1', digest: 'aa', loggedAt: 1_000 },
}
const memory = (newest: ReturnType<ReleaseMemory['newest']>, consented = false): ReleaseMemory => ({
  newest: () => newest, olderAccepted: () => consented, record: () => undefined,
})

describe('judgeRelease', () => {
  it('accepts the first release, the same one, and a newer one', () => {
    for (const newest of [null, { tag: 'v1', digest: 'aa', logTime: 1_000 }, { tag: 'v0', digest: 'bb', logTime: 999 }]) {
      expect(judgeRelease(good, memory(newest))).toMatchObject({ good: true, steps: [{ id: 'release/not-older', outcome: 'passed' }] })
    }
  })

  it('refuses a rollback by its own code', () => {
    const verdict = judgeRelease(good, memory({ tag: 'v2', digest: 'bb', logTime: 1_001 }))
    expect(verdict).toMatchObject({ good: false, failure: { step: 'release/not-older', code: 'release/older' } })
  })

  it('accepts a rollback that was consented to, and says so', () => {
    const verdict = judgeRelease(good, memory({ tag: 'v2', digest: 'bb', logTime: 1_001 }, true))
    expect(verdict.good).toBe(true)
    expect(verdict.steps.at(-1)?.observed).toContain('with your consent')
  })

  it('refuses a release of which the log says no time, once another was accepted', () => {
    const { loggedAt: _, ...release } = good.release!
    expect(judgeRelease({ ...good, release }, memory({ tag: 'v2', digest: 'bb', logTime: 1 })).good).toBe(false)
  })

  it('leaves a refused verdict refused', () => {
    const refused: Verdict = { ...good, good: false, failure: { step: 's', code: 'evidence/malformed', says: '' } }
    expect(judgeRelease(refused, memory(null))).toMatchObject({ good: false, failure: { code: 'evidence/malformed' }, steps: [{ outcome: 'not-reached' }] })
  })
})

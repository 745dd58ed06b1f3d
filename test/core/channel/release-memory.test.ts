import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeRelease, type ReleaseMemory } from '../../../src/core/channel/release-memory.ts'
import type { Verdict } from '../../../src/shared/verdict.ts'
import { inEnglish } from '../../../src/shared/say.ts'
import { legible } from '../../../src/verifier/words.ts'

const good: Verdict = {
  good: true,
  steps: [],
  trust: 'sandbox',
  enclaveHost: 'e',
  verifiedAt: 0,
  validUntil: 1,
  evidenceDigest: '',
  release: { repository: 'o/r', tag: 'v1', digest: 'aa', loggedAt: 1_000 },
}
const memory = (
  newest: ReturnType<ReleaseMemory['newest']>,
  consented = false,
  change: Partial<ReleaseMemory> = {},
): ReleaseMemory => ({
  newest: () => newest,
  olderAccepted: () => consented,
  asksBeforeNew: () => false,
  trusted: () => false,
  record: () => undefined,
  ...change,
})
const stepOf = ({ steps }: Verdict, id: string) => steps.find((step) => step.id === id)

describe('judgeRelease', () => {
  it('accepts the first release, the same one, and a newer one', () => {
    for (const newest of [
      null,
      { tag: 'v1', digest: 'aa', logTime: 1_000 },
      { tag: 'v0', digest: 'bb', logTime: 999 },
    ]) {
      expect(judgeRelease(good, memory(newest))).toMatchObject({
        good: true,
        steps: [
          { id: 'release/not-older', outcome: 'passed' },
          { id: 'release/trusted', outcome: 'not-checked', required: false },
        ],
      })
    }
  })

  it('refuses a rollback by its own code', () => {
    const verdict = judgeRelease(good, memory({ tag: 'v2', digest: 'bb', logTime: 1_001 }))
    expect(verdict).toMatchObject({
      good: false,
      failure: { step: 'release/not-older', code: 'release/older' },
    })
  })

  it('accepts a rollback that was consented to, and says so', () => {
    const verdict = judgeRelease(good, memory({ tag: 'v2', digest: 'bb', logTime: 1_001 }, true))
    expect(verdict.good).toBe(true)
    expect(inEnglish(stepOf(verdict, 'release/not-older')?.observed ?? [])).toContain('with your consent')
  })

  it('refuses a release of which the log says no time, once another was accepted', () => {
    const { loggedAt: _, ...release } = good.release!
    expect(judgeRelease({ ...good, release }, memory({ tag: 'v2', digest: 'bb', logTime: 1 })).good).toBe(
      false,
    )
  })

  it('leaves a refused verdict refused', () => {
    const refused: Verdict = {
      ...good,
      good: false,
      failure: { step: 's', code: 'evidence/malformed', says: '' },
    }
    expect(judgeRelease(refused, memory(null))).toMatchObject({
      good: false,
      failure: { code: 'evidence/malformed' },
      steps: [{ outcome: 'not-reached' }, { outcome: 'not-reached' }],
    })
  })

  describe('where the user is asked before a new release', () => {
    const asking = (
      trusted: readonly string[],
      newest: ReturnType<ReleaseMemory['newest']> = null,
      consented = false,
    ) =>
      memory(newest, consented, {
        asksBeforeNew: () => true,
        trusted: (host, release) => host === 'e' && trusted.includes(release),
      })

    it('refuses one that was never accepted here, the first one too', () => {
      for (const newest of [null, { tag: 'v0', digest: 'bb', logTime: 1 }]) {
        expect(judgeRelease(good, asking(['bb'], newest))).toMatchObject({
          good: false,
          failure: { step: 'release/trusted', code: 'release/not-yet-trusted' },
          steps: [{ outcome: 'passed' }, { outcome: 'failed', required: true, observed: legible('v1, aa') }],
        })
      }
    })

    it('accepts one that was, by its digest', () => {
      expect(judgeRelease(good, asking(['aa']))).toMatchObject({
        good: true,
        steps: [{ outcome: 'passed' }, { outcome: 'passed', required: true }],
      })
    })

    it('says of an older one that it is older, and asks no second question', () => {
      const newest = { tag: 'v2', digest: 'bb', logTime: 2_000 }
      expect(judgeRelease(good, asking([], newest))).toMatchObject({
        good: false,
        failure: { code: 'release/older' },
        steps: [{ outcome: 'failed' }, { outcome: 'not-reached' }],
      })
      expect(judgeRelease(good, asking(['aa'], newest, true)).good).toBe(true)
    })

    it('goes by the measurement where the evidence names no release, and by nothing where it has none', () => {
      const { release: _, ...image } = { ...good, measurement: 'cc' }
      expect(judgeRelease(image, asking(['cc']))).toMatchObject({
        good: true,
        steps: [{ outcome: 'not-checked', required: false }, { outcome: 'passed' }],
      })
      expect(judgeRelease(image, asking(['aa']))).toMatchObject({
        good: false,
        failure: { code: 'release/not-yet-trusted' },
      })
      const { measurement: __, ...nothing } = image
      expect(judgeRelease(nothing, asking(['']))).toMatchObject({
        good: false,
        failure: { code: 'release/not-yet-trusted' },
      })
    })
  })

  it('never makes a verdict good, and leaves one good only with every required step passed', () => {
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 0, max: 2_000 }),
        (sound, named, asks, trusts, consented, logTime) => {
          const { release, ...rest } = { ...good, good: sound, measurement: 'cc' }
          const verdict = judgeRelease(
            named && release ? { ...rest, release } : rest,
            memory({ tag: 'v9', digest: 'dd', logTime }, consented, {
              asksBeforeNew: () => asks,
              trusted: () => trusts,
            }),
          )
          expect(verdict.good && !sound).toBe(false)
          if (verdict.good)
            expect(verdict.steps.every(({ required, outcome }) => !required || outcome === 'passed')).toBe(
              true,
            )
          else
            expect(
              !sound ||
                verdict.steps.some(
                  ({ outcome, code }) => outcome === 'failed' && code === verdict.failure?.code,
                ),
            ).toBe(true)
        },
      ),
    )
  })
})

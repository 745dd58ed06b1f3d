import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareRelease, type ReleaseMemory } from '../../../../src/core/gateway/channel/release-memory.ts'
import type { Verdict } from '../../../../src/shared/verdict.ts'
import { renderEnglish } from '../../../../src/shared/localized-text.ts'
import { legible } from '../../../../src/verifier/text.ts'

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

describe('compareRelease', () => {
  it('accepts the first release, the same one, and a newer one', () => {
    for (const newest of [
      null,
      { tag: 'v1', digest: 'aa', logTime: 1_000 },
      { tag: 'v0', digest: 'bb', logTime: 999 },
    ]) {
      expect(compareRelease(good, memory(newest))).toMatchObject({
        good: true,
        steps: [
          { id: 'release/not-older', outcome: 'passed' },
          { id: 'release/trusted', outcome: 'not-checked', required: false },
        ],
      })
    }
  })

  it('refuses a rollback with its own code', () => {
    const verdict = compareRelease(good, memory({ tag: 'v2', digest: 'bb', logTime: 1_001 }))
    expect(verdict).toMatchObject({
      good: false,
      failure: { step: 'release/not-older', code: 'release/older' },
    })
  })

  it('accepts a rollback that the user allowed, and states that', () => {
    const verdict = compareRelease(good, memory({ tag: 'v2', digest: 'bb', logTime: 1_001 }, true))
    expect(verdict.good).toBe(true)
    expect(renderEnglish(stepOf(verdict, 'release/not-older')?.observed ?? [])).toContain('with your consent')
  })

  it('refuses a release without a log time after another was accepted', () => {
    const { loggedAt: _, ...release } = good.release!
    expect(compareRelease({ ...good, release }, memory({ tag: 'v2', digest: 'bb', logTime: 1 })).good).toBe(
      false,
    )
  })

  it('leaves a refused verdict refused', () => {
    const refused: Verdict = {
      ...good,
      good: false,
      failure: { step: 's', code: 'evidence/malformed', says: '' },
    }
    expect(compareRelease(refused, memory(null))).toMatchObject({
      good: false,
      failure: { code: 'evidence/malformed' },
      steps: [{ outcome: 'not-reached' }, { outcome: 'not-reached' }],
    })
  })

  describe('if the user approves releases', () => {
    const asking = (
      trusted: readonly string[],
      newest: ReturnType<ReleaseMemory['newest']> = null,
      consented = false,
    ) =>
      memory(newest, consented, {
        asksBeforeNew: () => true,
        trusted: (host, release) => host === 'e' && trusted.includes(release),
      })

    it('refuses a release that was never approved, including the first one', () => {
      for (const newest of [null, { tag: 'v0', digest: 'bb', logTime: 1 }]) {
        expect(compareRelease(good, asking(['bb'], newest))).toMatchObject({
          good: false,
          failure: { step: 'release/trusted', code: 'release/not-yet-trusted' },
          steps: [{ outcome: 'passed' }, { outcome: 'failed', required: true, observed: legible('v1, aa') }],
        })
      }
    })

    it('accepts an approved release by its digest', () => {
      expect(compareRelease(good, asking(['aa']))).toMatchObject({
        good: true,
        steps: [{ outcome: 'passed' }, { outcome: 'passed', required: true }],
      })
    })

    it('reports only that a release is older, without a second question', () => {
      const newest = { tag: 'v2', digest: 'bb', logTime: 2_000 }
      expect(compareRelease(good, asking([], newest))).toMatchObject({
        good: false,
        failure: { code: 'release/older' },
        steps: [{ outcome: 'failed' }, { outcome: 'not-reached' }],
      })
      expect(compareRelease(good, asking(['aa'], newest, true)).good).toBe(true)
    })

    it('compares the measurement if the evidence names no release, and refuses evidence without either', () => {
      const { release: _, ...image } = { ...good, measurement: 'cc' }
      expect(compareRelease(image, asking(['cc']))).toMatchObject({
        good: true,
        steps: [{ outcome: 'not-checked', required: false }, { outcome: 'passed' }],
      })
      expect(compareRelease(image, asking(['aa']))).toMatchObject({
        good: false,
        failure: { code: 'release/not-yet-trusted' },
      })
      const { measurement: __, ...nothing } = image
      expect(compareRelease(nothing, asking(['']))).toMatchObject({
        good: false,
        failure: { code: 'release/not-yet-trusted' },
      })
    })
  })

  it('never makes a verdict good, and keeps it good only if every required step passed', () => {
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
          const verdict = compareRelease(
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

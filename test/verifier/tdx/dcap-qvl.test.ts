import { describe, expect, it } from 'vitest'
import { evidenceIsThere, realEvidence } from '../evidence-folder.ts'
import { compare, ourAnswer, theirAnswer, type Saved } from './mutations.ts'
import { outdated, savedCollateral, upToDate } from './real-tdx.ts'

const DAY = 24 * 3600_000

/** Another's verifier of quotes, on the same evidence. The thousand mutations run in `npm run fuzz`. */
describe.skipIf(!evidenceIsThere)('@phala/dcap-qvl and this verifier', () => {
  const saved = (name: string): Saved => ({
    quote: realEvidence(`tdx/${name}`),
    collateral: savedCollateral(`tdx/${name}_collateral.json`),
  })

  it('accept the machine that is up to date, only while its collateral is valid', () => {
    const { input } = upToDate()
    const evidence = saved('tdx_quote')
    const [issued, ended] = [Date.UTC(2025, 5, 19, 10, 32, 27), Date.UTC(2025, 6, 19, 10, 16, 3)]
    for (const now of [
      issued,
      input.now,
      ended - DAY,
      issued - 1000,
      ended + 1000,
      Date.UTC(2020, 0, 1),
      Date.UTC(2035, 0, 1),
    ]) {
      const inForce = issued <= now && now <= ended
      expect([
        now,
        ourAnswer(evidence, { ...input, now }) === 'good',
        theirAnswer(evidence, now) === 'good',
      ]).toEqual([now, inForce, inForce])
    }
  })

  it('refuse the machine that lacks updates, because of its TCB level', () => {
    expect(ourAnswer(saved('tdx_quote_outdated'), outdated())).toBe('intel/tcb-unlisted')
    expect(theirAnswer(saved('tdx_quote_outdated'), outdated().now)).toMatch(/No matching TCB level/)
  })

  it('refuse a quote with another machine’s collateral', () => {
    const mixed: Saved = {
      quote: saved('tdx_quote').quote,
      collateral: saved('tdx_quote_outdated').collateral,
    }
    expect(ourAnswer(mixed, outdated())).toBe('intel/tcb-info-other-platform')
    expect(theirAnswer(mixed, outdated().now)).toMatch(/Fmspc mismatch/)
  })

  it('agree on mutations, except for the listed differences', () => {
    const { unexplained, refused } = compare(saved('tdx_quote'), upToDate().input, 200)
    expect(unexplained).toEqual([])
    expect(refused).toBeGreaterThan(190)
  })
})

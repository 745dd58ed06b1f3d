import { describe, expect, it } from 'vitest'
import { tdxSteps, type TdxInput } from '../../../src/verifier/tdx/index.ts'
import type { AttestationCode } from '../../../src/verifier/types.ts'
import { evidenceIsThere, realEvidence } from '../evidence-folder.ts'
import { flipBits, targetsOf } from './bit-flips.ts'
import { outdated, presetTdxPolicy, SAPPHIRE_RAPIDS_CLOCK, sapphireRapids, upToDate } from './real-tdx.ts'
import { renderEnglish, msg } from '../../../src/shared/localized-text.ts'
import { legible } from '../../../src/verifier/text.ts'

const codeOf = (input: TdxInput): AttestationCode | 'good' => {
  const result = tdxSteps.verify(input)
  return result.good ? 'good' : result.failure.code
}
/** The steps that passed. */
const passed = (input: TdxInput) =>
  tdxSteps
    .verify(input)
    .steps.filter(({ outcome }) => outcome === 'passed')
    .map(({ id }) => id)

describe.skipIf(!evidenceIsThere)('an up-to-date machine, with its complete collateral', () => {
  const at = (now: number) => codeOf({ ...upToDate().input, now })

  it('is accepted, with its properties', () => {
    const result = tdxSteps.verify(upToDate().input)
    if (!result.good) throw new Error(result.failure.code)
    const { quote, machine, tcbStatus, notAfter } = result.value.evidence
    expect(quote.version).toBe(4)
    expect(machine).toMatchObject({
      fmspc: 'b0c06f000000',
      ppid: '811dca2a26b952e85bb6448b097ba4fd',
      pceId: '0000',
      pceSvn: 11,
    })
    expect(tcbStatus).toBe('UpToDate')
    expect(new Date(notAfter).toISOString()).toBe('2025-07-19T10:00:35.000Z')
  })

  it('is accepted within the dates of its collateral, and refused before and after', () => {
    expect(at(Date.UTC(2025, 5, 19, 10, 32, 27))).toBe('good')
    expect(at(Date.UTC(2025, 6, 19, 10, 0, 35))).toBe('good')
    expect(at(Date.UTC(2025, 6, 19, 10, 0, 36))).toBe('intel/pck-crl-expired')
    expect(at(Date.UTC(2025, 5, 19, 10, 32, 26))).toBe('intel/qe-identity-not-yet-valid')
    expect(at(Date.UTC(2026, 10, 21))).toBe('intel/root-crl-expired')
  })

  it('is older than the preset requires', () => {
    const preset = presetTdxPolicy()
    expect(codeOf({ ...upToDate().input, policy: preset })).toBe('intel/evaluation-too-old')
    expect(codeOf({ ...upToDate().input, policy: { ...preset, minimumTcbEvaluationDataNumber: 17 } })).toBe(
      'td/module-not-accepted',
    )
  })

  it('is refused without its collateral', () => {
    expect(codeOf({ ...upToDate().input, collateral: undefined })).toBe('intel/collateral-missing')
  })

  it('ends in zeros, which no signature covers', () => {
    const { quote } = upToDate().input
    expect(quote.subarray(4936)).toEqual(Buffer.alloc(70))
    expect(codeOf({ ...upToDate().input, quote: quote.subarray(0, 4936) })).toBe('good')
    expect(codeOf({ ...upToDate().input, quote: quote.subarray(0, 4935) })).toBe('quote/length')
  })

  it('is refused with any flipped bit that a signature or a hash covers (a sample; all of them in npm run fuzz)', () => {
    const { input, answers } = upToDate()
    const targets = targetsOf(input, answers)
    const total = targets.reduce((sum, { bytes }) => sum + bytes.length * 8, 0)
    expect(total).toBeGreaterThan(90_000)
    for (const target of targets) expect(flipBits(target, 241, target.bytes.length % 8).accepted).toEqual([])
  })
})

describe.skipIf(!evidenceIsThere)('a machine that lacks updates', () => {
  it('is refused by the preset because of its evaluation number', () => {
    expect(codeOf({ ...outdated(), policy: presetTdxPolicy() })).toBe('intel/evaluation-too-old')
  })

  it('is refused because of its TCB level if the evaluation number is accepted, and every earlier step passes', () => {
    expect(codeOf(outdated())).toBe('intel/tcb-unlisted')
    expect(passed(outdated()).at(-1)).toBe('intel/module')
    const { steps } = tdxSteps.verify(outdated())
    expect(steps.find(({ id }) => id === 'intel/tcb-level')).toMatchObject({
      outcome: 'failed',
      expected: legible('UpToDate'),
      observed: msg('below every level'),
    })
    expect(renderEnglish(steps.find(({ id }) => id === 'quote/layout')?.observed ?? [])).toBe('version 5')
  })

  it('is refused because of its TCB level, whatever status a policy accepts', () => {
    const policy = {
      ...outdated().policy,
      tcbStatuses: [
        'UpToDate',
        'SWHardeningNeeded',
        'ConfigurationNeeded',
        'OutOfDate',
        'OutOfDateConfigurationNeeded',
      ] as const,
    }
    expect(codeOf({ ...outdated(), policy: { ...policy, tcbStatuses: [...policy.tcbStatuses] } })).toBe(
      'intel/tcb-unlisted',
    )
  })
})

describe.skipIf(!evidenceIsThere)('a Sapphire Rapids machine of June 2023', () => {
  it('has a valid quote and valid collateral at that time', () => {
    const { input } = sapphireRapids()
    expect(passed(input)).toEqual([
      'quote/layout',
      'pck/certificates',
      'intel/root',
      'intel/intermediate',
      'pck/chain',
      'pck/validity',
      'pck/form',
      'intel/collateral',
      'intel/root-crl',
      'intel/pck-crl',
      'quote/signature',
      'quote/qe-report',
      'quote/attestation-key',
      'intel/tcb-info',
      'intel/tcb-info-validity',
      'intel/qe-identity',
      'intel/qe-identity-validity',
      'intel/evaluation',
      'intel/platform',
      'intel/module',
    ])
    expect(codeOf(input)).toBe('intel/tcb-unlisted')
  })

  it('is refused after its collateral expired', () => {
    const { input } = sapphireRapids()
    expect(codeOf({ ...input, now: Date.UTC(2023, 6, 8, 7, 27, 52) })).toBe('intel/qe-identity-expired')
    expect(codeOf({ ...input, now: Date.UTC(2023, 6, 8, 7, 27, 53) })).toBe('intel/pck-crl-expired')
    expect(codeOf({ ...input, now: Date.UTC(2024, 6, 1) })).toBe('intel/root-crl-expired')
  })

  it('has older collateral than the preset requires', () => {
    const { input } = sapphireRapids()
    expect(codeOf({ ...input, policy: presetTdxPolicy() })).toBe('intel/evaluation-too-old')
  })

  it('is refused with the data that its collector appended', () => {
    const { input, appended } = sapphireRapids()
    expect(appended).toEqual(realEvidence('tdx/spr/tdx_prod_quote_SPR_E4.dat'))
    expect(codeOf({ ...input, quote: appended })).toBe('quote/length')
    expect(input.now).toBe(SAPPHIRE_RAPIDS_CLOCK)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SeenCollateral } from '../../../src/verifier/seen-collateral.ts'
import { tdxSteps } from '../../../src/verifier/tdx/index.ts'
import type { CollateralRecord } from '../../../src/shared/collateral-record.ts'
import { revokedEntry, type CrlFields } from '../x509/minted-crl.ts'
import { DAY, FMSPC, MintedIntel, NOW, qeIdentity, tcbInfo } from './minted-machine.ts'
import type { Answers } from './real-tdx.ts'

/** If evidence brings older collateral, the collateral that Sotto has seen before decides. */
const intel = new MintedIntel()
const PCK_LIST = 'intel-pck-crl/Intel SGX PCK Platform CA'

function verify(answers: Partial<Answers>, known: readonly CollateralRecord[] = []) {
  const seen = new SeenCollateral(known)
  const result = tdxSteps.verify(intel.input({ answers, seen }))
  return {
    end: result.good ? 'good' : result.failure.code,
    result,
    used: new Map(seen.used().map((record) => [record.name, record])),
  }
}
const record = (name: CollateralRecord['name'], der: Buffer, version = NOW): CollateralRecord => ({
  name,
  version,
  list: der.toString('base64'),
})
const naming = (serial: number, changes: Partial<CrlFields> = {}): Partial<CrlFields> => ({
  thisUpdate: NOW - 1000,
  entries: [revokedEntry(serial, NOW - DAY)],
  ...changes,
})
const evaluated = (tcb: number, qe: number): Partial<Answers> => ({
  tcbInfo: intel.signed('tcbInfo', tcbInfo({ tcbEvaluationDataNumber: tcb })),
  qeIdentity: intel.signed('enclaveIdentity', qeIdentity({ tcbEvaluationDataNumber: qe })),
})

describe('Intel’s evaluations', () => {
  it('are remembered for the kind of machine and for the quoting enclave', () => {
    const { end, used } = verify(evaluated(19, 20))
    expect(end).toBe('good')
    expect(used.get(`intel-tcb-info/${FMSPC}`)).toEqual({ name: `intel-tcb-info/${FMSPC}`, version: 19 })
    expect(used.get('intel-qe-identity')).toEqual({ name: 'intel-qe-identity', version: 20 })
  })

  it('are refused if an evaluation that was seen before is later', () => {
    const tcb: CollateralRecord = { name: `intel-tcb-info/${FMSPC}`, version: 19 }
    const qe: CollateralRecord = { name: 'intel-qe-identity', version: 19 }
    expect(verify(evaluated(18, 19), [tcb]).end).toBe('intel/evaluation-older')
    expect(verify(evaluated(19, 18), [qe]).end).toBe('intel/evaluation-older')
    expect(verify(evaluated(19, 19), [tcb, qe]).end).toBe('good')
    expect(verify(evaluated(20, 20), [tcb, qe]).end).toBe('good')
  })

  it('of one kind of machine say nothing about another', () => {
    expect(verify(evaluated(18, 18), [{ name: 'intel-tcb-info/00806f050000', version: 30 }]).end).toBe('good')
  })

  it('are remembered from evidence that they condemn, so that older ones can’t spare it', () => {
    const condemned = verify({
      ...evaluated(19, 19),
      qeIdentity: intel.signed('enclaveIdentity', qeIdentity({ tcbEvaluationDataNumber: 19, isvprodid: 1 })),
    })
    expect(condemned.end).toBe('intel/qe-mismatch')
    expect(verify(evaluated(18, 18), [...condemned.used.values()]).end).toBe('intel/evaluation-older')
  })

  it('that Intel didn’t sign, or that are for another machine, are not remembered', () => {
    const forged = verify({
      ...evaluated(99, 18),
      tcbInfo: intel.signed('tcbInfo', tcbInfo({ tcbEvaluationDataNumber: 99 }), intel.pck.privateKey),
    })
    const other = verify({
      ...evaluated(18, 18),
      tcbInfo: intel.signed('tcbInfo', tcbInfo({ tcbEvaluationDataNumber: 99, fmspc: '00806f050000' })),
    })
    for (const { used } of [forged, other])
      expect([...used.keys()].filter((name) => name.startsWith('intel-tcb'))).toEqual([])
  })

  it('never get older, whatever is seen in which order', () => {
    const answers = [18, 19, 20].map((number) => evaluated(number, number))
    fc.assert(
      fc.property(fc.array(fc.nat(2), { minLength: 1, maxLength: 5 }), (order) => {
        let known: CollateralRecord[] = []
        let newest = 0
        for (const index of order) {
          const number = 18 + index
          const { end, used } = verify(answers[index] ?? {}, known)
          expect(end).toBe(number < newest ? 'intel/evaluation-older' : 'good')
          newest = Math.max(newest, number)
          expect(used.get('intel-qe-identity')?.version).toBe(newest)
          known = [...used.values()]
        }
      }),
      { numRuns: 20 },
    )
  })
})

describe('Intel’s revocation lists', () => {
  it.each([
    [
      'the issuer of machines',
      'intel/intermediate-revoked',
      record('intel-root-crl', intel.rootCrl(naming(2))),
    ],
    ['the signer of collateral', 'intel/signer-revoked', record('intel-root-crl', intel.rootCrl(naming(4)))],
    ['the machine', 'pck/revoked', record(PCK_LIST, intel.pckCrl(naming(3)))],
    [
      'the machine, in a list that has ended',
      'pck/revoked',
      record(PCK_LIST, intel.pckCrl(naming(3, { nextUpdate: NOW - 500 }))),
    ],
  ] as const)('that were seen before decide over older ones: %s', (_, code, known) => {
    expect(verify({}).end).toBe('good')
    expect(verify({}, [known]).end).toBe(code)
  })

  it('that are older than those in the evidence decide nothing', () => {
    expect(verify({}, [record(PCK_LIST, intel.pckCrl(naming(3, { thisUpdate: NOW - 2 * DAY })))]).end).toBe(
      'good',
    )
  })

  it('that their issuer didn’t sign decide nothing', () => {
    expect(
      verify({}, [
        record(PCK_LIST, intel.rootCrl(naming(3))),
        record('intel-root-crl', intel.pckCrl(naming(2))),
      ]).end,
    ).toBe('good')
  })

  it('have to be in the evidence all the same, and in force', () => {
    expect(
      verify({ pckCrl: intel.pckCrl({ nextUpdate: NOW - 1000 }) }, [record(PCK_LIST, intel.pckCrl())]).end,
    ).toBe('intel/pck-crl-expired')
  })

  it('are remembered newest, also if they name the machine', () => {
    const revoking = intel.pckCrl(naming(3))
    const { end, used } = verify({ pckCrl: revoking })
    expect(end).toBe('pck/revoked')
    expect(used.get(PCK_LIST)).toEqual(record(PCK_LIST, revoking, NOW - 1000))
    expect(verify({}, [...used.values()]).used.get(PCK_LIST)).toEqual(record(PCK_LIST, revoking, NOW - 1000))
  })
})

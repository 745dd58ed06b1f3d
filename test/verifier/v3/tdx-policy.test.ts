import { beforeAll, describe, expect, test } from 'vitest'
import type { Patches } from '../../../src/sandbox/world/report.ts'
import type { JsonValue } from '../../../src/verifier/strict-json.ts'
import { createEnclave, sandboxPolicy, type Enclave } from './verified-documents.ts'
import { edited, replaced, toJson, without, type Path } from './json-edits.ts'

let enclave: Enclave
beforeAll(async () => {
  enclave = await createEnclave('tdx')
})

const rules = (...path: Path): Path => ['policies', 'sandbox-tdx', 'tdx', ...path]
const LARGE: Path = ['measurements', 'sotto-sandbox-large']
const under = (change: (list: JsonValue) => JsonValue) =>
  enclave.verdict({ platform: { predicate: (predicate) => Object(change(toJson(predicate))) as object } })
const lastDigit = (old: JsonValue) =>
  typeof old === 'string' ? `${old.slice(0, -1)}${old.endsWith('1') ? '2' : '1'}` : old

describe('the publisher’s list asks for', () => {
  test.each<[string, (list: JsonValue) => JsonValue, string]>([
    [
      'another quoting enclave',
      (list) => edited(list, rules('qe_vendor_id'), lastDigit),
      'v3/settings quote/qe-vendor',
    ],
    [
      'another module',
      (list) => edited(list, rules('mr_seam'), lastDigit),
      'v3/settings td/module-not-accepted',
    ],
    [
      'other attributes',
      (list) => edited(list, rules('td_attributes'), lastDigit),
      'v3/settings td/attributes-mismatch',
    ],
    ['another XFAM', (list) => edited(list, rules('xfam'), lastDigit), 'v3/settings td/xfam-mismatch'],
    [
      'a newer module',
      (list) => replaced(list, rules('minimum_tee_tcb_svn'), `07${'00'.repeat(15)}`),
      'v3/firmware td/tcb-below-floor',
    ],
    [
      'a newer last component',
      (list) => replaced(list, rules('minimum_tee_tcb_svn'), `${'00'.repeat(15)}01`),
      'v3/firmware td/tcb-below-floor',
    ],
    [
      'newer data of Intel’s',
      (list) => replaced(list, rules('minimum_tcb_evaluation_data_number'), 20),
      'v3/firmware intel/evaluation-too-old',
    ],
    ['another MRTD', (list) => edited(list, [...LARGE, 'mrtd'], lastDigit), 'v3/settings hardware/mismatch'],
    [
      'another RTMR0',
      (list) => edited(list, [...LARGE, 'rtmr0'], lastDigit),
      'v3/settings hardware/mismatch',
    ],
    [
      'virtual hardware that the policy doesn’t name',
      (list) => replaced(list, rules('platform_measurements'), ['sotto-sandbox-small', 'sotto-sandbox-gpu']),
      'v3/settings hardware/mismatch',
    ],
    [
      'more processors',
      (list) => replaced(list, [...LARGE, 'shape', 'cpus'], 9),
      'v3/settings hardware/mismatch',
    ],
    [
      'more memory',
      (list) => replaced(list, [...LARGE, 'shape', 'memory_mb'], 16385),
      'v3/settings hardware/mismatch',
    ],
    [
      'fewer disks',
      (list) => replaced(list, [...LARGE, 'shape', 'disks'], 2),
      'v3/settings hardware/mismatch',
    ],
    [
      'a GPU',
      (list) => edited(list, [...LARGE, 'shape'], (shape) => ({ ...(Object(shape) as object), gpus: 1 })),
      'v3/settings hardware/mismatch',
    ],
    [
      'this machine no more',
      (list) => without(list, ['machines', enclave.world.roots.ppid.toString('hex')]),
      'v3/machine policy/machine-not-endorsed',
    ],
  ])('%s', (_, change, refused) => {
    expect(under(change)).toEqual({ refused })
  })

  test('no GPU, which the release has none of', () => {
    expect(
      under((list) =>
        edited(list, [...LARGE, 'shape'], (shape) => ({ ...(Object(shape) as object), gpus: 0 })),
      ),
    ).toHaveProperty('facts')
  })

  test('the level and the number that the machine has', () => {
    expect(
      under((list) => replaced(list, rules('minimum_tee_tcb_svn'), `060103${'00'.repeat(13)}`)),
    ).toHaveProperty('facts')
  })
})

describe('a quote with', () => {
  const BODY = 48
  test.each<[string, Patches, string]>([
    [
      'another measurement of the kernel (RTMR1)',
      { [BODY + 376]: Buffer.alloc(48, 1) },
      'v3/measurement measurement/mismatch',
    ],
    [
      'another measurement of the file system (RTMR2)',
      { [BODY + 424]: Buffer.alloc(48, 1) },
      'v3/measurement measurement/mismatch',
    ],
    ['RTMR3 that isn’t zero', { [BODY + 519]: Buffer.of(1) }, 'v3/hardware td/rtmr3-set'],
    ['MRCONFIGID', { [BODY + 184]: Buffer.of(1) }, 'v3/hardware td/config-id-mismatch'],
    ['MROWNER', { [BODY + 232]: Buffer.of(1) }, 'v3/hardware td/owner-mismatch'],
    ['MROWNERCONFIG', { [BODY + 327]: Buffer.of(1) }, 'v3/hardware td/owner-config-mismatch'],
    ['debugging', { [BODY + 120]: Buffer.of(1) }, 'v3/hardware td/debug'],
    ['another MRTD', { [BODY + 136]: Buffer.alloc(48, 1) }, 'v3/settings hardware/mismatch'],
  ])('%s', (_, patches, refused) => {
    expect(enclave.verdict({ tdx: { patches } })).toEqual({ refused })
  })
})

test('the lower of Intel’s two numbers counts', () => {
  const policy = sandboxPolicy.tdx && {
    ...sandboxPolicy,
    tdx: { ...sandboxPolicy.tdx, minimumTcbEvaluationDataNumber: 1 },
  }
  if (!policy) throw new Error('no TDX')
  for (const evaluations of [{ tcbInfo: 18 }, { qeIdentity: 18 }]) {
    expect(enclave.verdict({ tdx: { collateral: { evaluations } } }, { policy })).toEqual({
      refused: 'v3/firmware intel/evaluation-too-old',
    })
  }
  expect(
    enclave.verdict({ tdx: { collateral: { evaluations: { tcbInfo: 20, qeIdentity: 20 } } } }, { policy }),
  ).toHaveProperty('facts')
})

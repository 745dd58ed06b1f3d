import { beforeAll, describe, expect, test } from 'vitest'
import { parseExactIntegers } from '../../../src/verifier/v3/exact-json.ts'
import { readEndorsements, readVmShape } from '../../../src/verifier/v3/platform-endorsements.ts'
import { platformEndorsements } from '../../../src/sandbox/world/v3/platform-policies.ts'
import type { JsonValue } from '../../../src/verifier/strict-json.ts'
import { createEnclave } from './verified-documents.ts'
import {
  extended,
  inAnotherCase,
  memberPaths,
  objectPaths,
  ofAnotherType,
  replaced,
  toJson,
  valueAt,
  without,
  type Path,
} from './json-edits.ts'

let good: JsonValue
let chip: string
beforeAll(async () => {
  const {
    world: { roots },
  } = await createEnclave('sev-snp')
  good = toJson(platformEndorsements(roots))
  chip = roots.chipId.toString('hex')
})

/** The result of reading: good, malformed, or a rule that this version doesn't know. */
function readingOf(predicate: JsonValue | string): 'good' | 'malformed' | 'unsupported' {
  const read = readEndorsements(
    parseExactIntegers(Buffer.from(typeof predicate === 'string' ? predicate : JSON.stringify(predicate))),
  )
  if ('value' in read) return 'good'
  return read.unknownRule ? 'unsupported' : 'malformed'
}

const sev = (...path: Path): Path => ['policies', 'sandbox-genoa', 'sev_snp', ...path]
const tdx = (...path: Path): Path => ['policies', 'sandbox-tdx', 'tdx', ...path]
const OPTIONAL = new Set([
  'alias_check_complete',
  'tio_enabled',
  'iommu_write_safe',
  'fmc_spl',
  'gpus',
  'stack',
])

test('each member is required, of its type, and known, in every policy and measurement', () => {
  expect(readingOf(good)).toBe('good')
  for (const path of memberPaths(good)) {
    const at = path.join('.')
    const name = String(path.at(-1))
    const isEntry = path.length === 2
    const optional =
      OPTIONAL.has(name) ||
      path.at(-2) === 'machines' ||
      (isEntry && path[0] === 'measurements' && name === 'sotto-sandbox-gpu')
    expect([at, readingOf(without(good, path))]).toEqual([at, optional ? 'good' : 'malformed'])
    expect([at, readingOf(replaced(good, path, null)) === 'good']).toEqual([at, false])
    expect([at, readingOf(replaced(good, path, ofAnotherType(valueAt(good, path)))) === 'good']).toEqual([
      at,
      false,
    ])
  }
  for (const path of objectPaths(good)) {
    if (path.length === 1) continue
    const [first = 'format'] = Object.keys(Object(valueAt(good, path)) as object)
    for (const name of ['extra', inAnotherCase(first)])
      expect([path.join('.'), readingOf(extended(good, path, { [name]: 1 }))]).toEqual([
        path.join('.'),
        'unsupported',
      ])
  }
})

describe('refused as malformed', () => {
  test.each<[string, (value: JsonValue) => JsonValue]>([
    ['a machine of a policy that isn’t there', (value) => replaced(value, ['machines', chip], 'other')],
    [
      'a machine of a policy called as a member of every object',
      (value) => replaced(value, ['machines', chip], 'constructor'),
    ],
    [
      'a machine of the other platform’s policy',
      (value) => replaced(value, ['machines', chip], 'sandbox-tdx'),
    ],
    [
      'an identity of 126 digits',
      (value) => extended(value, ['machines'], { ['ab'.repeat(63)]: 'sandbox-genoa' }),
    ],
    [
      'an identity in upper case',
      (value) => extended(value, ['machines'], { ['AB'.repeat(64)]: 'sandbox-genoa' }),
    ],
    [
      'an identity of 32 digits with a policy of SEV-SNP',
      (value) => extended(value, ['machines'], { ['ab'.repeat(16)]: 'sandbox-genoa' }),
    ],
    [
      'another platform',
      (value) => extended(value, ['policies'], { other: { platform: 'arm-cca', arm_cca: {} } }),
    ],
    [
      'another format',
      (value) => replaced(value, ['format'], 'https://tinfoil.sh/predicate/platform-endorsements/v2'),
    ],
    ['VMPL 4', (value) => replaced(value, sev('vmpl'), 4)],
    [
      'VMPL 4 in the policy of another machine',
      (value) => replaced(value, ['policies', 'sandbox-turin', 'sev_snp', 'vmpl'], 4),
    ],
    ['host data of 31 bytes', (value) => replaced(value, sev('host_data'), '00'.repeat(31))],
    ['an image ID in upper case', (value) => replaced(value, sev('image_id'), 'AB'.repeat(16))],
    ['a build of 256', (value) => replaced(value, sev('minimum_build'), 256)],
    ['a negative build', (value) => replaced(value, sev('minimum_build'), -1)],
    ['a level of 256', (value) => replaced(value, sev('minimum_tcb', 'snp_spl'), 256)],
    ['a guest SVN of more than 32 bits', (value) => replaced(value, sev('minimum_guest_svn'), 2 ** 32)],
    ['a version with three parts', (value) => replaced(value, sev('minimum_api_version'), '1.55.0')],
    ['a version that is a number', (value) => replaced(value, sev('minimum_api_version'), 1.55)],
    ['a flag that is a number', (value) => replaced(value, sev('guest_policy', 'smt'), 1)],
    ['no measurement in a TDX policy', (value) => replaced(value, tdx('platform_measurements'), [])],
    ['a measurement that isn’t there', (value) => replaced(value, tdx('platform_measurements'), ['other'])],
    [
      'a measurement called as a member of every object',
      (value) => replaced(value, tdx('platform_measurements'), ['constructor']),
    ],
    ['a floor of 15 bytes', (value) => replaced(value, tdx('minimum_tee_tcb_svn'), '00'.repeat(15))],
    [
      'a shape with memory of 1.5',
      (value) => replaced(value, ['measurements', 'sotto-sandbox-large', 'shape', 'memory_mb'], 1.5),
    ],
  ])('%s', (_, change) => {
    expect(readingOf(change(good))).toBe('malformed')
  })
})

describe('refused because this version doesn’t know the rule', () => {
  test.each<[string, (value: JsonValue) => JsonValue]>([
    ['a required author key', (value) => extended(value, sev(), { require_author_key: true })],
    ['a required ID block', (value) => extended(value, sev(), { require_id_block: true })],
    ['a draft’s member', (value) => extended(value, tdx(), { minimum_qe_svn: 1 })],
  ])('%s', (_, change) => {
    expect(readingOf(change(good))).toBe('unsupported')
  })
})

test('what a policy may leave out or add', () => {
  expect(readingOf(extended(good, sev(), { require_author_key: false, require_id_block: false }))).toBe(
    'good',
  )
  expect(
    readingOf(extended(good, sev('guest_policy'), { cxl_allowed: true, page_swap_disable: false })),
  ).toBe('good')
  expect(readingOf(extended(good, sev('minimum_tcb'), { fmc_spl: 255 }))).toBe('good')
})

test('64 bits stay exact, and one more is refused', () => {
  const text = (bits: string) =>
    JSON.stringify(good).replaceAll(
      '"minimum_launch_mitigation_vector":0',
      `"minimum_launch_mitigation_vector":${bits}`,
    )
  const read = readEndorsements(parseExactIntegers(Buffer.from(text('18446744073709551615'))))
  if (!('value' in read)) throw new Error('not read')
  expect(read.value.policies['sandbox-genoa']).toMatchObject({
    sev_snp: { minimum_launch_mitigation_vector: 2n ** 64n - 1n },
  })
  for (const bits of ['18446744073709551616', '-1', '0.0', '0e0', '-0', '"0"', '1e400'])
    expect([bits, readingOf(text(bits))]).toEqual([bits, 'malformed'])
})

test('a release’s shape has four whole numbers', () => {
  const shape = { cpus: 1n, memory_mb: 2n, gpus: 0n, disks: 3n }
  expect(readVmShape({ vm_shape: shape, other: 1 })).toEqual({ value: shape })
  for (const name of Object.keys(shape))
    expect(readVmShape({ vm_shape: { ...shape, [name]: undefined } })).toHaveProperty('fault')
  expect(readVmShape({ vm_shape: { ...shape, numa: 1n } })).toHaveProperty('fault')
  expect(readVmShape(null)).toHaveProperty('fault')
})

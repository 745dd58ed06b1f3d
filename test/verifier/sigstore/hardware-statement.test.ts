import { beforeAll, expect, test } from 'vitest'
import { HARDWARE_PREDICATE, verifyHardwareStatement } from '../../../src/verifier/sigstore/index.ts'
import type { JsonValue } from '../../../src/verifier/strict-json.ts'
import {
  DIGEST,
  mintedPolicy,
  mintSigstore,
  payloadOf,
  PREDICATE,
  statementOfRelease,
  TAG,
  type MintedSigstore,
  type ReleaseWishes,
} from './minted-release.ts'
import { renderEnglish } from '../../../src/shared/localized-text.ts'
import { legible } from '../../../src/verifier/text.ts'

let sigstore: MintedSigstore
beforeAll(async () => {
  sigstore = await mintSigstore()
})

const kind = { mrtd: '44'.repeat(48), rtmr0: '55'.repeat(48) }
const predicate = (value: JsonValue, predicateType = HARDWARE_PREDICATE) => ({
  payload: payloadOf({ ...statementOfRelease, predicateType, predicate: value }),
})

async function verifyStatement(
  wishes: ReleaseWishes,
  { tag = TAG, digest = DIGEST, predicateTypes = [HARDWARE_PREDICATE] } = {},
) {
  const bundle = await sigstore.release(wishes)
  return verifyHardwareStatement(
    {
      bundle,
      digest,
      trustedRoot: JSON.stringify(sigstore.trustedRoot),
      policy: { ...mintedPolicy, predicateTypes },
      now: Date.now(),
    },
    tag,
  )
}

test('a hardware statement lists each kind of hardware with its registers, and may have other members', async () => {
  expect(
    await verifyStatement(
      predicate({ small: kind, large: { mrtd: 'AB'.repeat(48), rtmr0: kind.rtmr0, cpus: 8 } }),
    ),
  ).toEqual({
    good: true,
    tag: TAG,
    entries: [
      { id: `small@${DIGEST}`, ...kind },
      { id: `large@${DIGEST}`, mrtd: 'ab'.repeat(48), rtmr0: kind.rtmr0 },
    ],
  })
})

test.each<[string, JsonValue]>([
  ['nothing', {}],
  ['a list', [kind]],
  ['a text', 'hardware'],
  ['null', null],
  ['a kind without RTMR0', { small: { mrtd: kind.mrtd } }],
  ['a kind that is no object', { small: 'x' }],
  ['a register that is too short', { small: { ...kind, mrtd: '44'.repeat(47) } }],
  ['one malformed kind among others', { small: kind, large: { mrtd: kind.mrtd, rtmr0: 7 } }],
  [
    'more kinds than anybody has',
    Object.fromEntries(Array.from({ length: 1025 }, (_, index) => [String(index), kind])),
  ],
])('a hardware statement is refused if it lists %s', async (_what, value) => {
  const result = await verifyStatement(predicate(value))
  expect(result.good ? '' : renderEnglish(legible(result.observed))).toContain(
    'sigstore/predicate-member-missing',
  )
})

test('a hardware statement is refused as strictly as a release', async () => {
  const sound = predicate({ small: kind })
  const observed = async (...of: Parameters<typeof verifyStatement>) => {
    const result = await verifyStatement(...of)
    return result.good ? 'good' : renderEnglish(legible(result.observed))
  }
  expect(await observed(sound, { digest: 'cd'.repeat(32) })).toContain('sigstore/subject-digest-mismatch')
  expect(await observed(sound, { tag: 'v9' })).toContain('v9')
  expect(await observed({ ...sound, extensions: { 5: 'evil/router' } })).toContain(
    'sigstore/repository-mismatch',
  )
  expect(await observed({ ...sound, extensions: { 11: 'self-hosted' } })).toContain(
    'sigstore/runner-mismatch',
  )
  expect(await observed({ ...sound, otherKey: true })).toContain('sigstore/signature-invalid')
  expect(await observed({})).toContain('sigstore/predicate-type')
  // A release is no list of hardware, though a policy should let it pass.
  expect(await observed({}, { predicateTypes: [PREDICATE] })).toContain('sigstore/predicate-type')
  expect(await observed({ ...sound, rekor2: 'dsse' })).toBe('good')
})

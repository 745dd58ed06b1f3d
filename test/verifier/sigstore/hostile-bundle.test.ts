import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { sigstoreSteps } from '../../../src/verifier/sigstore/index.ts'
import type { JsonObject, JsonValue } from '../../../src/verifier/strict-json.ts'
import { DIGEST, mintedPolicy, mintSigstore } from './minted-release.ts'

let trustedRoot = ''
let genuine: JsonObject = {}
let steps = 0
beforeAll(async () => {
  const sigstore = await mintSigstore()
  trustedRoot = JSON.stringify(sigstore.trustedRoot)
  genuine = await sigstore.release({ timestampAuthority: true })
  const result = verifyBundle(genuine)
  expect(result.good).toBe(true)
  steps = result.steps.length
})

type Result = ReturnType<typeof sigstoreSteps.verify>

function verifyBundle(bundle: JsonValue, root = trustedRoot): Result {
  return sigstoreSteps.verify({
    bundle,
    digest: DIGEST,
    trustedRoot: root,
    policy: mintedPolicy,
    now: Date.now(),
  })
}

/** Every step is listed. One step failed with the code of the refusal, and no later step ran. */
function expectRefusal(result: Result): void {
  expect(result.good).toBe(false)
  if (result.good) return
  expect(result.steps).toHaveLength(steps)
  const at = result.steps.findIndex(({ outcome }) => outcome === 'failed')
  expect(result.steps[at]).toMatchObject({ id: result.failure.step, code: result.failure.code })
  expect(result.steps.slice(at + 1).every(({ outcome }) => outcome === 'not-reached')).toBe(true)
}

const json = fc.jsonValue().map((value) => value as JsonValue)
const junk = fc.oneof(
  json,
  fc.string(),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  fc.bigInt().map(String),
  fc.constantFrom<JsonValue>('0', '-1', '999999999999', 'A'.repeat(5000), [], {}, null),
)

/** The path to every place of a JSON value. */
function placesOf(value: JsonValue, path: readonly string[] = []): string[][] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return [[...path], ...inner.flatMap(([name, member]) => placesOf(member, [...path, name]))]
}

function replaceAt(
  value: JsonValue,
  [name, ...rest]: readonly string[],
  by: JsonValue | undefined,
): JsonValue {
  if (name === undefined) return by ?? null
  const copy = structuredClone(value) as JsonObject
  if (rest.length === 0 && by === undefined) Reflect.deleteProperty(copy, name)
  else copy[name] = replaceAt(copy[name]!, rest, by)
  return copy
}

describe('a hostile bundle', () => {
  test('of any JSON is refused and never throws', () => {
    fc.assert(
      fc.property(json, (bundle) => {
        expectRefusal(verifyBundle(bundle))
      }),
      { numRuns: 300 },
    )
  })

  test('with any of its members replaced is refused and never throws', () => {
    const places = placesOf(genuine)
    expect(places.length).toBeGreaterThan(20)
    fc.assert(
      fc.property(fc.constantFrom(...places), junk, (place, by) => {
        const result = verifyBundle(replaceAt(genuine, place, by))
        // A member with its previous value, or with a value that the format leaves open, changes nothing.
        if (!result.good) expectRefusal(result)
        else expect(result.value.release.value.digest).toBe(DIGEST)
      }),
      { numRuns: 400 },
    )
  })

  test('without any of its members is refused, unless the form leaves it open', () => {
    const open = new Set(['verificationMaterial.tlogEntries.0.inclusionProof.hashes'])
    for (const place of placesOf(genuine).slice(1)) {
      const result = verifyBundle(replaceAt(genuine, place, undefined))
      if (!open.has(place.join('.'))) expectRefusal(result)
    }
  })

  test('with bytes of its certificate changed is refused and never throws', () => {
    const material = genuine['verificationMaterial'] as { certificate: { rawBytes: string } }
    const der = Buffer.from(material.certificate.rawBytes, 'base64')
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(der.length - 1), fc.integer({ min: 1, max: 255 })), {
          minLength: 1,
          maxLength: 4,
        }),
        (edits) => {
          const copy = Buffer.from(der)
          for (const [at, value] of new Map(edits)) copy[at]! ^= value
          expectRefusal(
            verifyBundle(
              replaceAt(
                genuine,
                ['verificationMaterial', 'certificate', 'rawBytes'],
                copy.toString('base64'),
              ),
            ),
          )
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('hostile roots', () => {
  test('are refused by their own code and never throw', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          json.map((value) => JSON.stringify(value)),
        ),
        (root) => {
          const result = verifyBundle(genuine, root)
          expect(!result.good && result.failure).toEqual({
            step: 'sigstore/trust-root',
            code: 'sigstore/trust-root-invalid',
          })
        },
      ),
      { numRuns: 200 },
    )
  })

  test.each([
    [
      'no media type',
      (root: JsonObject) => {
        delete root['mediaType']
      },
    ],
    [
      'a key that is none',
      (root: JsonObject) => {
        root['tlogs'] = [{ publicKey: { rawBytes: 'AAAA' }, logId: { keyId: 'AAAA' } }]
      },
    ],
    [
      'a certificate that is none',
      (root: JsonObject) => {
        root['certificateAuthorities'] = [{ certChain: { certificates: [{ rawBytes: 'AAAA' }] } }]
      },
    ],
    [
      'an authority without a chain',
      (root: JsonObject) => {
        root['certificateAuthorities'] = [{}]
      },
    ],
  ])('%s', (_what, spoil) => {
    const root = JSON.parse(trustedRoot) as JsonObject
    spoil(root)
    expectRefusal(verifyBundle(genuine, JSON.stringify(root)))
  })

  test('a member twice', () => {
    expectRefusal(verifyBundle(genuine, trustedRoot.replace('{', '{"mediaType":"x",')))
  })
})

import { bundleFromJSON } from '@sigstore/bundle'
import { TrustedRoot } from '@sigstore/protobuf-specs'
import { toSignedEntity, toTrustMaterial, Verifier, type TrustMaterial } from '@sigstore/verify'
import fc from 'fast-check'
import { expect } from 'vitest'
import { authenticateBundle } from '../../../src/verifier/sigstore/authenticate.ts'
import { readBundle } from '../../../src/verifier/sigstore/bundle-form.ts'
import { readFulcioCertificate } from '../../../src/verifier/sigstore/fulcio-certificate.ts'
import { SigstoreRefusal } from '../../../src/verifier/sigstore/refusal.ts'
import { readTrustedRoot } from '../../../src/verifier/sigstore/trusted-root.ts'
import type { JsonObject, JsonValue } from '../../../src/verifier/strict-json.ts'

/**
 * Two verifiers for one question: whether this bundle was signed, certified, logged and timestamped under these
 * roots. Ours also reports the reason for a refusal.
 */
function createVerifiers(trustedRoot: string): {
  ours: (bundle: JsonValue, now: number) => string
  library: (bundle: JsonValue) => boolean
} {
  const root = readTrustedRoot(trustedRoot)
  const material: TrustMaterial = toTrustMaterial(TrustedRoot.fromJSON(JSON.parse(trustedRoot)))
  return {
    ours: (json, now) => {
      try {
        const bundle = readBundle(json)
        authenticateBundle(bundle, readFulcioCertificate(bundle.certificate), root, now)
        return 'good'
      } catch (error) {
        if (error instanceof SigstoreRefusal) return error.code
        throw error
      }
    },
    library: (json) => {
      try {
        new Verifier(material, { ctlogThreshold: 1, tlogThreshold: 1, timestampThreshold: 1 }).verify(
          toSignedEntity(bundleFromJSON(json)),
        )
        return true
      } catch {
        return false
      }
    },
  }
}

/** The path to every text and number in a bundle. */
function leavesOf(value: JsonValue, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [[...path]]
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...path, name]))
}

/** The bundle with another value at that path. */
function replaced(bundle: JsonObject, path: readonly string[], by: (value: string) => string): JsonObject {
  const copy = structuredClone(bundle)
  const last = path.at(-1) ?? ''
  const holder = path.slice(0, -1).reduce<JsonObject>((value, name) => value[name] as JsonObject, copy)
  const value = holder[last]
  if (typeof value === 'string' || typeof value === 'number') holder[last] = by(String(value))
  return copy
}

/** Flips one bit of the bytes that a base64 text encodes. Changes one character of any other text. */
function withBit(at: number): (text: string) => string {
  return (text) => {
    const bytes = Buffer.from(text, 'base64')
    if (bytes.length > 3 && bytes.toString('base64') === text) {
      bytes[at % bytes.length]! ^= 1 << (at % 8)
      return bytes.toString('base64')
    }
    const place = at % Math.max(1, text.length)
    return `${text.slice(0, place)}${text[place] === '7' ? '8' : '7'}${text.slice(place + 1)}`
  }
}

/**
 * Compares our verifier with Sigstore's own library, which shares no code with it. For every change, the library
 * accepts the bundles that ours accepts. Bundles that only the library accepts are listed, with the reason.
 */
const stricter: Readonly<Record<string, RegExp>> = {
  // The library accepts other versions, and base64 texts that are not canonical.
  'sigstore/bundle-malformed':
    /mediaType|rawBytes|keyid|sig$|payload|signedTimestamp|signedEntryTimestamp|keyId|hashes|rootHash|canonicalizedBody|integratedTime|logIndex|treeSize/,
  // The library reads neither the root nor the size that a proof states.
  'sigstore/log-root-mismatch': /rootHash$|treeSize$/,
  // The library reads the lines of a note one by one, at any position.
  'sigstore/log-inclusion-invalid': /envelope$/,
  // The library accepts any content in the unsigned part of an answer.
  'sigstore/timestamp-invalid': /signedTimestamp$/,
}

/** Compares both verifiers on `numRuns` bundles, each with one changed text. @param now Unix ms */
export function compareVerifiers(
  genuine: JsonObject,
  trustedRoot: string,
  now: number,
  numRuns: number,
): void {
  const { ours, library } = createVerifiers(trustedRoot)
  expect(ours(genuine, now)).toBe('good')
  expect(library(genuine)).toBe(true)
  const places = leavesOf(genuine)
  let refused = 0
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.nat(), (path, at) => {
      const changed = replaced(genuine, path, withBit(at))
      const verdict = ours(changed, now)
      const libraryGood = library(changed)
      if (verdict === 'good') expect(libraryGood, path.join('.')).toBe(true)
      else if (libraryGood)
        expect(path.join('.'), verdict).toMatch(stricter[verdict] ?? /^no difference is known$/)
      if (verdict !== 'good') refused += 1
    }),
    { numRuns },
  )
  expect(refused).toBeGreaterThan(numRuns / 2)
}

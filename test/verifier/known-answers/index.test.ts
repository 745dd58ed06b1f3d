import { createPublicKey, type KeyObject } from 'node:crypto'
import type * as cryptoModule from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { givesKnownAnswers, knownAnswersHold } from '../../../src/verifier/known-answers/index.ts'
import { sandboxProfile } from '../../../src/sandbox/profile.ts'
import { bootEnclave } from '../../../src/sandbox/world/enclave.ts'
import { mintEvidence } from '../../../src/sandbox/world/evidence.ts'
import { Rekor } from '../../../src/sandbox/world/rekor.ts'
import { loadRoots } from '../../../src/sandbox/world/roots.ts'
import { platforms, type Platform } from '../../../src/shared/policy/attestation-policy.ts'
import { sandboxFolder } from '../../sandbox/cached-roots.ts'

/** Replaces the result of the runtime's signature check; undefined: the real result. */
type ResultOverride = (key: KeyObject) => boolean | undefined
const runtime = vi.hoisted((): { override: ResultOverride; checks: number } => ({
  override: () => undefined,
  checks: 0,
}))

vi.mock('node:crypto', async (load) => {
  const crypto = await load<typeof cryptoModule>()
  const verify = (...args: Parameters<typeof crypto.verify>): boolean => {
    runtime.checks++
    const [algorithm, data, keyInput, signature] = args
    const key =
      keyInput instanceof crypto.KeyObject
        ? keyInput
        : typeof keyInput === 'object' && 'key' in keyInput && keyInput.key instanceof crypto.KeyObject
          ? keyInput.key
          : undefined
    if (!key) throw new Error('a key is checked with that is none')
    return runtime.override(key) ?? crypto.verify(algorithm, data, keyInput, signature)
  }
  return { ...crypto, verify }
})

const kindOf = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string =>
  asymmetricKeyDetails?.namedCurve ?? asymmetricKeyType ?? 'none'
const names = { sevSnp: 'sev-snp', tdx: 'tdx', nitro: 'nitro' } as const satisfies Record<Platform, string>

const { policy: sandboxPolicy } = sandboxProfile('http://127.0.0.1:1')
if (!sandboxPolicy) throw new Error('the sandbox has a policy')

beforeEach(() => {
  runtime.checks = 0
  runtime.override = () => undefined
})

describe('a runtime that checks signatures as it should', () => {
  it.each(platforms)('gives the known answers of %s', async (platform) => {
    expect(await givesKnownAnswers(platform)).toBe(true)
  })

  it('is asked once for each platform that a policy names', async () => {
    const { sevSnp, tdx, ...nitroPolicy } = sandboxPolicy
    expect(sevSnp && tdx).toBeDefined()
    await givesKnownAnswers('nitro')
    const ofNitro = runtime.checks
    runtime.checks = 0
    // While the check runs, other callers wait for the same result.
    expect(await Promise.all([knownAnswersHold(nitroPolicy), knownAnswersHold(nitroPolicy)])).toEqual([
      true,
      true,
    ])
    expect(runtime.checks).toBe(ofNitro)
    expect(await knownAnswersHold(sandboxPolicy)).toBe(true)
    const ofAll = runtime.checks
    expect(ofAll).toBeGreaterThan(ofNitro)
    expect(ofNitro).toBeGreaterThan(0)
    expect(await knownAnswersHold(sandboxPolicy)).toBe(true)
    expect(runtime.checks).toBe(ofAll)
  })
})

describe('a runtime that checks signatures wrongly is noticed', () => {
  const relied: readonly (readonly [Platform, string])[] = [
    ['sevSnp', 'rsa'],
    ['sevSnp', 'secp384r1'],
    ['sevSnp', 'prime256v1'],
    ['sevSnp', 'ed25519'],
    ['tdx', 'prime256v1'],
    ['tdx', 'ed25519'],
    ['nitro', 'secp384r1'],
  ]

  it.each(relied)('of %s where every signature by %s is good to it', async (platform, kind) => {
    runtime.override = (key) => (kindOf(key) === kind ? true : undefined)
    expect(await givesKnownAnswers(platform)).toBe(false)
  })

  it.each(relied)('of %s where no signature by %s is good to it', async (platform, kind) => {
    runtime.override = (key) => (kindOf(key) === kind ? false : undefined)
    expect(await givesKnownAnswers(platform)).toBe(false)
  })

  it.each(platforms)('of %s where it cannot check at all', async (platform) => {
    runtime.override = () => {
      throw new Error('not supported')
    }
    expect(await givesKnownAnswers(platform)).toBe(false)
  })
})

describe('the known evidence', () => {
  it.each(platforms)(
    'of %s has the form of the evidence that the sandbox mints, and its policy',
    async (platform) => {
      const roots = await loadRoots(await sandboxFolder(), () => true)
      const known: unknown = JSON.parse(
        readFileSync(
          join(import.meta.dirname, `../../../src/verifier/known-answers/${names[platform]}.json`),
          'utf8',
        ),
      )
      const minted = await mintEvidence({
        platform: names[platform],
        roots,
        rekor: new Rekor(createPublicKey(roots.rekorKey), roots.rekorKey),
        keys: bootEnclave(),
        faults: new Set(),
        nonce: Buffer.alloc(32, 7),
        now: Date.UTC(2026, 8, 1),
      })
      const { code, enclaveHost, certificateLabelSuffix, [platform]: rules } = sandboxPolicy
      expect(known).toMatchObject({
        policy: { code, enclaveHost, certificateLabelSuffix, [platform]: rules },
      })
      expect(formOf(known, 'evidence')).toEqual(
        formOf({ evidence: JSON.parse(JSON.stringify(minted)) as unknown }, 'evidence'),
      )
    },
  )
})

/** The names of all members, at every depth; for a list, those of its first item. */
function formOf(holder: unknown, member: string): unknown {
  const value: unknown =
    typeof holder === 'object' && holder !== null ? Reflect.get(holder, member) : undefined
  if (Array.isArray(value)) return formOf(value, '0')
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, formOf(value, name)]),
  )
}

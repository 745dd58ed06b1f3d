import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { SeenCollateral } from '../../../src/verifier/seen-collateral.ts'
import { readAmdList, sevSteps } from '../../../src/verifier/sev-snp/index.ts'
import type { AttestationCode } from '../../../src/verifier/types.ts'
import type { CollateralRecord } from '../../../src/shared/collateral-record.ts'
import type { SevProduct } from '../../../src/shared/policy/sev-snp.ts'
import { renderEnglish } from '../../../src/shared/localized-text.ts'
import {
  authorityKeyIdentifier,
  ecdsaSha384,
  extension,
  pssSha384,
  type Signer,
} from '../../../src/sandbox/der/certificate.ts'
import { integer, nul } from '../../../src/sandbox/der/der.ts'
import { mintedCrl, revokedEntry, type CrlFields } from '../x509/minted-crl.ts'
import { amdName, mintAmd, NOW, policy, type MintedAmd } from './minted-chip.ts'

const DAY = 24 * 3600_000
const ASK_SERIAL = 0x20002
const VCEK_SERIAL = 0x77

let amd: MintedAmd
let vcek: Buffer
beforeAll(async () => {
  amd = await mintAmd()
  vcek = amd.chipCertificate('Genoa', { serial: VCEK_SERIAL })
})

const list = (changes: Partial<CrlFields> = {}, signer: Signer = pssSha384(amd.ark.privateKey, true)) =>
  mintedCrl(
    {
      issuer: amdName('ARK-Genoa'),
      thisUpdate: NOW - DAY,
      nextUpdate: NOW + 30 * DAY,
      entries: [revokedEntry(0x20001, NOW - DAY)],
      extensions: [authorityKeyIdentifier(amd.ark.publicKey), extension('2.5.29.20', integer(3))],
      ...changes,
    },
    signer,
  )

const verifyReport = (crl?: Buffer) =>
  sevSteps.verify({
    report: amd.report('Genoa'),
    vcek,
    ...(crl && { crl }),
    roots: amd.roots('Genoa'),
    policy,
    now: NOW,
  })
const codeOf = (crl: Buffer) => {
  const result = verifyReport(crl)
  if (result.good) return 'good'
  expect(result.failure.step).toBe('amd/revocation')
  return result.failure.code
}

describe('AMD’s revocation list', () => {
  it('passes a chain that it doesn’t name, and limits the verdict to its own end', () => {
    const result = verifyReport(list())
    expect(result.steps.find(({ id }) => id === 'amd/revocation')).toMatchObject({ outcome: 'passed' })
    expect(result).toMatchObject({ good: true, value: { evidence: { notAfter: NOW + 30 * DAY } } })
  })

  it('without entries passes, with both forms of PSS parameters', () => {
    expect(codeOf(list({ entries: [] }))).toBe('good')
    expect(codeOf(list({}, pssSha384(amd.ark.privateKey, false)))).toBe('good')
  })

  it('if absent, leaves the step not checked and not required', () => {
    const result = verifyReport()
    expect(result.good).toBe(true)
    expect(result.steps.find(({ id }) => id === 'amd/revocation')).toMatchObject({
      outcome: 'not-checked',
      required: false,
    })
  })

  it.each<[string, AttestationCode, () => Buffer]>([
    [
      'names the intermediate',
      'amd/intermediate-revoked',
      () => list({ entries: [revokedEntry(1, NOW - DAY), revokedEntry(ASK_SERIAL, NOW - DAY)] }),
    ],
    ['names the chip', 'vcek/revoked', () => list({ entries: [revokedEntry(VCEK_SERIAL, NOW - DAY)] })],
    ['has expired', 'amd/crl-expired', () => list({ nextUpdate: NOW - 1000 })],
    [
      'has expired, whatever it names',
      'amd/crl-expired',
      () => list({ nextUpdate: NOW - 1000, entries: [] }),
    ],
    ['is of tomorrow', 'amd/crl-not-yet-valid', () => list({ thisUpdate: NOW + DAY })],
    ['is signed by the intermediate', 'amd/crl-invalid', () => list({}, pssSha384(amd.ask.privateKey, true))],
    ['is signed by the chip', 'amd/crl-invalid', () => list({}, ecdsaSha384(amd.vcek.privateKey))],
    ['is another product’s', 'amd/crl-invalid', () => list({ issuer: amdName('ARK-Turin') })],
    ['is the intermediate’s by name', 'amd/crl-invalid', () => list({ issuer: amdName('SEV-Genoa') })],
    [
      'is a delta',
      'amd/crl-malformed',
      () => list({ extensions: [extension('2.5.29.27', integer(1), true)] }),
    ],
    [
      'says what is not understood',
      'amd/crl-malformed',
      () => list({ extensions: [extension('1.2.3', nul(), true)] }),
    ],
    ['is nothing', 'amd/crl-malformed', () => Buffer.alloc(0)],
    ['has a byte after it', 'amd/crl-malformed', () => Buffer.concat([list(), Buffer.of(0)])],
    ['is a certificate', 'amd/crl-malformed', () => vcek],
  ])('that %s: %s', (_, code, crl) => {
    expect(codeOf(crl())).toBe(code)
  })

  it('with any byte changed is refused', () => {
    const crl = list()
    for (let at = 0; at < crl.length; at += 7) {
      const changed = Buffer.from(crl)
      changed.writeUInt8(changed.readUInt8(at) ^ 0x10, at)
      expect(codeOf(changed)).toMatch(/^amd\/crl-(malformed|invalid|expired|not-yet-valid)$/)
    }
  })
})

describe('the newest known list', () => {
  const name = 'amd-crl/Genoa'
  const recordOf = (list: Buffer, version: number): CollateralRecord => ({
    name,
    version,
    list: list.toString('base64'),
  })
  const older = () => list({ thisUpdate: NOW - 20 * DAY })
  const naming = (serial: number, changes: Partial<CrlFields> = {}) =>
    list({ entries: [revokedEntry(serial, NOW - DAY)], ...changes })

  function verify({ brought, known, shipped }: { brought?: Buffer; known?: Buffer; shipped?: Buffer }) {
    const seen = new SeenCollateral(known ? [recordOf(known, 0)] : [])
    const [roots] = [amd.roots('Genoa').Genoa].flatMap((found) => (found ? [found] : []))
    if (!roots) throw new Error('no roots')
    const result = sevSteps.verify({
      report: amd.report('Genoa'),
      vcek,
      ...(brought && { crl: brought }),
      seen,
      roots: { Genoa: { ...roots, ...(shipped && { crl: shipped }) } },
      policy,
      now: NOW,
    })
    const step = result.steps.find(({ id }) => id === 'amd/revocation')
    return {
      result,
      end: step?.code ?? step?.outcome,
      observed: renderEnglish(step?.observed ?? []),
      used: seen.used(),
    }
  }

  it.each(['known', 'shipped'] as const)('passes the step if the evidence has none: %s', (source) => {
    const { end, result } = verify({ [source]: list() })
    expect(end).toBe('passed')
    expect(result).toMatchObject({
      good: true,
      value: { evidence: { notAfter: NOW + 30 * DAY, listEnds: NOW + 30 * DAY } },
    })
  })

  it.each(['known', 'shipped'] as const)(
    'refuses the certificates that it names, also after its end: %s',
    (source) => {
      for (const changes of [{}, { thisUpdate: NOW - 60 * DAY, nextUpdate: NOW - 30 * DAY }]) {
        expect(verify({ [source]: naming(ASK_SERIAL, changes) }).end).toBe('amd/intermediate-revoked')
        expect(verify({ [source]: naming(VCEK_SERIAL, changes) }).end).toBe('vcek/revoked')
      }
    },
  )

  it.each(['known', 'shipped'] as const)(
    'leaves the step not checked after its end, with its dates: %s',
    (source) => {
      const { end, result, observed } = verify({
        [source]: list({ thisUpdate: NOW - 60 * DAY, nextUpdate: NOW - DAY }),
      })
      expect([end, result.good]).toEqual(['not-checked', true])
      expect(observed).toContain(`to ${new Date(NOW - DAY).toISOString().slice(0, 19)}Z`)
      expect(result).not.toHaveProperty('value.listEnds')
    },
  )

  it('leaves the step not checked before its start', () => {
    expect(verify({ known: list({ thisUpdate: NOW + DAY }) }).end).toBe('not-checked')
  })

  it('overrides an older list in the evidence, but not a newer one', () => {
    expect(verify({ brought: older(), known: naming(VCEK_SERIAL) }).end).toBe('vcek/revoked')
    expect(verify({ brought: older(), shipped: naming(VCEK_SERIAL) }).end).toBe('vcek/revoked')
    expect(verify({ brought: older(), known: naming(VCEK_SERIAL, { nextUpdate: NOW - 1000 }) }).end).toBe(
      'vcek/revoked',
    )
    expect(verify({ brought: list(), known: naming(VCEK_SERIAL, { thisUpdate: NOW - 20 * DAY }) }).end).toBe(
      'passed',
    )
    expect(verify({ brought: naming(VCEK_SERIAL), known: older() }).end).toBe('vcek/revoked')
  })

  it('limits the verdict to its own end, not that of the older one', () => {
    expect(
      verify({ brought: list({ thisUpdate: NOW - 20 * DAY, nextUpdate: NOW + 2 * DAY }), known: list() })
        .result,
    ).toMatchObject({ value: { evidence: { notAfter: NOW + 30 * DAY } } })
    expect(verify({ brought: older(), known: list({ nextUpdate: NOW - 1000 }) }).result).toMatchObject({
      value: { evidence: { notAfter: NOW + 30 * DAY } },
    })
  })

  it('doesn’t replace an invalid list in the evidence', () => {
    expect(verify({ brought: list({ nextUpdate: NOW - 1000 }), known: list() }).end).toBe('amd/crl-expired')
    expect(verify({ brought: list({}, pssSha384(amd.ask.privateKey, true)), known: list() }).end).toBe(
      'amd/crl-invalid',
    )
  })

  it.each<[string, () => Buffer]>([
    [
      'another signer',
      () =>
        mintedCrl(
          {
            issuer: amdName('ARK-Genoa'),
            thisUpdate: NOW - DAY,
            nextUpdate: NOW + DAY,
            entries: [revokedEntry(VCEK_SERIAL, NOW - DAY)],
            extensions: [],
          },
          pssSha384(amd.ask.privateKey, true),
        ),
    ],
    ['another product', () => naming(VCEK_SERIAL, { issuer: amdName('ARK-Turin') })],
    ['no list at all', () => Buffer.from('no list')],
  ])('is ignored if it is of %s', (_, forged) => {
    for (const source of ['known', 'shipped'] as const)
      expect(verify({ [source]: forged() }).end).toBe('not-checked')
  })

  it('is never replaced by an older list, in any order', () => {
    const lists = [40, 30, 20, 10].map((days) => list({ thisUpdate: NOW - days * DAY }))
    fc.assert(
      fc.property(fc.array(fc.nat(3), { minLength: 1, maxLength: 5 }), (order) => {
        let known: Buffer | undefined
        let newest = 0
        for (const index of order) {
          const [record] = verify({
            ...(lists[index] && { brought: lists[index] }),
            ...(known && { known }),
          }).used
          newest = Math.max(newest, NOW - [40, 30, 20, 10][index]! * DAY)
          expect(record).toMatchObject({ name, version: newest })
          known = Buffer.from(record?.list ?? '', 'base64')
        }
      }),
      { numRuns: 25 },
    )
  })
})

describe('a downloaded list', () => {
  it('is accepted if AMD’s root of the product signed it, and it is in force', () => {
    const der = list()
    expect(readAmdList(der, amd.roots('Genoa'), 'Genoa', NOW)).toEqual({
      name: 'amd-crl/Genoa',
      version: NOW - DAY,
      list: der.toString('base64'),
    })
  })

  it.each<[string, AttestationCode, () => Buffer, SevProduct]>([
    ['is forged', 'amd/crl-invalid', () => list({}, pssSha384(amd.ask.privateKey, true)), 'Genoa'],
    ['is another product’s', 'amd/crl-invalid', () => list({ issuer: amdName('ARK-Turin') }), 'Genoa'],
    ['has ended', 'amd/crl-expired', () => list({ nextUpdate: NOW - 1000 }), 'Genoa'],
    ['is of tomorrow', 'amd/crl-not-yet-valid', () => list({ thisUpdate: NOW + DAY }), 'Genoa'],
    [
      'is too large',
      'amd/crl-malformed',
      () =>
        list({ entries: Array.from({ length: 3000 }, (_, at) => revokedEntry(0x100000 + at, NOW - DAY)) }),
      'Genoa',
    ],
    ['is no list', 'amd/crl-malformed', () => Buffer.from('<html>'), 'Genoa'],
    ['is of a product without a root', 'amd/root-invalid', () => list(), 'Milan'],
  ])('is refused if it %s: %s', (_, code, der, product) => {
    expect(readAmdList(der(), amd.roots('Genoa'), product, NOW)).toMatchObject({ code })
  })
})

import { beforeAll, describe, expect, it } from 'vitest'
import { verifySevSnp } from '../../../../src/core/attestation/sev-snp/index.ts'
import type { AttestationCode } from '../../../../src/shared/attestation-codes.ts'
import { authorityKeyIdentifier, ecdsaSha384, extension, pssSha384, type Signer } from '../../../../src/sandbox/der/certificate.ts'
import { integer, nul } from '../../../../src/sandbox/der/der.ts'
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

const list = (changes: Partial<CrlFields> = {}, signer: Signer = pssSha384(amd.ark.privateKey, true)) => mintedCrl({
  issuer: amdName('ARK-Genoa'), thisUpdate: NOW - DAY, nextUpdate: NOW + 30 * DAY, entries: [revokedEntry(0x20001, NOW - DAY)],
  extensions: [authorityKeyIdentifier(amd.ark.publicKey), extension('2.5.29.20', integer(3))], ...changes,
}, signer)

const judged = (crl?: Buffer) => verifySevSnp({ report: amd.report('Genoa'), vcek, ...(crl && { crl }), roots: amd.roots('Genoa'), policy, now: NOW })
const codeOf = (crl: Buffer) => {
  const result = judged(crl)
  if (result.good) return 'good'
  expect(result.failure.step).toBe('amd/revocation')
  return result.failure.code
}

describe('AMD’s revocation list', () => {
  it('passes a chain that it does not name, and bounds the verdict by its own end', () => {
    const result = judged(list())
    expect(result.steps.find(({ id }) => id === 'amd/revocation')).toMatchObject({ outcome: 'passed' })
    expect(result).toMatchObject({ good: true, value: { notAfter: NOW + 30 * DAY } })
  })

  it('that names nobody passes as well, and so do both forms of PSS parameters', () => {
    expect(codeOf(list({ entries: [] }))).toBe('good')
    expect(codeOf(list({}, pssSha384(amd.ark.privateKey, false)))).toBe('good')
  })

  it('that is absent leaves the step not checked: never passed, and never required', () => {
    const result = judged()
    expect(result.good).toBe(true)
    expect(result.steps.find(({ id }) => id === 'amd/revocation')).toMatchObject({ outcome: 'not-checked', required: false })
  })

  it.each<[string, AttestationCode, () => Buffer]>([
    ['names the intermediate', 'amd/intermediate-revoked', () => list({ entries: [revokedEntry(1, NOW - DAY), revokedEntry(ASK_SERIAL, NOW - DAY)] })],
    ['names the chip', 'vcek/revoked', () => list({ entries: [revokedEntry(VCEK_SERIAL, NOW - DAY)] })],
    ['has expired', 'amd/crl-expired', () => list({ nextUpdate: NOW - 1000 })],
    ['has expired, whatever it names', 'amd/crl-expired', () => list({ nextUpdate: NOW - 1000, entries: [] })],
    ['is of tomorrow', 'amd/crl-not-yet-valid', () => list({ thisUpdate: NOW + DAY })],
    ['is signed by the intermediate', 'amd/crl-invalid', () => list({}, pssSha384(amd.ask.privateKey, true))],
    ['is signed by the chip', 'amd/crl-invalid', () => list({}, ecdsaSha384(amd.vcek.privateKey))],
    ['is another product’s', 'amd/crl-invalid', () => list({ issuer: amdName('ARK-Turin') })],
    ['is the intermediate’s by name', 'amd/crl-invalid', () => list({ issuer: amdName('SEV-Genoa') })],
    ['is a delta', 'amd/crl-malformed', () => list({ extensions: [extension('2.5.29.27', integer(1), true)] })],
    ['says what is not understood', 'amd/crl-malformed', () => list({ extensions: [extension('1.2.3', nul(), true)] })],
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

import { describe, expect, it } from 'vitest'
import { Steps } from '../../../src/verifier/steps.ts'
import { readV3Document } from '../../../src/verifier/v3/document.ts'
import { hardwareStep, type HardwareInput } from '../../../src/verifier/v3/hardware.ts'
import { v3Steps } from '../../../src/verifier/v3/index.ts'
import { builtInTrust, evidenceIsThere, presetPolicy, realEvidence } from '../evidence-folder.ts'

/** A skipped block is run through to collect its tests, and this one reads the document. */
const describeGenuine = evidenceIsThere
  ? describe
  : (name: string, _: () => void) => it.skip(name, () => undefined)

const NOW = Date.UTC(2026, 7, 15, 12)
const NONCE = '7f31a89205a4636f21bebbd1622163c4ce66ee4ba9d83aba6a6f8ab3d9b69c63'

describeGenuine('the document of the genuine router, without its list of servers and witnesses', () => {
  const bytes = realEvidence('2026-08/v3-router-2026-08/document-without-platform-and-freshness.json')
  const document = readV3Document(bytes)
  const policy = presetPolicy()
  const [tls, hpke] = document.keys.map(({ data }) => Buffer.from(data, 'hex'))
  if (!tls || !hpke) throw new Error('no keys')
  const { tag = '', digest = '' } = document.collateral.code ?? {}
  const verify = (nonce = NONCE, now = NOW) =>
    v3Steps.verify({
      document: bytes,
      nonce: Buffer.from(nonce, 'hex'),
      trust: builtInTrust,
      policy,
      now,
      relayed: { keys: { tlsKeyFingerprint: tls, hpkePublicKey: hpke }, release: { tag, digest } },
    })
  const hardwareAt = (now: number, read = document) =>
    Steps.of<HardwareInput>().add(hardwareStep).verify({ parsed: read, trust: builtInTrust, policy, now })

  it('passes every step up to the witness that it lacks, and is refused there', () => {
    const { steps, ...result } = verify()
    expect(result).toEqual({
      facts: {},
      good: false,
      failure: { step: 'v3/code-freshness', code: 'collateral/missing' },
    })
    expect(steps.slice(0, 5).map(({ id, outcome }) => [id, outcome])).toEqual([
      ['v3/document', 'passed'],
      ['v3/nonce', 'passed'],
      ['v3/hashes', 'passed'],
      ['v3/code', 'passed'],
      ['v3/code-freshness', 'failed'],
    ])
    expect(steps.slice(5).every(({ outcome }) => outcome === 'not-reached')).toBe(true)
  })

  it('is refused for any other nonce', () => {
    for (let bit = 0; bit < 256; bit += 17) {
      const other = Buffer.from(NONCE, 'hex')
      other.writeUInt8(other.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      expect(verify(other.toString('hex'))).toMatchObject({
        good: false,
        failure: { step: 'v3/nonce', code: 'envelope/nonce-mismatch' },
      })
    }
  })

  it('has a report that AMD’s chip signed, over our nonce and its keys', () => {
    const hardware = hardwareAt(NOW)
    expect(hardware).toMatchObject({
      good: true,
      value: { hardware: { platform: 'sev-snp', product: 'Genoa', reportData: document.reportData } },
    })
    if (!hardware.good) throw new Error('refused')
    expect(hardware.value.hardware.identity).toMatch(/^[0-9a-f]{128}$/)
    expect(hardware.value.hardware.notAfter).toBeGreaterThan(NOW)
  })

  it('has a report that counts until the revocation list ends', () => {
    const hardware = hardwareAt(NOW)
    if (!hardware.good) throw new Error('refused')
    const { notAfter } = hardware.value.hardware
    expect(hardwareAt(notAfter - 1000)).toHaveProperty('good', true)
    expect(hardwareAt(notAfter + 1000)).toMatchObject({
      good: false,
      failure: { step: 'v3/hardware', code: 'amd/crl-expired' },
    })
  })

  it('has a report that doesn’t count without the list, or changed in one bit', () => {
    const { amdCrl: _, ...collateral } = document.collateral
    expect(hardwareAt(NOW, { ...document, collateral })).toMatchObject({
      failure: { code: 'collateral/missing' },
    })
    for (const at of [0x50, 0x90, 0x1a0, 0x200]) {
      const report = Buffer.from(document.report)
      report.writeUInt8(report.readUInt8(at) ^ 1, at)
      expect(hardwareAt(NOW, { ...document, report })).toHaveProperty('good', false)
    }
  })
})

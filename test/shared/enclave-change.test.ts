import { describe, expect, it } from 'vitest'
import { changesBetween, meaningOf } from '../../src/shared/enclave-change.ts'
import type { EnclaveIdentity } from '../../src/shared/verified-enclave.ts'

const amd: EnclaveIdentity = {
  trust: 'built-in',
  enclaveHost: 'e',
  platform: 'AMD SEV-SNP, Genoa',
  measurement: 'aa',
  registers: [{ name: 'MEASUREMENT', hex: 'aa' }],
  release: { repository: 'o/r', tag: 'v1', digest: 'd1' },
  hpkePublicKey: 'k1',
  tlsKeyFingerprint: 't1',
}

describe('changesBetween', () => {
  it('finds nothing between an enclave and itself', () => {
    expect(changesBetween(amd, { ...amd, release: { ...amd.release!, loggedAt: 5 } })).toEqual([])
    expect(meaningOf([])).toBe('Nothing changed.')
  })
  it('tells keys from code, and old from new', () => {
    const changes = changesBetween(amd, { ...amd, hpkePublicKey: 'k2', tlsKeyFingerprint: 't2' })
    expect(changes).toEqual([
      { kind: 'key', name: 'Encryption key', before: 'k1', after: 'k2' },
      { kind: 'key', name: 'TLS key (SHA-256)', before: 't1', after: 't2' },
    ])
    expect(meaningOf(changes)).toMatch(/^The code is the same, but the keys have changed/)
  })
  it('names another server only if both are known, and its keys tell the rest', () => {
    const on = (identity: string) => ({ ...amd, machine: { identity, policy: 'genoa' } })
    expect(changesBetween(on('m1'), on('m1'))).toEqual([])
    expect(changesBetween(amd, on('m1'))).toEqual([])
    const changes = changesBetween(on('m1'), { ...on('m2'), hpkePublicKey: 'k2' })
    expect(changes).toEqual([
      { kind: 'server', name: 'Server', before: 'm1', after: 'm2' },
      { kind: 'key', name: 'Encryption key', before: 'k1', after: 'k2' },
    ])
    expect(meaningOf(changes)).toMatch(/^The code is the same, but the keys have changed/)
  })
  it('names a release by tag and file', () => {
    const changes = changesBetween(amd, {
      ...amd,
      measurement: 'bb',
      registers: [{ name: 'MEASUREMENT', hex: 'bb' }],
      release: { repository: 'o/r', tag: 'v2', digest: 'd2' },
    })
    expect(changes.map(({ name, before, after }) => [name, before, after])).toEqual([
      ['Release', 'v1', 'v2'],
      ['Release file (SHA-256)', 'd1', 'd2'],
      ['MEASUREMENT', 'aa', 'bb'],
    ])
    expect(meaningOf(changes)).toBe('The enclave runs a different release than last time.')
  })
  it('is not deceived by a tag that stays while the code is another', () => {
    const changes = changesBetween(amd, { ...amd, registers: [{ name: 'MEASUREMENT', hex: 'bb' }] })
    expect(meaningOf(changes)).toBe(
      'The enclave’s measurement has changed since last time, but its release hasn’t.',
    )
  })

  it('names another image where the platform names no release', () => {
    expect(
      meaningOf([
        { kind: 'code', name: 'PCR0', before: 'a', after: 'b' },
        { kind: 'code', name: 'PCR2', before: 'a', after: 'b' },
      ]),
    ).toBe('The enclave runs a different image than last time.')
  })
  it('names the registers that only one platform has', () => {
    const { release: _, ...nitro } = {
      ...amd,
      platform: 'AWS Nitro',
      registers: [{ name: 'PCR0', hex: 'cc' }],
    }
    const changes = changesBetween(amd, nitro)
    expect(changes).toEqual([
      { kind: 'platform', name: 'Platform', before: 'AMD SEV-SNP, Genoa', after: 'AWS Nitro' },
      { kind: 'release', name: 'Repository', before: 'o/r' },
      { kind: 'release', name: 'Release', before: 'v1' },
      { kind: 'release', name: 'Release file (SHA-256)', before: 'd1' },
      { kind: 'code', name: 'MEASUREMENT', before: 'aa' },
      { kind: 'code', name: 'PCR0', after: 'cc' },
    ])
    expect(meaningOf(changes)).toBe('The type of server has changed since last time.')
  })
})

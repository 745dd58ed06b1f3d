import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts'
import type { TrustSet } from '../../src/shared/trust.ts'
import { profileSchema } from '../../src/shared/profile.ts'
import {
  fetchEvidence,
  labelled,
  measurementOf,
  publicKeyOf,
  reportSignatureValid,
  tlsFingerprint,
  verifySigstore,
  type Evidence,
} from './evidence.ts'
import { sandboxFolder, startTestSandbox } from './cached-roots.ts'

const run = promisify(execFile)
const openssl = await run('openssl', ['version']).then(
  () => true,
  () => false,
)
if (!openssl) console.log('skipped: openssl is not on the PATH')

let sandbox: Sandbox
let trust: TrustSet
let evidence: Evidence

beforeAll(async () => {
  sandbox = await startTestSandbox()
  trust = await sandbox.trust()
  evidence = await fetchEvidence(sandbox)
})
afterAll(() => sandbox.close())

function genoa(): { ark: Uint8Array; ask: Uint8Array } {
  const roots = trust.amd.Genoa
  if (!roots) throw new Error('no Genoa roots')
  return roots
}

describe('the simulated chip', () => {
  test('has a chain from the root to the chip that Node verifies', () => {
    const [ark, ask] = [new X509Certificate(genoa().ark), new X509Certificate(genoa().ask)]
    expect(ark.verify(ark.publicKey)).toBe(true)
    expect(ask.verify(ark.publicKey)).toBe(true)
    expect(evidence.vcek.verify(ask.publicKey)).toBe(true)
    expect(evidence.vcek.verify(ark.publicKey)).toBe(false)
    expect([ark.ca, ask.ca, evidence.vcek.ca]).toEqual([true, true, false])
    expect(evidence.vcek.signatureAlgorithmOid).toBe('1.2.840.113549.1.1.10')
    expect(ask.publicKey.asymmetricKeyDetails?.modulusLength).toBe(4096)
    expect(evidence.vcek.publicKey.asymmetricKeyDetails?.namedCurve).toBe('secp384r1')
    expect(evidence.vcek.subject).toBe(
      'OU=Engineering\nC=US\nL=Santa Clara\nST=CA\nO=Advanced Micro Devices\nCN=SEV-VCEK',
    )
    expect(evidence.vcek.issuer).toContain('CN=SEV-Genoa')
    // No byte after the certificate: Node would not say.
    expect(Buffer.from(genoa().ask)).toEqual(Buffer.from(ask.raw))
  })

  test.skipIf(!openssl)('has a chain that openssl verifies, with AMD’s format', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sotto-openssl-'))
    const files = { ark: genoa().ark, ask: genoa().ask, vcek: evidence.vcek.raw }
    await Promise.all(
      Object.entries(files).map(([name, der]) =>
        writeFile(join(folder, `${name}.pem`), new X509Certificate(der).toString()),
      ),
    )
    const { stdout } = await run('openssl', [
      'verify',
      '-CAfile',
      join(folder, 'ark.pem'),
      '-untrusted',
      join(folder, 'ask.pem'),
      join(folder, 'vcek.pem'),
    ])
    expect(stdout).toMatch(/: OK$/m)
    const { stdout: text } = await run('openssl', [
      'x509',
      '-in',
      join(folder, 'vcek.pem'),
      '-noout',
      '-text',
    ])
    expect(text).toMatch(/Hash Algorithm: sha384\s+Mask Algorithm: mgf1 with sha384\s+Salt Length: 0x30/)
    for (const arc of ['1', '2', '3.1', '3.2', '3.3', '3.4', '3.5', '3.6', '3.7', '3.8', '4'])
      expect(text).toContain(`1.3.6.1.4.1.3704.1.${arc}: `)
    expect(text).not.toContain('1.3.6.1.4.1.3704.1.5')
  })

  test.skipIf(!openssl)('has a revocation list that openssl accepts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sotto-openssl-'))
    await writeFile(join(folder, 'ark.pem'), new X509Certificate(genoa().ark).toString())
    await writeFile(join(folder, 'list.der'), evidence.revocationList)
    const { stdout, stderr } = await run('openssl', [
      'crl',
      '-inform',
      'DER',
      '-in',
      join(folder, 'list.der'),
      '-CAfile',
      join(folder, 'ark.pem'),
      '-noout',
      '-text',
    ])
    expect(stderr).toMatch(/verify OK/)
    expect(stdout).toMatch(
      /Version 2[^]*Issuer: .*CN ?= ?ARK-Genoa[^]*X509v3 CRL Number[^]*X509v3 Authority Key Identifier[^]*Serial Number: 020001/,
    )
  })

  test('signs the report, and a changed byte invalidates it', () => {
    const { report, vcek } = evidence
    expect(report).toHaveLength(1184)
    expect(reportSignatureValid(report, vcek)).toBe(true)
    const changed = Buffer.from(report)
    changed[0x90] = (changed[0x90] ?? 0) ^ 1
    expect(reportSignatureValid(changed, vcek)).toBe(false)
  })

  test('reports what the policy requires', () => {
    const { report } = evidence
    expect(report.readUInt32LE(0)).toBe(3)
    expect(report.readBigUInt64LE(8)).toBe(0x30000n)
    expect(report.readUInt32LE(0x30)).toBe(0)
    expect(report.readUInt32LE(0x34)).toBe(1)
    expect(report.readBigUInt64LE(0x40)).toBe(0x27n)
    for (const tcb of [0x38, 0x180, 0x1e0, 0x1f0])
      expect(report.subarray(tcb, tcb + 8).toString('hex')).toBe('0a00000000001754')
    for (const version of [0x1e8, 0x1ec])
      expect([...report.subarray(version, version + 3)]).toEqual([40, 55, 1])
    expect([...report.subarray(0x188, 0x18b)]).toEqual([0x19, 0x11, 0x01])
    expect(evidence.vcek.raw.includes(report.subarray(0x1a0, 0x1e0))).toBe(true)
    expect(report.subarray(0x2a0 + 144).every((byte) => byte === 0)).toBe(true)
  })
})

describe('the simulated release', () => {
  test('has a bundle that @sigstore/verify accepts under the sandbox’s own roots', () => {
    const signer = verifySigstore(trust.sigstoreTrustedRoot, evidence.sigstoreBundle)
    expect(signer.identity?.subjectAlternativeName).toMatch(
      /^https:\/\/github\.com\/sotto-sandbox\/enclave\/\.github\/workflows\/build\.yml@refs\/tags\/v1\.\d+\.0$/,
    )
    expect(signer.identity?.extensions?.issuer).toBe('https://token.actions.githubusercontent.com')
  })

  test('is refused by @sigstore/verify with a changed statement', () => {
    const forged = structuredClone(evidence.sigstoreBundle)
    forged.dsseEnvelope.payload = Buffer.from(
      JSON.stringify({ ...evidence.statement, predicate: { snp_measurement: '00'.repeat(48) } }),
    ).toString('base64')
    expect(() => verifySigstore(trust.sigstoreTrustedRoot, forged)).toThrow()
  })

  test('has its log entry in a tree of many leaves', () => {
    const [entry] = evidence.sigstoreBundle.verificationMaterial.tlogEntries
    expect(Number(entry?.inclusionProof.treeSize)).toBeGreaterThan(30)
    expect(entry?.inclusionProof.hashes.length).toBeGreaterThan(3)
    const broken = structuredClone(evidence.sigstoreBundle)
    broken.verificationMaterial.tlogEntries[0]!.inclusionProof.hashes.reverse()
    expect(() => verifySigstore(trust.sigstoreTrustedRoot, broken)).toThrow(/inclusion|root hash/)
  })

  test('has a statement about the digest that contains the report’s measurement', () => {
    expect(evidence.statement.subject[0]?.digest.sha256).toBe(evidence.digest)
    expect(evidence.statement.predicateType).toBe('https://tinfoil.sh/predicate/snp-tdx-multiplatform/v1')
    expect(evidence.statement.predicate.snp_measurement).toBe(measurementOf(evidence.report))
  })

  test.skipIf(!openssl)('has an SCT and workflow identity that openssl reads', async () => {
    const leaf = new X509Certificate(
      Buffer.from(evidence.sigstoreBundle.verificationMaterial.certificate.rawBytes, 'base64'),
    )
    const path = join(await mkdtemp(join(tmpdir(), 'sotto-openssl-')), 'leaf.pem')
    await writeFile(path, leaf.toString())
    const { stdout } = await run('openssl', ['x509', '-in', path, '-noout', '-text'])
    expect(stdout).toMatch(/Signed Certificate Timestamp:\s+Version\s+: v1/)
    expect(stdout).toContain(
      'URI:https://github.com/sotto-sandbox/enclave/.github/workflows/build.yml@refs/tags/v1.',
    )
    expect(stdout).toContain('github-hosted')
    expect(leaf.validToDate.getTime() - leaf.validFromDate.getTime()).toBe(600_000)
  })
})

describe('the keys', () => {
  test('are bound by the report data, both TLS and HPKE, and repeated in the certificate', () => {
    const { report, tls } = evidence
    expect(report.subarray(0x50, 0x70).toString('hex')).toBe(tlsFingerprint(evidence))
    expect(labelled(evidence, 'hpke', 'sotto-sandbox.example')).toEqual(report.subarray(0x70, 0x90))
    expect(labelled(evidence, 'hatt', 'sotto-sandbox.example').toString()).toBe(evidence.documentHash)
    expect(tls.checkHost('enclave.sotto-sandbox.example')).toBe('enclave.sotto-sandbox.example')
    expect(evidence.domain).toBe('enclave.sotto-sandbox.example')
    expect(tls.validFromDate.getTime()).toBeLessThan(Date.now())
  })

  test('stay the same, like the evidence, until the key is rotated', async () => {
    const again = await fetchEvidence(sandbox)
    expect(again.documentHash).toBe(evidence.documentHash)
    sandbox.rotateKey()
    const rotated = await fetchEvidence(sandbox)
    expect(rotated.report.subarray(0x70, 0x90)).not.toEqual(evidence.report.subarray(0x70, 0x90))
    expect(reportSignatureValid(rotated.report, rotated.vcek)).toBe(true)
    expect(labelled(rotated, 'hpke', 'sotto-sandbox.example')).toEqual(rotated.report.subarray(0x70, 0x90))
  })
})

describe('the sandbox folder', () => {
  test('has a profile that matches the schema, with the served address', () => {
    expect(profileSchema.parse(sandbox.profile)).toEqual(sandbox.profile)
    expect(sandbox.profile).toMatchObject({
      kind: 'sandbox',
      revision: 'B',
      lightningNetwork: 'regtest',
      baseUrl: sandbox.baseUrl,
    })
  })

  test('preserves the roots over a restart, readable only by the owner', async () => {
    const folder = await sandboxFolder()
    const first = await startSandbox({ folder })
    const trusted = await first.trust()
    await first.close()
    const second = await startSandbox({ folder })
    expect(await second.trust()).toEqual(trusted)
    await second.close()
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect(publicKeyOf(trusted.amd.Genoa?.ark ?? new Uint8Array()).asymmetricKeyType).toBe('rsa')
  })

  test('replaces a damaged file with mode 0600, and evidence of old roots fails', async () => {
    const folder = await sandboxFolder()
    await writeFile(join(folder, 'roots.json'), '{"version":1}')
    const running = await startSandbox({ folder })
    const trusted = await running.trust()
    await running.close()
    expect(trusted.amd.Genoa?.ark).not.toEqual(genoa().ark)
    expect(evidence.vcek.verify(publicKeyOf(trusted.amd.Genoa?.ask ?? new Uint8Array()))).toBe(false)
    expect(() => verifySigstore(trusted.sigstoreTrustedRoot, evidence.sigstoreBundle)).toThrow()
    expect((await stat(join(folder, 'roots.json'))).mode & 0o777).toBe(0o600)
    expect(await readFile(join(folder, 'roots.json'), 'utf8')).toContain('BEGIN PRIVATE KEY')
  })

  test('creates new evidence when certificates expire, with increasing log times', async () => {
    let now = Date.UTC(2026, 5, 1)
    const running = await startTestSandbox({ now: () => now })
    try {
      const before = await fetchEvidence(running)
      now += 100 * 24 * 3600_000
      const after = await fetchEvidence(running)
      const times = [before, after].map(
        ({ sigstoreBundle }) =>
          Number(sigstoreBundle.verificationMaterial.tlogEntries[0]?.integratedTime) * 1000,
      )
      expect(after.tls.validToDate.getTime()).toBeGreaterThan(now)
      expect(before.tls.validToDate.getTime()).toBeLessThan(now)
      expect(times[0]).toBeLessThan(times[1] ?? 0)
      expect(times[1]).toBeLessThanOrEqual(now)
      verifySigstore((await running.trust()).sigstoreTrustedRoot, after.sigstoreBundle)
    } finally {
      await running.close()
    }
  })
})

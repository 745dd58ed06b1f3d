import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Sandbox } from '../../src/sandbox/index.ts'
import { sandboxFaults, type SandboxFault } from '../../src/shared/sandbox-faults.ts'
import type { TrustSet } from '../../src/shared/trust.ts'
import {
  fetchEvidence,
  labelled,
  measurementOf,
  publicKeyOf,
  readRevocationList,
  reportSignatureValid,
  tlsFingerprint,
  verifySigstore,
  type Evidence,
} from './evidence.ts'
import { startTestSandbox } from './cached-roots.ts'

let sandbox: Sandbox
let trust: TrustSet
beforeAll(async () => {
  sandbox = await startTestSandbox()
  trust = await sandbox.trust()
})
afterEach(() => {
  for (const fault of sandbox.faults()) sandbox.setFault(fault, false)
})
afterAll(() => sandbox.close())

/** Every way in which evidence can be wrong, judged without our verifier. */
function wrongIn(evidence: Evidence): string[] {
  const ask = publicKeyOf(trust.amd.Genoa?.ask ?? new Uint8Array())
  const { report, vcek, tls } = evidence
  const now = Date.now()
  const list = readRevocationList(
    evidence.revocationList,
    publicKeyOf(trust.amd.Genoa?.ark ?? new Uint8Array()),
  )
  const identity = verifySigstore(trust.sigstoreTrustedRoot, evidence.sigstoreBundle).identity
  const checks: Record<string, boolean> = {
    'chip chain': vcek.verify(ask),
    'chip dates': vcek.validFromDate.getTime() <= now && now <= vcek.validToDate.getTime(),
    'list signature': list.signed,
    'list dates': list.thisUpdate <= now && now <= list.nextUpdate,
    // The serial number of the intermediate, 0x20002, as an INTEGER.
    'not revoked': !evidence.revocationList.includes(Buffer.from('0203020002', 'hex')),
    'report signature': reportSignatureValid(report, vcek),
    'report length': report.length === 1184,
    'debug bit': (report.readBigUInt64LE(8) & (1n << 19n)) === 0n,
    'firmware floor': [0x38, 0x180, 0x1e0, 0x1f0].every(
      (at) => report.readUInt8(at) >= 7 && report.readUInt8(at + 6) >= 14 && report.readUInt8(at + 7) >= 72,
    ),
    'firmware of the certificate':
      chipLevel(vcek.raw, 1) === report.readUInt8(0x180) &&
      chipLevel(vcek.raw, 3) === report.readUInt8(0x186) &&
      chipLevel(vcek.raw, 8) === report.readUInt8(0x187),
    repository:
      identity?.subjectAlternativeName?.startsWith(
        'https://github.com/sotto-sandbox/enclave/.github/workflows/',
      ) ?? false,
    measurement: evidence.statement.predicate.snp_measurement === measurementOf(report),
    digest: evidence.statement.subject[0]?.digest.sha256 === evidence.digest,
    domain: evidence.domain === 'enclave.sotto-sandbox.example',
    'certificate host': tls.checkHost('enclave.sotto-sandbox.example') !== undefined,
    'TLS key': report.subarray(0x50, 0x70).toString('hex') === tlsFingerprint(evidence),
    'HPKE label': labelled(evidence, 'hpke', 'sotto-sandbox.example').equals(report.subarray(0x70, 0x90)),
    'document label':
      labelled(evidence, 'hatt', 'sotto-sandbox.example').toString() === evidence.documentHash,
  }
  return Object.entries(checks).flatMap(([name, right]) => (right ? [] : [name]))
}

/** INTEGER of one byte behind the extension 1.3.6.1.4.1.3704.1.3.`arc`. */
function chipLevel(der: Buffer, arc: number): number {
  const oid = Buffer.from([0x06, 0x0a, 0x2b, 6, 1, 4, 1, 0x9c, 0x78, 1, 3, arc, 0x04, 0x03, 0x02, 0x01])
  return der.readUInt8(der.indexOf(oid) + oid.length)
}

test('without a fault all evidence is valid', async () => {
  expect(wrongIn(await fetchEvidence(sandbox))).toEqual([])
})

test.each<[SandboxFault, string[]]>([
  ['other-measurement', ['measurement']],
  ['swapped-key', ['HPKE label']],
  ['debug-guest', ['debug bit']],
  ['old-tcb', ['firmware floor']],
  ['expired-certificate', ['chip dates']],
  ['revoked-certificate', ['not revoked']],
  ['expired-collateral', ['list dates']],
  ['wrong-repository', ['repository']],
  ['other-host', ['domain', 'certificate host']],
  ['older-release', []],
])('%s invalidates %j and nothing else', async (fault, wrong) => {
  sandbox.setFault(fault, true)
  expect(sandbox.faults()).toEqual([fault])
  expect(wrongIn(await fetchEvidence(sandbox))).toEqual(wrong)
  sandbox.setFault(fault, false)
  expect(wrongIn(await fetchEvidence(sandbox))).toEqual([])
})

test('the debug guest differs in only one bit', async () => {
  sandbox.setFault('debug-guest', true)
  expect((await fetchEvidence(sandbox)).report.readBigUInt64LE(8)).toBe(0xb0000n)
})

test('an older release is genuine: logged earlier, another tag and measurement', async () => {
  const current = await fetchEvidence(sandbox)
  sandbox.setFault('older-release', true)
  const older = await fetchEvidence(sandbox)
  const loggedAt = (evidence: Evidence) =>
    Number(evidence.sigstoreBundle.verificationMaterial.tlogEntries[0]?.integratedTime)
  expect(loggedAt(older)).toBeLessThan(loggedAt(current))
  expect(measurementOf(older.report)).not.toBe(measurementOf(current.report))
  const tag = (evidence: Evidence) =>
    verifySigstore(trust.sigstoreTrustedRoot, evidence.sigstoreBundle)
      .identity?.subjectAlternativeName?.split('@')
      .at(-1)
  expect(tag(older)).not.toBe(tag(current))
})

test('faults can be combined', async () => {
  sandbox.setFault('debug-guest', true)
  sandbox.setFault('wrong-repository', true)
  expect(wrongIn(await fetchEvidence(sandbox))).toEqual(['debug bit', 'repository'])
})

test('the gzip bomb is small when it is compressed, and huge when it is decompressed', async () => {
  sandbox.setFault('gzip-bomb', true)
  const wire = await (await fetch(`${sandbox.baseUrl}/private/attestation`)).text()
  expect(wire.length).toBeLessThan(200_000)
  await expect(fetchEvidence(sandbox, 1024 * 1024)).rejects.toThrow(/larger than/)
  const evidence = await fetchEvidence(sandbox)
  expect(evidence.report).toHaveLength(64 * 1024 * 1024)
})

test('oversized evidence has tens of megabytes, and stops if the reader stops', async () => {
  sandbox.setFault('oversized-evidence', true)
  const response = await fetch(`${sandbox.baseUrl}/private/attestation`)
  let length = 0
  for await (const chunk of response.body ?? []) length += (chunk as Uint8Array).length
  expect(length).toBeGreaterThan(40 * 1024 * 1024)

  sandbox.clearReceived()
  const abandoned = await fetch(`${sandbox.baseUrl}/private/attestation`)
  const reader = abandoned.body?.getReader()
  await reader?.read()
  await reader?.cancel()
  await expect.poll(() => sandbox.received()[0]?.aborted).toBe(true)
})

test('every listed fault can be turned on', () => {
  for (const fault of Object.keys(sandboxFaults) as SandboxFault[]) sandbox.setFault(fault, true)
  expect(sandbox.faults()).toEqual(Object.keys(sandboxFaults))
})

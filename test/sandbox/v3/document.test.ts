import { createPublicKey, X509Certificate } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { mintDocument, type DocumentRequest } from '../../../src/sandbox/world/v3/document.ts'
import type { DocumentPlatform, MintingWorld } from '../../../src/sandbox/world/v3/document-desk.ts'
import { readRevocationList, reportSignatureValid } from '../evidence.ts'
import {
  amdEndorsementSchema,
  amdListSchema,
  cryptoMaterialSchema,
  deviceEvidenceSchema,
  entryOf,
  expectedReportData,
  intelSchema,
  readDocument,
  readSignedEntry,
  sha256,
  type ReadDocument,
} from './read-document.ts'
import { createTestWorld } from './test-world.ts'

const nonce = Buffer.from('7f31a89205a4636f21bebbd1622163c4ce66ee4ba9d83aba6a6f8ab3d9b69c63', 'hex')
const day = 24 * 3600_000
const platforms = ['sev-snp', 'tdx'] as const

const worlds = new Map<DocumentPlatform, MintingWorld>()
beforeAll(async () => {
  for (const platform of platforms) worlds.set(platform, await createTestWorld({ platform }))
})

function worldOf(platform: DocumentPlatform): MintingWorld {
  const world = worlds.get(platform)
  if (!world) throw new Error('no world')
  return world
}

function mint(platform: DocumentPlatform, changes: Omit<DocumentRequest, 'nonce'> = {}): ReadDocument {
  return readDocument(JSON.stringify(mintDocument(worldOf(platform), { nonce, ...changes })))
}

function trustedRoot(): string {
  return worldOf('sev-snp').roots.trust.sigstoreTrustedRoot
}

describe.each(platforms)('on %s', (platform) => {
  const reportDataAt = platform === 'tdx' ? 48 + 520 : 0x50

  test('the hardware binds the nonce and both sections', () => {
    const document = mint(platform)
    const { endorsed, report_base64: report } = document.cpu_evidence
    expect(endorsed).toEqual({
      crypto_material_hash: sha256(document.crypto_material).toString('hex'),
      device_evidence_hash: sha256(document.device_evidence).toString('hex'),
    })
    const bound = expectedReportData(nonce, document)
    expect(document.challenge.nonce).toBe(nonce.toString('hex'))
    expect(document.challenge.report_data).toBe(bound.toString('hex'))
    expect(report.subarray(reportDataAt, reportDataAt + 64)).toEqual(bound)
    expect(expectedReportData(Buffer.alloc(32), document)).not.toEqual(bound)
  })

  test('the sections contain the enclave’s two keys and no devices', () => {
    const document = mint(platform)
    const { keys } = worldOf(platform)
    const {
      items: [tls, hpke],
    } = cryptoMaterialSchema.parse(JSON.parse(document.crypto_material.toString('utf8')))
    expect(tls.data).toBe(sha256(keys.tls.publicKey.export({ type: 'spki', format: 'der' })).toString('hex'))
    expect(hpke.data).toBe(
      keys.hpke.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex'),
    )
    expect(document.device_evidence.toString('utf8')).toBe(
      '{"format":"https://tinfoil.sh/device-evidence/v1","items":[]}',
    )
    deviceEvidenceSchema.parse(JSON.parse(document.device_evidence.toString('utf8')))
  })

  test('the release has the measurements of the hardware, and the shape of its machine', () => {
    const document = mint(platform)
    const code = readSignedEntry(document, 'code', trustedRoot())
    const {
      release: { tag, commit },
    } = worldOf(platform)
    expect(code.release).toMatchObject({
      repo: 'sotto-sandbox/enclave',
      tag,
      digest: code.statement.subject[0].digest.sha256,
    })
    expect(code.signer.identity?.subjectAlternativeName).toBe(
      `https://github.com/sotto-sandbox/enclave/.github/workflows/build.yml@refs/tags/${tag}`,
    )
    expect(code.statement.predicateType).toBe('https://tinfoil.sh/predicate/snp-tdx-multiplatform/v1')
    const report = document.cpu_evidence.report_base64
    const register = (index: number) =>
      report.subarray(48 + 328 + 48 * index, 48 + 376 + 48 * index).toString('hex')
    expect(code.statement.predicate).toMatchObject({
      vm_shape: { cpus: 8, memory_mb: 16384, gpus: 0, disks: 3 },
      ...(platform === 'tdx'
        ? { tdx_measurement: { rtmr1: register(1), rtmr2: register(2) } }
        : { snp_measurement: report.subarray(0x90, 0xc0).toString('hex') }),
    })
    const witness = readSignedEntry(document, 'code-freshness', trustedRoot())
    expect(witness.statement.predicate).toEqual({
      format: 'https://tinfoil.sh/predicate/freshness-witness/v1',
      endorses: {
        repo: 'sotto-sandbox/enclave',
        tag,
        commit,
        subject: { name: 'sotto-sandbox-deployment.json', digest: `sha256:${String(code.release?.digest)}` },
      },
    })
  })

  test('each witness names its artifact and was logged now', () => {
    const document = mint(platform)
    for (const [id, artifact] of [
      ['code-freshness', 'code'],
      ['platform-freshness', 'platform-endorsements'],
    ] as const) {
      const { statement, signer, loggedAt, release } = readSignedEntry(document, id, trustedRoot())
      expect(release).toBeNull()
      expect(statement.predicateType).toBe('https://tinfoil.sh/predicate/freshness-witness/v1')
      expect(statement.subject).toEqual(readSignedEntry(document, artifact, trustedRoot()).statement.subject)
      expect(signer.identity?.subjectAlternativeName).toBe(
        'https://github.com/sotto-sandbox/freshness-witness/.github/workflows/freshness.yml@refs/heads/main',
      )
      expect(loggedAt).toBe(Math.floor(worldOf(platform).now / 1000) * 1000)
    }
  })

  test('a changed nonce, time or signer is signed too', () => {
    const other = mint(platform, { reportNonce: Buffer.alloc(32, 1) })
    expect(other.challenge.report_data).toBe(expectedReportData(nonce, other).toString('hex'))
    expect(other.cpu_evidence.report_base64.subarray(reportDataAt, reportDataAt + 64)).toEqual(
      expectedReportData(Buffer.alloc(32, 1), other),
    )
    const loggedAt = Date.UTC(2026, 0, 2, 3, 4, 5)
    const witnessed = mint(platform, {
      codeWitness: { loggedAt, run: { workflow: 'other.yml' }, artifact: { tag: 'v0.0.1' } },
    })
    const witness = readSignedEntry(witnessed, 'code-freshness', trustedRoot())
    expect(witness.loggedAt).toBe(loggedAt)
    expect(witness.signer.identity?.subjectAlternativeName).toMatch(/\/other\.yml@refs\/heads\/main$/)
    expect(witness.statement.predicate).toMatchObject({ endorses: { tag: 'v0.0.1' } })
    const endorsed = mint(platform, {
      platform: {
        predicate: (predicate) => ({ ...predicate, machines: {} }),
        payload: (text) => text.replace('"machines":{}', '"machines":{},"machines":{}'),
      },
    })
    const signed = readSignedEntry(endorsed, 'platform-endorsements', trustedRoot())
    expect(signed.statement.predicate).toMatchObject({ machines: {} })
  })
})

test('the report is of an unmasked Genoa, and signed by its chip', () => {
  const document = mint('sev-snp')
  const report = document.cpu_evidence.report_base64
  const { vcek_der_base64: der, cert_chain_pem: chain } = amdEndorsementSchema.parse(
    entryOf(document, 'cpu-endorsement').data,
  )
  const [askPem, arkPem, ...rest] =
    chain.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  expect(rest).toEqual([])
  const [vcek, ask, ark] = [
    new X509Certificate(der),
    new X509Certificate(askPem ?? ''),
    new X509Certificate(arkPem ?? ''),
  ]
  const { roots } = worldOf('sev-snp')
  expect(ask.raw).toEqual(roots.ask)
  expect(ark.raw).toEqual(roots.ark)
  expect(vcek.verify(ask.publicKey)).toBe(true)
  expect(reportSignatureValid(report, vcek)).toBe(true)
  expect(report).toHaveLength(1184)
  expect(report.readUInt32LE(0)).toBeGreaterThanOrEqual(3)
  expect([...report.subarray(0x188, 0x18a)]).toEqual([0x19, 0x11])
  expect(report.readUInt32LE(0x48)).toBe(0)
  expect(report.subarray(0x1a0, 0x1e0)).toEqual(roots.chipId)
  const list = readRevocationList(
    amdListSchema.parse(entryOf(document, 'cpu-crl').data).crl_der_base64,
    createPublicKey(roots.arkKey),
  )
  const { now } = worldOf('sev-snp')
  expect([list.signed, list.thisUpdate < now, now < list.nextUpdate]).toEqual([true, true, true])
  for (const id of ['cpu-endorsement', 'cpu-crl'])
    expect(entryOf(document, id)).toMatchObject({ role: 'endorsement', subjects: ['cpu'] })
  expect(document.collateral.map(({ id }) => id)).toEqual([
    'cpu-endorsement',
    'cpu-crl',
    'code',
    'platform-endorsements',
    'code-freshness',
    'platform-freshness',
  ])
})

interface GenoaPolicy {
  readonly minimum_build: number
  readonly minimum_tcb: Readonly<Record<string, number>>
  readonly guest_policy: Readonly<Record<string, boolean>>
  readonly platform_info: Readonly<Record<string, boolean>>
}

test('the endorsed policy of the machine matches its report', () => {
  const document = mint('sev-snp')
  const report = document.cpu_evidence.report_base64
  const { predicate } = readSignedEntry(document, 'platform-endorsements', trustedRoot()).statement
  const { machines, policies } = predicate as {
    machines: Record<string, string>
    policies: Record<string, { platform: string; sev_snp: GenoaPolicy }>
  }
  const policy = policies[machines[report.subarray(0x1a0, 0x1e0).toString('hex')] ?? '']
  expect(policy?.platform).toBe('sev-snp')
  const rules = policy?.sev_snp
  const guest = report.readBigUInt64LE(8)
  const bit = (value: bigint, index: number) => ((value >> BigInt(index)) & 1n) === 1n
  expect(rules?.guest_policy).toEqual({
    smt: bit(guest, 16),
    migrate_ma: bit(guest, 18),
    debug: bit(guest, 19),
    single_socket: bit(guest, 20),
  })
  const info = report.readBigUInt64LE(0x40)
  expect(rules?.platform_info).toEqual({
    smt_enabled: bit(info, 0),
    tsme_enabled: bit(info, 1),
    ecc_enabled: bit(info, 2),
    rapl_disabled: bit(info, 3),
    ciphertext_hiding_dram: bit(info, 4),
    alias_check_complete: bit(info, 5),
  })
  for (const at of [0x38, 0x180, 0x1e0, 0x1f0]) {
    expect(rules?.minimum_tcb).toEqual({
      bl_spl: report[at],
      tee_spl: report[at + 1],
      snp_spl: report[at + 6],
      ucode_spl: report[at + 7],
    })
  }
  expect(rules?.minimum_build).toBe(report[0x1e8])
})

interface TdxPolicy {
  readonly mr_seam: string
  readonly td_attributes: string
  readonly xfam: string
  readonly qe_vendor_id: string
  readonly platform_measurements: readonly string[]
}

test('the quote is of an endorsed machine, on listed hardware of the release’s shape', () => {
  const document = mint('tdx')
  const quote = document.cpu_evidence.report_base64
  expect(quote.readUInt16LE(0)).toBe(4)
  expect(quote.readUInt32LE(8)).toBe(0)
  const leaf =
    /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.exec(quote.toString('latin1'))?.[0] ?? ''
  // The extension 1.2.840.113741.1.13.1.1, then an OCTET STRING of 16 bytes.
  const raw = new X509Certificate(leaf).raw
  const ppidOid = Buffer.from('060a2a864886f84d010d01010410', 'hex')
  const at = raw.indexOf(ppidOid) + ppidOid.length
  const ppid = raw.subarray(at, at + 16).toString('hex')
  const { predicate } = readSignedEntry(document, 'platform-endorsements', trustedRoot()).statement
  const { machines, policies, measurements } = predicate as {
    machines: Record<string, string>
    policies: Record<string, { platform: string; tdx: TdxPolicy }>
    measurements: Record<string, { mrtd: string; rtmr0: string; shape: object }>
  }
  const policy = policies[machines[ppid] ?? '']
  expect(policy?.platform).toBe('tdx')
  const body = (from: number, length: number) => quote.subarray(48 + from, 48 + from + length).toString('hex')
  expect(policy?.tdx).toMatchObject({
    mr_seam: body(16, 48),
    td_attributes: body(120, 8),
    xfam: body(128, 8),
    qe_vendor_id: quote.subarray(12, 28).toString('hex'),
  })
  const listed = policy?.tdx.platform_measurements.map((name) => measurements[name])
  expect(listed).toContainEqual(
    expect.objectContaining({
      mrtd: body(136, 48),
      rtmr0: body(328, 48),
      shape: { cpus: 8, memory_mb: 16384, disks: 3 },
    }),
  )
  expect(quote.subarray(48 + 472, 48 + 520).every((byte) => byte === 0)).toBe(true)
  const { responses } = intelSchema.parse(entryOf(document, 'cpu-endorsement').data)
  expect(responses).toHaveLength(4)
  for (const { url, body_base64: answer } of responses.slice(0, 2))
    expect([url, answer.toString('utf8')]).toEqual([
      url,
      expect.stringContaining('"tcbEvaluationDataNumber":19'),
    ])
  expect(document.collateral.map(({ id }) => id)).toEqual([
    'cpu-endorsement',
    'code',
    'platform-endorsements',
    'code-freshness',
    'platform-freshness',
  ])
})

test('a changed machine is signed by the machine', () => {
  const masked = mint('sev-snp', {
    sev: {
      patches: { 0x48: Buffer.of(2), 0x1a0: Buffer.alloc(64) },
      revocations: { revoked: [Buffer.of(0)], nextUpdate: Date.now() - day },
    },
  })
  const { vcek_der_base64: der } = amdEndorsementSchema.parse(entryOf(masked, 'cpu-endorsement').data)
  expect(reportSignatureValid(masked.cpu_evidence.report_base64, new X509Certificate(der))).toBe(true)
  expect(masked.cpu_evidence.report_base64[0x48]).toBe(2)
  const list = amdListSchema.parse(entryOf(masked, 'cpu-crl').data).crl_der_base64
  expect(readRevocationList(list, createPublicKey(worldOf('sev-snp').roots.arkKey))).toMatchObject({
    signed: true,
  })
  expect(list.includes(Buffer.from('020100', 'hex'))).toBe(true)
  const old = mint('tdx', {
    tdx: { patches: { 8: Buffer.of(1) }, collateral: { evaluations: { qeIdentity: 18 } } },
  })
  expect(old.cpu_evidence.report_base64[8]).toBe(1)
  const numbers = intelSchema
    .parse(entryOf(old, 'cpu-endorsement').data)
    .responses.slice(0, 2)
    .map(({ body_base64: body }) => /"tcbEvaluationDataNumber":(\d+)/.exec(body.toString('utf8'))?.[1])
  expect(numbers).toEqual(['19', '18'])
})

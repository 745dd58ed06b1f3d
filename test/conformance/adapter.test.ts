import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { capabilities } from './capabilities.ts'
import { exitCodes, toOutput } from './contract.ts'
import { whyFailed, whySkipped } from './compare-answer.ts'
import { runStage } from './stages.ts'
import { readVectors } from './vectors.ts'

const folder = join(import.meta.dirname, '../../../shared/conformance/vectors')
const present = existsSync(folder)
if (!present)
  console.log('Skipped: the conformance vectors are not beside this repository (../shared/conformance).')
const vectors = (present ? readVectors(folder) : []).filter((vector) => 'manifest' in vector)
const json = z.record(z.string(), z.json())

const text = z.string()
const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64')

async function answer(stage: string, input: string) {
  const outcome = await runStage(stage, input)
  return { exitCode: exitCodes[outcome.kind], output: toOutput(stage, outcome) }
}

/** The end of a run: the rejection's code if it was rejected, else its kind. */
async function endOf(stage: string, input: object | string): Promise<string> {
  const outcome = await runStage(stage, typeof input === 'string' ? input : JSON.stringify(input))
  return outcome.kind === 'rejected' ? outcome.code : outcome.kind
}

describe.skipIf(!present)('the vectors of the implemented stages', () => {
  const due = vectors.filter(({ manifest }) => whySkipped(manifest, capabilities) === undefined)

  test('include every vector of an implemented stage: none is skipped for a missing capability', () => {
    const built = vectors.filter(({ manifest }) => capabilities.stages_supported.includes(manifest.stage))
    expect(due).toEqual(built)
    expect(due.length).toBeGreaterThanOrEqual(89)
  })

  test.each(due.map((vector) => [vector.name, vector] as const))('%s', async (_name, vector) => {
    expect(whyFailed(vector, await answer(vector.manifest.stage, vector.input.toString()))).toBeUndefined()
  })
})

test.each(['verify-tls-pinning', '', 'toString', '__proto__'])(
  'a stage that is not implemented is unsupported: %j',
  async (stage) => {
    expect(await endOf(stage, {})).toBe('unsupported')
  },
)

test.each(capabilities.stages_supported)('%s refuses malformed input', async (stage) => {
  for (const input of [
    '',
    'null',
    '[]',
    '{}',
    '{"schema_version":"2"}',
    '{"schema_version":"1","schema_version":"1"}',
  ]) {
    expect(await endOf(stage, input)).toBe('malformed')
  }
})

test('hostile evidence never makes the adapter fail', async () => {
  const policy = {
    oidc_issuer: 'https://issuer.test',
    workflow_ref_prefix: 'refs/tags/',
    payload_type: 'application/json',
  }
  const common = {
    schema_version: '1',
    expected_digest_sha256_hex: 'ab'.repeat(32),
    repo: 'a/b',
    policy,
    trust_root_b64: encode({}),
    verification_time_unix: 0,
  }
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.uint8Array(), async (value, bytes) => {
      const base64 = Buffer.from(bytes).toString('base64')
      expect(await endOf('verify-sigstore', { ...common, bundle_b64: encode(value) })).toMatch(/^[A-Z_]+$/)
      expect(
        await endOf('verify-sigstore', { ...common, bundle_b64: base64, trust_root_b64: encode(value) }),
      ).toMatch(/^[A-Z_]+$/)
      expect(
        await endOf('verify-attestation-sev', {
          schema_version: '1',
          attestation_doc_b64: base64,
          vcek_der_b64: base64,
        }),
      ).toBe('REPORT_FORMAT_UNSUPPORTED')
      const report = gzipSync(
        Buffer.concat([Buffer.from([3, 0, 0, 0]), bytes, Buffer.alloc(1184)]).subarray(0, 1184),
      ).toString('base64')
      expect(
        await endOf('verify-attestation-sev', {
          schema_version: '1',
          attestation_doc_b64: report,
          vcek_der_b64: base64,
        }),
      ).toMatch(/^[A-Z_]+$/)
    }),
    { numRuns: 100 },
  )
})

/** Inputs that the available vectors don't contain, but their schemas allow. */
const inputOf = (name: string) =>
  json.parse(JSON.parse(vectors.find((vector) => vector.name.includes(name))!.input.toString()))

describe.skipIf(!present)('verify-sigstore, beyond the vectors', () => {
  const stage = 'verify-sigstore'
  const genuine = () => inputOf('001-happy')
  const decoded = (member: string) =>
    JSON.parse(Buffer.from(text.parse(genuine()[member]), 'base64').toString()) as Record<string, never>
  const withPolicy = (more: object) => ({
    ...genuine(),
    policy: { ...json.parse(genuine()['policy']), ...more },
  })
  const withRoot = (more: object) => ({
    ...genuine(),
    trust_root_b64: encode({ ...decoded('trust_root_b64'), ...more }),
  })
  const withEntry = (
    change: (entry: {
      inclusionProof: { rootHash: string; hashes: string[]; treeSize: unknown }
      logId: { keyId: string }
      integratedTime: unknown
      inclusionPromise?: unknown
    }) => void,
  ) => {
    const bundle = decoded('bundle_b64') as unknown as {
      verificationMaterial: { tlogEntries: Parameters<typeof change>[0][] }
    }
    change(bundle.verificationMaterial.tlogEntries[0]!)
    return { ...genuine(), bundle_b64: encode(bundle) }
  }
  const zeros = Buffer.alloc(32).toString('base64')

  test.each<[string, string, () => object]>([
    [
      'a capital digest',
      'accepted',
      () => ({
        ...genuine(),
        expected_digest_sha256_hex: text.parse(genuine()['expected_digest_sha256_hex']).toUpperCase(),
      }),
    ],
    ['a year later', 'accepted', () => ({ ...genuine(), verification_time_unix: 1769121752 + 31_536_000 })],
    [
      'an hour too early',
      'OBSERVER_TIMESTAMP_INSUFFICIENT',
      () => ({ ...genuine(), verification_time_unix: 1769121752 - 3600 }),
    ],
    [
      'another digest',
      'SUBJECT_DIGEST_MISMATCH',
      () => ({ ...genuine(), expected_digest_sha256_hex: 'ab'.repeat(32) }),
    ],
    [
      'another repository',
      'WORKFLOW_REPOSITORY_MISMATCH',
      () => ({ ...genuine(), repo: 'tinfoilsh/confidential-model-route' }),
    ],
    ['another payload type', 'PAYLOAD_TYPE_MISMATCH', () => withPolicy({ payload_type: 'application/json' })],
    [
      'another predicate type',
      'PREDICATE_TYPE_NOT_ALLOWED',
      () => withPolicy({ predicate_types_allowed: ['https://slsa.dev/provenance/v1'] }),
    ],
    [
      'another statement type',
      'IN_TOTO_STATEMENT_TYPE_NOT_ALLOWED',
      () => withPolicy({ in_toto_statement_types_allowed: ['https://in-toto.io/Statement/v0.1'] }),
    ],
    [
      'the statement type allowed',
      'accepted',
      () => withPolicy({ in_toto_statement_types_allowed: ['https://in-toto.io/Statement/v1'] }),
    ],
    [
      'the whole ref as its prefix',
      'accepted',
      () => withPolicy({ workflow_ref_prefix: 'refs/tags/v0.0.38' }),
    ],
    ['two log entries asked for', 'TLOG_COUNT_OUT_OF_RANGE', () => withPolicy({ tlog_entries_min: 2 })],
    ['one log entry at most', 'accepted', () => withPolicy({ tlog_entries_max: 1 })],
    [
      'no log entry allowed',
      'TLOG_COUNT_OUT_OF_RANGE',
      () => withPolicy({ tlog_entries_min: 0, tlog_entries_max: 0 }),
    ],
    ['two SCTs asked for', 'SCT_INSUFFICIENT', () => withPolicy({ sct_min: 2 })],
    [
      'two times asked for',
      'OBSERVER_TIMESTAMP_INSUFFICIENT',
      () => withPolicy({ observer_timestamps_min: 2 }),
    ],
    ['roots that are no JSON', 'TRUST_ROOT_INVALID', () => ({ ...genuine(), trust_root_b64: encode('{') })],
    ['roots of nothing', 'TRUST_ROOT_INVALID', () => ({ ...genuine(), trust_root_b64: encode({}) })],
    ['roots without a log', 'REKOR_KEY_NOT_TRUSTED', () => withRoot({ tlogs: [] })],
    ['roots without a certificate log', 'SCT_INSUFFICIENT', () => withRoot({ ctlogs: [] })],
    [
      'a proof to another root',
      'CHECKPOINT_ROOT_MISMATCH',
      () =>
        withEntry((entry) => {
          entry.inclusionProof.rootHash = zeros
        }),
    ],
    [
      'a proof by other hashes',
      'REKOR_INCLUSION_INVALID',
      () =>
        withEntry((entry) => {
          entry.inclusionProof.hashes[0] = zeros
        }),
    ],
    [
      'an entry of another log',
      'REKOR_KEY_NOT_TRUSTED',
      () =>
        withEntry((entry) => {
          entry.logId.keyId = zeros
        }),
    ],
    [
      'numbers as proto3 may also write them',
      'accepted',
      () =>
        withEntry((entry) => {
          entry.integratedTime = Number(entry.integratedTime)
          entry.inclusionProof.treeSize = Number(entry.inclusionProof.treeSize)
        }),
    ],
    [
      'a number that is no count',
      'BUNDLE_MALFORMED',
      () =>
        withEntry((entry) => {
          entry.integratedTime = 1.5
        }),
    ],
    [
      'null where the promise may be absent',
      'OBSERVER_TIMESTAMP_INSUFFICIENT',
      () =>
        withEntry((entry) => {
          entry.inclusionPromise = null
        }),
    ],
    ['a bundle that is no JSON', 'BUNDLE_MALFORMED', () => ({ ...genuine(), bundle_b64: encode('{') })],
    ['a bundle of nothing', 'BUNDLE_MALFORMED', () => ({ ...genuine(), bundle_b64: encode({}) })],
    ['a bundle that is no base64', 'malformed', () => ({ ...genuine(), bundle_b64: '{}' })],
    ['an unknown member', 'malformed', () => ({ ...genuine(), more: 1 })],
    ['an unknown rule', 'malformed', () => withPolicy({ more: 1 })],
    [
      'no SCT, and none asked for',
      'accepted',
      () => ({
        ...inputOf('065-cert-no-scts'),
        policy: { ...json.parse(inputOf('065-cert-no-scts')['policy']), sct_min: 0 },
      }),
    ],
    [
      'no log, and neither log nor time asked for',
      'accepted',
      () => {
        const input = inputOf('031-bundle-empty')
        return {
          ...input,
          policy: { ...json.parse(input['policy']), tlog_entries_min: 0, observer_timestamps_min: 0 },
        }
      },
    ],
    [
      'no log, none asked for, and the certificate over',
      'CERT_EXPIRED',
      () => {
        const input = inputOf('031-bundle-empty')
        return {
          ...input,
          verification_time_unix: 1769121752 + 3600,
          policy: { ...json.parse(input['policy']), tlog_entries_min: 0, observer_timestamps_min: 0 },
        }
      },
    ],
  ])('%s: %s', async (_what, end, input) => {
    expect(await endOf(stage, input())).toBe(end)
  })
})

describe.skipIf(!present)('verify-attestation-sev, beyond the vectors', () => {
  const stage = 'verify-attestation-sev'
  const genuine = () => inputOf('200-real-sev')
  const minted = () => inputOf('600-synth-debug')
  const withPolicy = (policy: object) => ({ ...genuine(), policy })
  const withReport = (change: (report: Buffer) => Buffer, input = genuine()) => ({
    ...input,
    attestation_doc_b64: gzipSync(
      change(gunzipSync(Buffer.from(text.parse(input['attestation_doc_b64']), 'base64'))),
    ).toString('base64'),
  })
  const withByte = (at: number, value: number) =>
    withReport((report) => {
      report[at] = value
      return report
    })

  test.each<[string, string, () => object]>([
    ['all defaults enforced', 'accepted', () => withPolicy({ enforce_spec_defaults: true })],
    [
      'another measurement',
      'MEASUREMENT_MISMATCH',
      () => withPolicy({ expected_measurement_hex: '00'.repeat(48) }),
    ],
    [
      'a measurement in capitals',
      'accepted',
      () =>
        withPolicy({
          expected_measurement_hex:
            '09EF32ACF90FCFEB6206D1A46C13145CEF736EBBB83F18EAFF680B686232031546FF5FD39C44599699EE8734CBBEB519',
        }),
    ],
    ['other host data', 'HOST_DATA_MISMATCH', () => withPolicy({ expected_host_data_hex: 'ff'.repeat(32) })],
    [
      'another author key',
      'AUTHOR_KEY_DIGEST_MISMATCH',
      () => withPolicy({ expected_author_key_digest_hex: 'ff'.repeat(48) }),
    ],
    ['a pin of another length', 'HOST_DATA_MISMATCH', () => withPolicy({ expected_host_data_hex: '00' })],
    ['an older bootloader', 'TCB_OUT_OF_DATE', () => withPolicy({ min_tcb_bl_spl: 11 })],
    ['an older TEE', 'TCB_OUT_OF_DATE', () => withPolicy({ min_tcb_tee_spl: 1 })],
    ['an older SNP firmware', 'TCB_OUT_OF_DATE', () => withPolicy({ min_tcb_snp_spl: 24 })],
    [
      'the TCB exactly',
      'accepted',
      () =>
        withPolicy({ min_tcb_bl_spl: 10, min_tcb_tee_spl: 0, min_tcb_snp_spl: 23, min_tcb_ucode_spl: 84 }),
    ],
    ['an unknown rule', 'malformed', () => withPolicy({ more: 1 })],
    ['the public verifier asked for', 'accepted', () => ({ ...genuine(), execution_mode: 'public_api' })],
    ['long after', 'VCEK_EXPIRED', () => ({ ...genuine(), expiration_check_date_unix: 4_000_000_000 })],
    ['long before', 'VCEK_EXPIRED', () => ({ ...genuine(), expiration_check_date_unix: 0 })],
    ['no gzip', 'REPORT_FORMAT_UNSUPPORTED', () => ({ ...genuine(), attestation_doc_b64: encode('report') })],
    ['no base64', 'REPORT_FORMAT_UNSUPPORTED', () => ({ ...genuine(), attestation_doc_b64: '?' })],
    ['nothing', 'REPORT_TRUNCATED', () => withReport(() => Buffer.alloc(0))],
    [
      'a byte too many',
      'REPORT_FORMAT_UNSUPPORTED',
      () => withReport((report) => Buffer.concat([report, Buffer.alloc(1)])),
    ],
    ['a report of version 1', 'WRONG_REPORT_VERSION', () => withByte(0, 1)],
    ['a report of version 6', 'WRONG_REPORT_VERSION', () => withByte(0, 6)],
    ['a report signed otherwise', 'REPORT_FORMAT_UNSUPPORTED', () => withByte(0x34, 2)],
    ['reserved bytes', 'REPORT_FORMAT_UNSUPPORTED', () => withByte(0x4c, 1)],
    ['another chip', 'VCEK_HWID_MISMATCH', () => withByte(0x1a0, 0)],
    ['a chip of all zeros', 'VCEK_HWID_MISMATCH', () => withReport((report) => report.fill(0, 0x1a0, 0x1e0))],
    ['a masked chip', 'SIGNER_INFO_INVALID', () => withByte(0x48, 2)],
    ['another reported TCB', 'VCEK_TCB_MISMATCH', () => withByte(0x180, 9)],
    ['another measurement than the chip signed', 'REPORT_SIGNATURE_INVALID', () => withByte(0x90, 1)],
    ['a signature with more than 48 bytes', 'REPORT_SIGNATURE_INVALID', () => withByte(0x2a0 + 60, 1)],
    ['a chip of nobody', 'VCEK_CHAIN_INVALID', () => ({ ...genuine(), vcek_der_b64: '' })],
    [
      'the chip of a minted chain, whose roots are not given',
      'VCEK_CHAIN_INVALID',
      () => {
        const { amd_root_ca_pem: _ark, ask_pem: _ask, ...input } = minted()
        return input
      },
    ],
    [
      'a genuine chip under minted roots',
      'VCEK_CHAIN_INVALID',
      () => ({ ...genuine(), amd_root_ca_pem: minted()['amd_root_ca_pem'], ask_pem: minted()['ask_pem'] }),
    ],
    [
      'a minted intermediate under the genuine root',
      'ASK_INVALID',
      () => ({ ...minted(), amd_root_ca_pem: undefined }),
    ],
    [
      'a genuine intermediate under a minted root',
      'ASK_INVALID',
      () => ({ ...minted(), ask_pem: undefined }),
    ],
    [
      'an intermediate as root',
      'ARK_UNTRUSTED',
      () => ({ ...minted(), amd_root_ca_pem: minted()['ask_pem'] }),
    ],
    ['a root that is none', 'ARK_UNTRUSTED', () => ({ ...minted(), amd_root_ca_pem: 'root' })],
    ['a root as intermediate', 'ASK_INVALID', () => ({ ...minted(), ask_pem: minted()['amd_root_ca_pem'] })],
    ['a debug guest, defaults not asked for', 'GUEST_POLICY_DEBUG_SET', () => ({ ...minted(), policy: {} })],
  ])('%s: %s', async (_what, end, input) => {
    expect(await endOf(stage, input())).toBe(end)
  })
})

describe('verify-measurement', () => {
  const stage = 'verify-measurement'
  const uri = (name: string) => `https://tinfoil.sh/predicate/${name}`
  const [a, b, c, d, zero] = ['aa', 'bb', 'cc', 'dd', '00'].map((byte) => byte.repeat(48)) as [
    string,
    string,
    string,
    string,
    string,
  ]
  const sev = (...registers: string[]) => ({ type: uri('sev-snp-guest/v2'), registers })
  const tdx = (...registers: string[]) => ({ type: uri('tdx-guest/v2'), registers })
  const release = (...registers: string[]) => ({ type: uri('snp-tdx-multiplatform/v1'), registers })
  const ask = (source: unknown, target?: unknown) =>
    endOf(stage, { schema_version: '1', source, ...(target !== undefined && { target }) })

  test.each<[string, string, unknown, unknown?]>([
    ['a release and what AMD measured', 'accepted', release(a, b, c), sev(a)],
    ['the same, the other way round', 'accepted', sev(a), release(a, b, c)],
    ['the same in capitals', 'accepted', sev(a.toUpperCase()), release(a, b, c)],
    ['a release and what Intel measured', 'accepted', release(a, b, c), tdx(d, d, b, c, zero)],
    ['two of one type', 'accepted', tdx(a, b, c, d, zero), tdx(a, b, c, d, zero)],
    ['one alone', 'accepted', release(a, b, c), null],
    ['another measurement', 'MEASUREMENT_MISMATCH', release(b, b, c), sev(a)],
    ['another RTMR2', 'MEASUREMENT_MISMATCH', release(a, b, c), tdx(d, d, b, d, zero)],
    ['another RTMR3 of one type', 'MEASUREMENT_MISMATCH', tdx(a, b, c, d, zero), tdx(a, b, c, d, a)],
    ['an RTMR3 that is set', 'MEASUREMENT_RTMR3_NONZERO', release(a, b, c), tdx(d, d, b, c, a)],
    ['AMD and Intel', 'MEASUREMENT_TYPE_COMBINATION_UNSUPPORTED', sev(a), tdx(a, b, c, d, zero)],
    ['too few registers', 'MEASUREMENT_REGISTER_COUNT_INVALID', tdx(a, b, c, d)],
    ['too many registers', 'MEASUREMENT_REGISTER_COUNT_INVALID', sev(a), sev(a, b)],
    ['no registers', 'MEASUREMENT_REGISTER_COUNT_INVALID', release()],
    ['empty registers', 'MEASUREMENT_MISMATCH', sev(''), sev('')],
    ['another type', 'MEASUREMENT_TYPE_UNKNOWN', { type: uri('sev-snp-guest/v1'), registers: [a] }],
    [
      'Nitro’s, of which the suite does not know',
      'MEASUREMENT_TYPE_UNKNOWN',
      { type: uri('aws-nitro-enclave/v1'), registers: [a, b, c] },
    ],
    ['a name of every object', 'MEASUREMENT_TYPE_UNKNOWN', { type: 'constructor', registers: [a] }],
    ['a number for a register', 'malformed', { type: uri('sev-snp-guest/v2'), registers: [1] }],
  ])('%s: %s', async (_what, end, source, target) => {
    expect(await ask(source, target)).toBe(end)
  })
})

describe.skipIf(!present)('verify-full, beyond the vectors', () => {
  const stage = 'verify-full'
  const genuine = () => inputOf('500-standard-flow')
  const block = (name: string) => json.parse(genuine()[name])
  const refusal = async (input: object) => {
    const outcome = await runStage(stage, JSON.stringify(input))
    return outcome.kind === 'rejected' ? [outcome.stage, outcome.code] : [outcome.kind]
  }
  const measured = {
    type: 'https://tinfoil.sh/predicate/sev-snp-guest/v2',
    registers: [
      '09ef32acf90fcfeb6206d1a46c13145cef736ebbb83f18eaff680b686232031546ff5fd39c44599699ee8734cbbeb519',
    ],
  }
  const pinned = (measurement: object) => ({
    schema_version: '1',
    mode: 'pinned',
    attestation_sev: block('attestation_sev'),
    pinned_measurement: measurement,
  })

  /** The quote of another stage's vector, to use with the release of this one. */
  const domain: string[] = []
  beforeAll(async () => {
    const { schema_version: _version, ...input } = inputOf('300-tdx')
    const outcome = await runStage(
      'verify-attestation-tdx',
      JSON.stringify({ schema_version: '1', ...input }),
    )
    if (outcome.kind === 'accepted')
      domain.push(
        ...z.object({ measurement: z.object({ registers: z.array(z.string()) }) }).parse(outcome.outputs)
          .measurement.registers,
      )
  })
  const trustDomain = (hardware: object[]) => {
    const { schema_version: _version, ...quote } = inputOf('300-tdx')
    return {
      schema_version: '1',
      mode: 'standard',
      sigstore: block('sigstore'),
      attestation_tdx: quote,
      hardware_measurements: hardware,
    }
  }

  test('returns the release, the measurement and its fingerprint', async () => {
    const outcome = await runStage(stage, JSON.stringify({ ...genuine(), mode: 'bundle' }))
    expect(outcome).toMatchObject({
      kind: 'accepted',
      outputs: {
        mode: 'bundle',
        platform: 'sev-snp',
        attestation_measurement: measured,
        final_measurement_fingerprint_hex: measured.registers[0],
        sigstore_measurement: { type: 'https://tinfoil.sh/predicate/snp-tdx-multiplatform/v1' },
      },
    })
  })

  test.each<[string, string[], () => object]>([
    ['a pinned measurement', ['accepted'], () => pinned(measured)],
    [
      'another pinned measurement',
      ['verify-measurement', 'MEASUREMENT_MISMATCH'],
      () => pinned({ ...measured, registers: ['00'.repeat(48)] }),
    ],
    [
      'a pin of another platform',
      ['verify-measurement', 'MEASUREMENT_TYPE_COMBINATION_UNSUPPORTED'],
      () =>
        pinned({
          type: 'https://tinfoil.sh/predicate/tdx-guest/v2',
          registers: Array(5).fill('00'.repeat(48)),
        }),
    ],
    [
      'no pin',
      ['verify-full', 'BUNDLE_MALFORMED'],
      () => ({ ...pinned(measured), pinned_measurement: undefined }),
    ],
    [
      'no evidence',
      ['verify-full', 'BUNDLE_MALFORMED'],
      () => ({ ...genuine(), attestation_sev: undefined }),
    ],
    [
      'evidence of two platforms',
      ['verify-full', 'BUNDLE_MALFORMED'],
      () => ({ ...genuine(), attestation_tdx: { quote_b64: '' } }),
    ],
    [
      'a bundle that is none',
      ['verify-sigstore', 'BUNDLE_MALFORMED'],
      () => ({ ...genuine(), sigstore: { ...block('sigstore'), bundle_b64: 'e30=' } }),
    ],
    [
      'a report that is none',
      ['verify-attestation-sev', 'REPORT_FORMAT_UNSUPPORTED'],
      () => ({ ...genuine(), attestation_sev: { ...block('attestation_sev'), attestation_doc_b64: 'e30=' } }),
    ],
    [
      'a trust domain on hardware that nobody listed',
      ['verify-hardware-measurements', 'HARDWARE_NO_MATCH'],
      () => trustDomain([]),
    ],
    [
      'a trust domain of other code',
      ['verify-measurement', 'MEASUREMENT_MISMATCH'],
      () => trustDomain([{ id: 'x', mrtd: domain[0]!, rtmr0: domain[1]! }]),
    ],
    [
      'a pinned trust domain',
      ['accepted'],
      () => ({
        ...trustDomain([]),
        mode: 'pinned',
        sigstore: undefined,
        pinned_measurement: { type: 'https://tinfoil.sh/predicate/tdx-guest/v2', registers: domain },
      }),
    ],
    [
      'an unknown member of a block',
      ['malformed'],
      () => ({ ...genuine(), attestation_sev: { ...block('attestation_sev'), more: 1 } }),
    ],
    ['another mode', ['malformed'], () => ({ ...genuine(), mode: 'quick' })],
    [
      'a release whose policy says only what is not typical',
      ['accepted'],
      () => ({ ...genuine(), sigstore: { ...block('sigstore'), policy: {} } }),
    ],
    [
      'a release of another issuer',
      ['verify-sigstore', 'OIDC_ISSUER_MISMATCH'],
      () => ({
        ...genuine(),
        sigstore: { ...block('sigstore'), policy: { oidc_issuer: 'https://gitlab.example.com' } },
      }),
    ],
    [
      'a quote without collateral',
      ['verify-attestation-tdx', 'QV_RESULT_TERMINAL_UNSPECIFIED'],
      () => ({ ...genuine(), attestation_sev: undefined, attestation_tdx: { quote_b64: '' } }),
    ],
    [
      'a pin of a type that the suite does not know',
      ['verify-measurement', 'MEASUREMENT_TYPE_UNKNOWN'],
      () =>
        pinned({
          type: 'https://tinfoil.sh/predicate/aws-nitro-enclave/v1',
          registers: Array(3).fill('00'.repeat(48)),
        }),
    ],
  ])('%s: %j', async (_what, end, input) => {
    expect(await refusal(input())).toEqual(end)
  })
})

describe('verify-ehbp-key-binding', () => {
  const key = 'e1757de89bba9e93fe84be2ca3bfbcd9b282544b5cfcc791fb28d6558959e530'
  const tls = '11'.repeat(32)
  const ask = (report: string, offered: string) =>
    endOf('verify-ehbp-key-binding', {
      schema_version: '1',
      report_data_hex: report,
      offered_hpke_public_key_hex: offered,
    })

  test('binds only the second half of the report data', async () => {
    expect(await ask(tls + key, key)).toBe('accepted')
    expect(await ask((tls + key).toUpperCase(), key)).toBe('accepted')
    expect(await ask(tls + key, tls)).toBe('EHBP_KEY_BINDING_MISMATCH')
    expect(await ask(key + tls, key)).toBe('EHBP_KEY_BINDING_MISMATCH')
    expect(await ask(tls + key, key.replace(/0$/, '1'))).toBe('EHBP_KEY_BINDING_MISMATCH')
    expect(await ask(tls + key, '00'.repeat(32))).toBe('EHBP_KEY_BINDING_MISMATCH')
  })

  test('refuses incomplete input', async () => {
    for (const [report, offered] of [
      [tls, key],
      [`${tls}${key}00`, key],
      [tls + key, key.slice(2)],
      [tls + key, `${key}0`],
      [tls + key, ''],
      [tls + key, 'zz'.repeat(32)],
      ['', key],
    ] as const) {
      expect(await ask(report, offered)).toBe('malformed')
    }
  })

  test('refuses an all-zero key', async () => {
    expect(await ask(tls + '00'.repeat(32), '00'.repeat(32))).toBe('malformed')
  })
})

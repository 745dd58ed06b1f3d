import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { pem } from '../../src/sandbox/der/certificate.ts'
import {
  bodyAt,
  isvLevel,
  level,
  MintedIntel,
  moduleIdentity,
  NOW,
  qeIdentity,
  tcbInfo,
  u16,
  u32,
  type QuoteParts,
} from '../verifier/tdx/minted-machine.ts'
import type { Answers } from '../verifier/tdx/real-tdx.ts'
import { runStage } from './stages.ts'

/** What the vectors at hand do not ask, but their schema provides for. */
const folder = join(import.meta.dirname, '../../../shared/conformance/vectors/attestation-tdx')
const present = existsSync(folder)
if (!present)
  console.log('Skipped: the conformance vectors are not beside this repository (../shared/conformance).')

const inputForm = z.looseObject({
  quote_b64: z.string(),
  collateral: z.record(z.string(), z.string()),
  policy: z.record(z.string(), z.json()),
})
type Input = z.infer<typeof inputForm>
const inputOf = (name: string): Input =>
  inputForm.parse(JSON.parse(readFileSync(join(folder, name, 'input.json'), 'utf8')))

/** Ends as `accepted`, the rejection's code, or the kind of another end. */
async function endOf(input: object): Promise<string> {
  const outcome = await runStage('verify-attestation-tdx', JSON.stringify(input))
  return outcome.kind === 'rejected' ? outcome.code : outcome.kind
}

describe.skipIf(!present)('verify-attestation-tdx, beyond the vectors', () => {
  const upToDate = () => inputOf('350-tcb-uptodate')
  const published = () => inputOf('390-public-api-tcb-uptodate')
  const genuine = () => inputOf('300-tdx-v4-happy')
  const asked = (policy: object, input = upToDate()) => ({ ...input, policy: { ...input.policy, ...policy } })
  const withQuote = (change: (quote: Buffer) => Buffer, input = upToDate()) => ({
    ...input,
    quote_b64: change(Buffer.from(input.quote_b64, 'base64')).toString('base64'),
  })
  const withCollateral = (collateral: object, input = upToDate()) => ({
    ...input,
    collateral: { ...input.collateral, ...collateral },
  })
  const without = (member: string) => {
    const { [member]: _left, ...collateral } = upToDate().collateral
    return { ...upToDate(), collateral }
  }
  const zeros = '00'.repeat(48)

  test.each<[string, string, () => object]>([
    ['the defaults enforced', 'accepted', () => asked({ enforce_spec_defaults: true })],
    [
      'the real quote and what Intel said of it',
      'QV_RESULT_TERMINAL_UNSPECIFIED',
      () => asked({ tcb_evaluation_required: true }, genuine()),
    ],
    [
      'other attributes',
      'TD_ATTRIBUTES_MISMATCH',
      () => asked({ expected_td_attributes_hex: '0000001000000000' }),
    ],
    [
      'the attributes in capitals',
      'accepted',
      () => asked({ expected_td_attributes_hex: '0000004000000000', expected_xfam_hex: 'E71A060000000000' }),
    ],
    ['another XFAM', 'XFAM_MISMATCH', () => asked({ expected_xfam_hex: 'e702060000000000' })],
    ['no module allowed', 'MR_SEAM_NOT_ALLOWED', () => asked({ expected_mrseam_allowlist: [] })],
    [
      'another module allowed',
      'MR_SEAM_NOT_ALLOWED',
      () => asked({ expected_mrseam_allowlist: ['ab'.repeat(48)] }),
    ],
    [
      'other SEAM attributes',
      'SEAM_ATTRIBUTES_MISMATCH',
      () => asked({ expected_seam_attributes_hex: '01' + '00'.repeat(7) }),
    ],
    ['another MRTD', 'MRTD_MISMATCH', () => asked({ expected_mrtd_hex: 'ab'.repeat(48) })],
    [
      'another owner’s configuration',
      'MR_OWNER_CONFIG_MISMATCH',
      () => asked({ expected_mr_owner_config_hex: 'ab'.repeat(48) }),
    ],
    ['other report data', 'REPORT_DATA_MISMATCH', () => asked({ expected_report_data_hex: '00'.repeat(64) })],
    ['a pin of another length', 'MRTD_MISMATCH', () => asked({ expected_mrtd_hex: '22' })],
    ['RTMR3 as it is', 'accepted', () => asked({ expected_rtmr3_hex: zeros })],
    ['another vendor', 'QE_VENDOR_ID_MISMATCH', () => asked({ expected_qe_vendor_id_hex: '00'.repeat(16) })],
    [
      'the vendor',
      'accepted',
      () => asked({ expected_qe_vendor_id_hex: '939A7233F79C4CA9940A0DB3957F0607' }),
    ],
    ['another FMSPC', 'PCK_FMSPC_MISMATCH', () => asked({ expected_fmspc_hex: 'b0c06f000000' })],
    ['the FMSPC', 'accepted', () => asked({ expected_fmspc_hex: '50806F000000' })],
    [
      'the TCB exactly',
      'accepted',
      () => asked({ min_tee_tcb_svn_hex: '0003050000000000' + '00'.repeat(8) }),
    ],
    [
      'a TCB above it in one byte',
      'TEE_TCB_SVN_BELOW_MINIMUM',
      () => asked({ min_tee_tcb_svn_hex: '0003060000000000' + '00'.repeat(8) }),
    ],
    [
      'a later evaluation',
      'TCB_EVAL_DATA_NUMBER_TOO_LOW',
      () => asked({ min_tcb_evaluation_data_number: 19 }),
    ],
    ['an earlier evaluation', 'accepted', () => asked({ min_tcb_evaluation_data_number: 1 })],
    [
      'a platform out of date, where that alone is accepted',
      'accepted',
      () => asked({ accepted_qv_results: ['OUT_OF_DATE'] }, inputOf('363-tcb-out-of-date')),
    ],
    [
      'a platform up to date, where that is not accepted',
      'QV_RESULT_NOT_ACCEPTED_BY_POLICY',
      () => asked({ accepted_qv_results: ['OUT_OF_DATE'] }),
    ],
    ['nothing accepted', 'QV_RESULT_NOT_ACCEPTED_BY_POLICY', () => asked({ accepted_qv_results: [] })],
    [
      'a platform out of date (accepted)',
      'accepted',
      () => asked({ accepted_qv_results: ['OK', 'OUT_OF_DATE'] }, inputOf('363-tcb-out-of-date')),
    ],
    [
      'a platform out of date, where another status is accepted',
      'QV_RESULT_NOT_ACCEPTED_BY_POLICY',
      () => asked({ accepted_qv_results: ['OK', 'CONFIG_NEEDED'] }, inputOf('363-tcb-out-of-date')),
    ],
    [
      'a revoked platform, whatever is accepted',
      'TCB_REVOKED',
      () => asked({ accepted_qv_results: ['OK', 'REVOKED', 'OUT_OF_DATE'] }, inputOf('368-tcb-revoked')),
    ],
    [
      'an older module than the product’s policy has',
      'TEE_TCB_SVN_BELOW_MINIMUM',
      () => asked({ min_tee_tcb_svn_hex: '04' + '00'.repeat(15) }, published()),
    ],
    [
      'a quote that the product’s policy refuses',
      'TD_ATTRIBUTES_MISMATCH',
      () => ({ ...upToDate(), execution_mode: 'public_api' }),
    ],
    ['no quote', 'QUOTE_TRUNCATED', () => withQuote(() => Buffer.alloc(0))],
    ['half a quote', 'QUOTE_TRUNCATED', () => withQuote((quote) => quote.subarray(0, 2000))],
    [
      'a quote of SGX',
      'WRONG_TEE_TYPE',
      () =>
        withQuote((quote) => {
          quote[4] = 0
          return quote
        }),
    ],
    [
      'a quote of version 5 in the layout of 4',
      'QUOTE_FORMAT_UNSUPPORTED',
      () =>
        withQuote((quote) => {
          quote[0] = 5
          return quote
        }),
    ],
    [
      'reserved bytes',
      'QUOTE_FORMAT_UNSUPPORTED',
      () =>
        withQuote((quote) => {
          quote[10] = 1
          return quote
        }),
    ],
    ['Intel’s root instead of the minted one', 'ROOT_CA_UNTRUSTED', () => without('intel_root_ca_pem')],
    ['a root that is none', 'ROOT_CA_UNTRUSTED', () => withCollateral({ intel_root_ca_pem: 'root' })],
    [
      'the minted root for a real quote',
      'ROOT_CA_UNTRUSTED',
      () => withCollateral({ intel_root_ca_pem: upToDate().collateral['intel_root_ca_pem'] }, genuine()),
    ],
    ['no chain of the signer', 'TCB_INFO_CHAIN_INVALID', () => without('tcb_info_issuer_chain_pem')],
    [
      'no chain of the identity’s signer',
      'QE_IDENTITY_SIGNATURE_INVALID',
      () => without('qe_identity_issuer_chain_pem'),
    ],
    ['a list that is none', 'PCK_CHAIN_INVALID', () => withCollateral({ pck_crl_der_b64: '' })],
    [
      'a list of another issuer',
      'PCK_CHAIN_INVALID',
      () => withCollateral({ root_crl_der_b64: upToDate().collateral['pck_crl_der_b64'] }),
    ],
    ['no TCB info', 'TCB_INFO_SIGNATURE_INVALID', () => withCollateral({ tcb_info_json: '{}' })],
    [
      'another TCB info than Intel signed',
      'TCB_INFO_SIGNATURE_INVALID',
      () =>
        withCollateral({
          tcb_info_json: String(upToDate().collateral['tcb_info_json']).replace('"svn":5', '"svn":4'),
        }),
    ],
    ['long before', 'PCK_EXPIRED', () => ({ ...upToDate(), expiration_check_date_unix: 0 })],
    ['long after', 'PCK_EXPIRED', () => ({ ...upToDate(), expiration_check_date_unix: 4_000_000_000 })],
    [
      'after the real machine’s certificate',
      'PCK_EXPIRED',
      () => ({ ...genuine(), expiration_check_date_unix: 1_900_000_000 }),
    ],
    ['an unknown rule', 'malformed', () => asked({ more: 1 })],
    ['an unknown piece of collateral', 'malformed', () => withCollateral({ more: '' })],
    ['a quote that is no base64', 'malformed', () => ({ ...upToDate(), quote_b64: '?' })],
  ])('%s: %s', async (_what, end, input) => {
    expect(await endOf(input())).toBe(end)
  })

  test('returns a result code for arbitrary evidence', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array(),
        fc.string(),
        fc.nat(4000),
        fc.constantFrom('tcb_info_json', 'qe_identity_json', 'tcb_info_issuer_chain_pem'),
        async (bytes, text, at, part) => {
          expect(
            await endOf(
              withQuote((quote) =>
                Buffer.concat([quote.subarray(0, at), bytes, quote.subarray(at + bytes.length)]),
              ),
            ),
          ).toMatch(/^(?:[A-Z0-9_]+|accepted)$/)
          expect(await endOf(withCollateral({ [part]: text }))).toMatch(/^[A-Z0-9_]+$/)
          expect(
            await endOf(withCollateral({ pck_crl_der_b64: Buffer.from(bytes).toString('base64') })),
          ).toMatch(/^[A-Z0-9_]+$/)
        },
      ),
      { numRuns: 50 },
    )
  })
})

describe('verify-attestation-tdx, with a simulated Intel', () => {
  const intel = new MintedIntel()
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  interface InputChanges {
    readonly quote?: QuoteParts
    readonly appendix?: string
    readonly answers?: Partial<Answers>
    readonly policy?: object
  }
  const input = ({ quote, appendix = '', answers, policy = {} }: InputChanges) => {
    const {
      tcbInfo: levels,
      tcbInfoChain,
      qeIdentity: identity,
      qeIdentityChain,
      pckCrl,
      rootCrl,
    } = intel.answers(answers)
    return {
      schema_version: '1',
      quote_b64: base64(Buffer.concat([intel.quote(quote), Buffer.from(appendix)])),
      collateral: {
        tcb_info_json: Buffer.from(levels).toString(),
        qe_identity_json: Buffer.from(identity).toString(),
        pck_crl_der_b64: base64(pckCrl),
        root_crl_der_b64: base64(rootCrl),
        intel_root_ca_pem: pem(intel.soundRoot),
        tcb_info_issuer_chain_pem: tcbInfoChain,
        qe_identity_issuer_chain_pem: qeIdentityChain,
      },
      expiration_check_date_unix: NOW / 1000,
      policy,
    }
  }
  const answersOf = ({ machine = 'UpToDate', module = 'UpToDate', enclave = 'UpToDate' }) => ({
    tcbInfo: intel.signed(
      'tcbInfo',
      tcbInfo({
        tcbLevels: [level({ status: machine })],
        tdxModuleIdentities: [moduleIdentity({ tcbLevels: [isvLevel(5, module)] })],
      }),
    ),
    qeIdentity: intel.signed('enclaveIdentity', qeIdentity({ tcbLevels: [isvLevel(7, enclave)] })),
  })
  const signedLevels = (changes: object) => ({ tcbInfo: intel.signed('tcbInfo', tcbInfo(changes)) })
  const TEXT = '\nextra bytes(only for testing purpose)\n'

  test.each<[string, string, InputChanges]>([
    ['version 4', 'accepted', {}],
    ['version 4 with text after its end', 'accepted', { appendix: TEXT }],
    ['version 5', 'accepted', { quote: { version: 5 } }],
    ['version 5 with text after its end', 'accepted', { quote: { version: 5 }, appendix: TEXT }],
    [
      'version 5 with text after its end, changed',
      'QUOTE_SIGNATURE_INVALID',
      { quote: { version: 5, quoteSigner: intel.pck.privateKey }, appendix: TEXT },
    ],
    [
      'version 5 with a body of another size',
      'QUOTE_FORMAT_UNSUPPORTED',
      { quote: { version: 5, patches: { 50: u32(0xffff_ffff) } }, appendix: TEXT },
    ],
    [
      'version 5 with a body without size',
      'QUOTE_FORMAT_UNSUPPORTED',
      { quote: { version: 5, patches: { 50: u32(0) } }, appendix: TEXT },
    ],
    [
      'version 5 with a body of another type',
      'QUOTE_FORMAT_UNSUPPORTED',
      { quote: { version: 5, patches: { 48: u16(1) } }, appendix: TEXT },
    ],
    [
      'version 5 of a debugged domain',
      'TD_ATTRIBUTES_DEBUG_SET',
      { quote: { version: 5, patches: { [bodyAt(5) + 120]: Buffer.of(1) } }, appendix: TEXT },
    ],
    ['no certificate', 'PCK_CHAIN_INCOMPLETE', { quote: { chainText: '' } }],
    ['no certificate, ended with a NUL', 'PCK_CHAIN_INCOMPLETE', { quote: { chain: [] } }],
    ['one certificate', 'PCK_CHAIN_INCOMPLETE', { quote: { chain: intel.soundChain.slice(0, 1) } }],
    ['two certificates', 'PCK_CHAIN_INCOMPLETE', { quote: { chain: intel.soundChain.slice(0, 2) } }],
    ['certificates that are none', 'PCK_CHAIN_INVALID', { quote: { chainText: 'chain' } }],
    [
      'a status that is not understood',
      'QV_RESULT_NOT_ACCEPTED_BY_POLICY',
      { answers: answersOf({ machine: 'Bogus' }) },
    ],
    [
      'a status that is not understood, of a level below',
      'accepted',
      { answers: signedLevels({ tcbLevels: [level(), level({ pceSvn: 0, status: 'Bogus' })] }) },
    ],
    [
      'signed levels in another form',
      'QV_RESULT_TERMINAL_UNSPECIFIED',
      { answers: signedLevels({ tcbLevels: [] }) },
    ],
    [
      'a signed identity in another form',
      'QV_RESULT_TERMINAL_UNSPECIFIED',
      { answers: { qeIdentity: intel.signed('enclaveIdentity', qeIdentity({ isvprodid: 'two' })) } },
    ],
    [
      'levels in another form that another key signed',
      'TCB_INFO_SIGNATURE_INVALID',
      { answers: { tcbInfo: intel.signed('tcbInfo', tcbInfo({ tcbLevels: [] }), intel.pck.privateKey) } },
    ],
    [
      'levels without a signature',
      'TCB_INFO_SIGNATURE_INVALID',
      { answers: { tcbInfo: Buffer.from('{"tcbInfo":{}}') } },
    ],
    [
      'an identity without a signature',
      'QE_IDENTITY_SIGNATURE_INVALID',
      { answers: { qeIdentity: Buffer.from('x') } },
    ],
    [
      'a revoked module, whatever is accepted',
      'TCB_REVOKED',
      {
        answers: answersOf({ module: 'Revoked' }),
        policy: { accepted_qv_results: ['OK', 'OUT_OF_DATE', 'REVOKED'] },
      },
    ],
    ['a revoked quoting enclave', 'TCB_REVOKED', { answers: answersOf({ enclave: 'Revoked' }) }],
    [
      'a quoting enclave out of date',
      'QV_RESULT_NOT_ACCEPTED_BY_POLICY',
      { answers: answersOf({ enclave: 'OutOfDate' }) },
    ],
    [
      'a module out of date',
      'QV_RESULT_NOT_ACCEPTED_BY_POLICY',
      { answers: answersOf({ module: 'OutOfDate' }) },
    ],
    [
      'nothing out of date, where that alone is accepted',
      'QV_RESULT_NOT_ACCEPTED_BY_POLICY',
      { policy: { accepted_qv_results: ['OUT_OF_DATE'] } },
    ],
  ])('%s: %s', async (_what, end, changes) => {
    expect(await endOf(input(changes))).toBe(end)
  })

  test.each<[string, string, { machine?: string; module?: string; enclave?: string }]>([
    ['OK', 'UpToDate', {}],
    ['SW_HARDENING_NEEDED', 'SWHardeningNeeded', { machine: 'SWHardeningNeeded' }],
    ['CONFIG_NEEDED', 'ConfigurationNeeded', { machine: 'ConfigurationNeeded' }],
    [
      'CONFIG_AND_SW_HARDENING_NEEDED',
      'ConfigurationAndSWHardeningNeeded',
      { machine: 'ConfigurationAndSWHardeningNeeded' },
    ],
    ['OUT_OF_DATE', 'OutOfDate', { machine: 'OutOfDate' }],
    ['OUT_OF_DATE', 'UpToDate', { module: 'OutOfDate' }],
    ['OUT_OF_DATE', 'SWHardeningNeeded', { machine: 'SWHardeningNeeded', enclave: 'OutOfDate' }],
    [
      'OUT_OF_DATE_CONFIG_NEEDED',
      'ConfigurationNeeded',
      { machine: 'ConfigurationNeeded', enclave: 'OutOfDate' },
    ],
    [
      'OUT_OF_DATE_CONFIG_NEEDED',
      'OutOfDateConfigurationNeeded',
      { machine: 'OutOfDateConfigurationNeeded' },
    ],
    ['TD_RELAUNCH_ADVISED', 'TDRelaunchAdvised', { machine: 'TDRelaunchAdvised' }],
    [
      'TD_RELAUNCH_ADVISED_CONFIG_NEEDED',
      'TDRelaunchAdvisedConfigurationNeeded',
      { machine: 'TDRelaunchAdvisedConfigurationNeeded' },
    ],
  ])(
    'returns %s if that result is accepted, with the TCB status %s: %j',
    async (result, status, statuses) => {
      const outcome = await runStage(
        'verify-attestation-tdx',
        JSON.stringify(input({ answers: answersOf(statuses), policy: { accepted_qv_results: [result] } })),
      )
      expect(outcome).toMatchObject({ kind: 'accepted', outputs: { qv_result: result, tcb_status: status } })
    },
  )
})

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { runStage } from './stages.ts'

/** What the vectors at hand do not ask, but their schema provides for. */
const folder = join(import.meta.dirname, '../../../shared/conformance/vectors/attestation-tdx')
const present = existsSync(folder)
if (!present) console.log('Skipped: the conformance vectors are not beside this repository (../shared/conformance).')

const inputForm = z.looseObject({ quote_b64: z.string(), collateral: z.record(z.string(), z.string()), policy: z.record(z.string(), z.json()) })
type Input = z.infer<typeof inputForm>
const inputOf = (name: string): Input => inputForm.parse(JSON.parse(readFileSync(join(folder, name, 'input.json'), 'utf8')))

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
  const withQuote = (change: (quote: Buffer) => Buffer, input = upToDate()) => ({ ...input, quote_b64: change(Buffer.from(input.quote_b64, 'base64')).toString('base64') })
  const withCollateral = (collateral: object, input = upToDate()) => ({ ...input, collateral: { ...input.collateral, ...collateral } })
  const without = (member: string) => {
    const { [member]: _left, ...collateral } = upToDate().collateral
    return { ...upToDate(), collateral }
  }
  const zeros = '00'.repeat(48)

  test.each<[string, string, () => object]>([
    ['the defaults enforced', 'accepted', () => asked({ enforce_spec_defaults: true })],
    ['the real quote and what Intel said of it', 'QV_RESULT_TERMINAL_UNSPECIFIED', () => asked({ tcb_evaluation_required: true }, genuine())],
    ['other attributes', 'TD_ATTRIBUTES_MISMATCH', () => asked({ expected_td_attributes_hex: '0000001000000000' })],
    ['the attributes in capitals', 'accepted', () => asked({ expected_td_attributes_hex: '0000004000000000', expected_xfam_hex: 'E71A060000000000' })],
    ['another XFAM', 'XFAM_MISMATCH', () => asked({ expected_xfam_hex: 'e702060000000000' })],
    ['no module allowed', 'MR_SEAM_NOT_ALLOWED', () => asked({ expected_mrseam_allowlist: [] })],
    ['another module allowed', 'MR_SEAM_NOT_ALLOWED', () => asked({ expected_mrseam_allowlist: ['ab'.repeat(48)] })],
    ['other SEAM attributes', 'SEAM_ATTRIBUTES_MISMATCH', () => asked({ expected_seam_attributes_hex: '01' + '00'.repeat(7) })],
    ['another MRTD', 'MRTD_MISMATCH', () => asked({ expected_mrtd_hex: 'ab'.repeat(48) })],
    ['another owner’s configuration', 'MR_OWNER_CONFIG_MISMATCH', () => asked({ expected_mr_owner_config_hex: 'ab'.repeat(48) })],
    ['other report data', 'REPORT_DATA_MISMATCH', () => asked({ expected_report_data_hex: '00'.repeat(64) })],
    ['a pin of another length', 'MRTD_MISMATCH', () => asked({ expected_mrtd_hex: '22' })],
    ['RTMR3 as it is', 'accepted', () => asked({ expected_rtmr3_hex: zeros })],
    ['another vendor', 'QE_VENDOR_ID_MISMATCH', () => asked({ expected_qe_vendor_id_hex: '00'.repeat(16) })],
    ['the vendor', 'accepted', () => asked({ expected_qe_vendor_id_hex: '939A7233F79C4CA9940A0DB3957F0607' })],
    ['another FMSPC', 'PCK_FMSPC_MISMATCH', () => asked({ expected_fmspc_hex: 'b0c06f000000' })],
    ['the FMSPC', 'accepted', () => asked({ expected_fmspc_hex: '50806F000000' })],
    ['the TCB exactly', 'accepted', () => asked({ min_tee_tcb_svn_hex: '0003050000000000' + '00'.repeat(8) })],
    ['a TCB above it in one byte', 'TEE_TCB_SVN_BELOW_MINIMUM', () => asked({ min_tee_tcb_svn_hex: '0003060000000000' + '00'.repeat(8) })],
    ['a later evaluation', 'TCB_EVAL_DATA_NUMBER_TOO_LOW', () => asked({ min_tcb_evaluation_data_number: 19 })],
    ['an earlier evaluation', 'accepted', () => asked({ min_tcb_evaluation_data_number: 1 })],
    ['nothing accepted', 'QV_RESULT_NOT_ACCEPTED_BY_POLICY', () => asked({ accepted_qv_results: [] })],
    ['a platform out of date, which is accepted', 'accepted', () => asked({ accepted_qv_results: ['OK', 'OUT_OF_DATE'] }, inputOf('363-tcb-out-of-date'))],
    ['a platform out of date, where another status is accepted', 'QV_RESULT_NOT_ACCEPTED_BY_POLICY', () => asked({ accepted_qv_results: ['OK', 'CONFIG_NEEDED'] }, inputOf('363-tcb-out-of-date'))],
    ['a revoked platform, whatever is accepted', 'TCB_REVOKED', () => asked({ accepted_qv_results: ['OK', 'REVOKED', 'OUT_OF_DATE'] }, inputOf('368-tcb-revoked'))],
    ['an older module than the product’s policy has', 'TEE_TCB_SVN_BELOW_MINIMUM', () => asked({ min_tee_tcb_svn_hex: '04' + '00'.repeat(15) }, published())],
    ['a quote that the product’s policy refuses', 'TD_ATTRIBUTES_MISMATCH', () => ({ ...upToDate(), execution_mode: 'public_api' })],
    ['no quote', 'QUOTE_TRUNCATED', () => withQuote(() => Buffer.alloc(0))],
    ['half a quote', 'QUOTE_TRUNCATED', () => withQuote((quote) => quote.subarray(0, 2000))],
    ['a quote of SGX', 'WRONG_TEE_TYPE', () => withQuote((quote) => { quote[4] = 0; return quote })],
    ['a quote of version 5 in the layout of 4', 'QUOTE_FORMAT_UNSUPPORTED', () => withQuote((quote) => { quote[0] = 5; return quote })],
    ['reserved bytes', 'QUOTE_FORMAT_UNSUPPORTED', () => withQuote((quote) => { quote[10] = 1; return quote })],
    ['Intel’s root instead of the minted one', 'ROOT_CA_UNTRUSTED', () => without('intel_root_ca_pem')],
    ['a root that is none', 'ROOT_CA_UNTRUSTED', () => withCollateral({ intel_root_ca_pem: 'root' })],
    ['the minted root for a real quote', 'ROOT_CA_UNTRUSTED', () => withCollateral({ intel_root_ca_pem: upToDate().collateral['intel_root_ca_pem'] }, genuine())],
    ['no chain of the signer', 'TCB_INFO_CHAIN_INVALID', () => without('tcb_info_issuer_chain_pem')],
    ['no chain of the identity’s signer', 'QE_IDENTITY_SIGNATURE_INVALID', () => without('qe_identity_issuer_chain_pem')],
    ['a list that is none', 'PCK_CHAIN_INVALID', () => withCollateral({ pck_crl_der_b64: '' })],
    ['a list of another issuer', 'PCK_CHAIN_INVALID', () => withCollateral({ root_crl_der_b64: upToDate().collateral['pck_crl_der_b64'] })],
    ['no TCB info', 'TCB_INFO_SIGNATURE_INVALID', () => withCollateral({ tcb_info_json: '{}' })],
    ['another TCB info than Intel signed', 'TCB_INFO_SIGNATURE_INVALID', () => withCollateral({ tcb_info_json: String(upToDate().collateral['tcb_info_json']).replace('"svn":5', '"svn":4') })],
    ['long before', 'PCK_EXPIRED', () => ({ ...upToDate(), expiration_check_date_unix: 0 })],
    ['long after', 'PCK_EXPIRED', () => ({ ...upToDate(), expiration_check_date_unix: 4_000_000_000 })],
    ['after the real machine’s certificate', 'PCK_EXPIRED', () => ({ ...genuine(), expiration_check_date_unix: 1_900_000_000 })],
    ['an unknown rule', 'malformed', () => asked({ more: 1 })],
    ['an unknown piece of collateral', 'malformed', () => withCollateral({ more: '' })],
    ['a quote that is no base64', 'malformed', () => ({ ...upToDate(), quote_b64: '?' })],
  ])('%s: %s', async (_what, end, input) => {
    expect(await endOf(input())).toBe(end)
  })

  test('ends in an answer, whatever the evidence', async () => {
    await fc.assert(fc.asyncProperty(fc.uint8Array(), fc.string(), fc.nat(4000), fc.constantFrom('tcb_info_json', 'qe_identity_json', 'tcb_info_issuer_chain_pem'), async (bytes, text, at, part) => {
      expect(await endOf(withQuote((quote) => Buffer.concat([quote.subarray(0, at), bytes, quote.subarray(at + bytes.length)])))).toMatch(/^(?:[A-Z0-9_]+|accepted)$/)
      expect(await endOf(withCollateral({ [part]: text }))).toMatch(/^[A-Z0-9_]+$/)
      expect(await endOf(withCollateral({ pck_crl_der_b64: Buffer.from(bytes).toString('base64') }))).toMatch(/^[A-Z0-9_]+$/)
    }), { numRuns: 50 })
  })
})

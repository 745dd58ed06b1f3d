import { z } from 'zod'
import { vendorRootFromPem } from '../../../src/verifier/index.ts'
import type { PcsResponse } from '../../../src/verifier/collateral.ts'
import type { TdxInput } from '../../../src/verifier/tdx/index.ts'
import type { TdxPolicy } from '../../../src/shared/policy/tdx.ts'
import { presetPolicy, realEvidence, resource } from '../evidence-folder.ts'
import { tcbSigner2018 } from './intel-tcb-signer.ts'

const rootPem = resource('trust/intel-sgx-root-ca.pem')
export const intelRoot = vendorRootFromPem(rootPem)

export function presetTdxPolicy(): TdxPolicy {
  const { tdx } = presetPolicy()
  if (!tdx) throw new Error('the preset does not accept TDX')
  return tdx
}

/** Intel's answers, part by part. */
export interface Answers {
  readonly tcbInfo: Uint8Array
  readonly tcbInfoChain: string
  readonly qeIdentity: Uint8Array
  readonly qeIdentityChain: string
  readonly pckCrl: Uint8Array
  readonly rootCrl: Uint8Array
}

export function pcsResponses(answers: Answers): PcsResponse[] {
  return [
    {
      url: 'https://api.trustedservices.intel.com/tdx/certification/v4/tcb?fmspc=00',
      headers: { 'TCB-Info-Issuer-Chain': encodeURIComponent(answers.tcbInfoChain) },
      body: answers.tcbInfo,
    },
    {
      url: 'https://api.trustedservices.intel.com/tdx/certification/v4/qe/identity',
      headers: { 'SGX-Enclave-Identity-Issuer-Chain': encodeURIComponent(answers.qeIdentityChain) },
      body: answers.qeIdentity,
    },
    {
      url: 'https://api.trustedservices.intel.com/sgx/certification/v4/pckcrl?ca=platform&encoding=der',
      headers: {},
      body: answers.pckCrl,
    },
    {
      url: 'https://certificates.trustedservices.intel.com/IntelSGXRootCA.der',
      headers: {},
      body: answers.rootCrl,
    },
  ]
}

/** The format in which dcap-qvl saves collateral: statements and signatures in separate members, lists in hex. */
const savedForm = z.object({
  pck_crl_issuer_chain: z.string(),
  root_ca_crl: z.string(),
  pck_crl: z.string(),
  tcb_info_issuer_chain: z.string(),
  tcb_info: z.string(),
  tcb_info_signature: z.string(),
  qe_identity_issuer_chain: z.string(),
  qe_identity: z.string(),
  qe_identity_signature: z.string(),
})
export type SavedCollateral = z.infer<typeof savedForm>

export function savedCollateral(path: string): SavedCollateral {
  return savedForm.parse(JSON.parse(realEvidence(path).toString()))
}

export function answersOf(saved: SavedCollateral): Answers {
  return {
    tcbInfo: Buffer.from(`{"tcbInfo":${saved.tcb_info},"signature":"${saved.tcb_info_signature}"}`),
    tcbInfoChain: saved.tcb_info_issuer_chain,
    qeIdentity: Buffer.from(
      `{"enclaveIdentity":${saved.qe_identity},"signature":"${saved.qe_identity_signature}"}`,
    ),
    qeIdentityChain: saved.qe_identity_issuer_chain,
    pckCrl: Buffer.from(saved.pck_crl, 'hex'),
    rootCrl: Buffer.from(saved.root_ca_crl, 'hex'),
  }
}

/**
 * A platform that Intel called up to date, under the preset, except for values that are older here than the preset
 * requires.
 */
export function upToDate(): { input: TdxInput; answers: Answers } {
  const answers = answersOf(savedCollateral('tdx/tdx_quote_collateral.json'))
  const policy: TdxPolicy = {
    ...presetTdxPolicy(),
    minimumTcbEvaluationDataNumber: 17,
    // Intel's TDX module 1.5.06.
    mrSeam: [
      '5b38e33a6487958b72c3c12a938eaa5e3fd4510c51aeeab58c7d5ecee41d7c436489d6c8e4f92f160b7cad34207b00c1',
    ],
  }
  return {
    answers,
    input: {
      quote: realEvidence('tdx/tdx_quote'),
      collateral: pcsResponses(answers),
      root: intelRoot,
      policy,
      now: Date.UTC(2025, 6, 1),
    },
  }
}

/** A quote of version 5, of a machine that lacks updates; under the preset, except that it accepts the evaluation of that time. */
export function outdated(): TdxInput {
  const collateral = pcsResponses(answersOf(savedCollateral('tdx/tdx_quote_outdated_collateral.json')))
  return {
    quote: realEvidence('tdx/tdx_quote_outdated'),
    collateral,
    root: intelRoot,
    policy: { ...presetTdxPolicy(), minimumTcbEvaluationDataNumber: 18 },
    now: Date.UTC(2026, 1, 25),
  }
}

/** The bytes that the collector appended to the Sapphire Rapids quote to test parsers. */
const APPENDED = '\nextra bytes(only for testing purpose)\n'

export const SAPPHIRE_RAPIDS_CLOCK = 1_688_083_200_000

/** A Sapphire Rapids machine of June 2023. */
export function sapphireRapids(): { input: TdxInput; appended: Buffer } {
  const file = realEvidence('tdx/spr/tdx_prod_quote_SPR_E4.dat')
  const end = file.length - APPENDED.length
  const chain = `${tcbSigner2018}${rootPem}`
  const collateral = pcsResponses({
    tcbInfo: realEvidence('tdx/spr/tcb_info_v15_fmspc_50806f.json'),
    tcbInfoChain: chain,
    qeIdentity: realEvidence('tdx/spr/qe_identity_v15.json'),
    qeIdentityChain: chain,
    pckCrl: realEvidence('tdx/spr/pck_crl.der'),
    rootCrl: realEvidence('tdx/spr/root_crl.der'),
  })
  const policy: TdxPolicy = { ...presetTdxPolicy(), minimumTcbEvaluationDataNumber: 15 }
  return {
    input: { quote: file.subarray(0, end), collateral, root: intelRoot, policy, now: SAPPHIRE_RAPIDS_CLOCK },
    appended: file,
  }
}

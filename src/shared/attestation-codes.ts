import { enclaveCodes } from './attestation-codes/enclave.ts'
import { evidenceCodes } from './attestation-codes/evidence.ts'
import { nitroCodes } from './attestation-codes/nitro.ts'
import { serviceEnclaveCodes } from './attestation-codes/service-enclave.ts'
import { sevSnpCodes } from './attestation-codes/sev-snp.ts'
import { sigstoreCodes } from './attestation-codes/sigstore.ts'
import { tdxCodes } from './attestation-codes/tdx.ts'
import { v3Codes } from './attestation-codes/v3.ts'

/** Why a step of a verdict failed, in words a person reads. Codes are stable. */
export const attestationCodes = {
  ...evidenceCodes,
  ...sevSnpCodes,
  ...tdxCodes,
  ...nitroCodes,
  ...enclaveCodes,
  ...sigstoreCodes,
  ...v3Codes,
  ...serviceEnclaveCodes,
} as const

export type AttestationCode = keyof typeof attestationCodes

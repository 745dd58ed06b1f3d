import { enclaveCodes } from './codes/enclave.ts'
import { evidenceCodes } from './codes/evidence.ts'
import { nitroCodes } from './codes/nitro.ts'
import { serviceEnclaveCodes } from './codes/service-enclave.ts'
import { sevSnpCodes } from './codes/sev-snp.ts'
import { sigstoreCodes } from './codes/sigstore.ts'
import { tdxCodes } from './codes/tdx.ts'
import { v3Codes } from './codes/v3.ts'

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

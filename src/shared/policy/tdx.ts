import { z } from 'zod'
import { tcbStatuses } from '../../verifier/types.ts'
import { codePolicySchema, hexOf } from './code.ts'

const ZERO_REGISTER = '0'.repeat(96)

export const tcbStatusSchema = z.enum(tcbStatuses)
export type TcbStatus = z.infer<typeof tcbStatusSchema>

export const tdxPolicySchema = z.object({
  /** The floor of each of the 16 components of the TEE's TCB. */
  minimumTeeTcbSvn: hexOf(16),
  /** Exact: what a TD may do, and which processor state it may use. */
  tdAttributes: hexOf(8),
  xfam: hexOf(8),
  /** The measurements of Intel's TDX module that are accepted. */
  mrSeam: z.array(hexOf(48)).min(1),
  mrConfigId: hexOf(48).default(ZERO_REGISTER),
  mrOwner: hexOf(48).default(ZERO_REGISTER),
  mrOwnerConfig: hexOf(48).default(ZERO_REGISTER),
  /** Intel's collateral must be from this evaluation of its platforms, or a later one. */
  minimumTcbEvaluationDataNumber: z.int().min(0),
  /**
   * The accepted statuses by Intel of the platform with its TDX module and its quoting enclave, combined.
   */
  tcbStatuses: z
    .array(tcbStatusSchema.exclude(['Revoked']))
    .min(1)
    .default(['UpToDate']),
  /** Who may sign the measurements of virtual hardware (MRTD and RTMR0) that a TD may start on. */
  hardware: codePolicySchema,
})
export type TdxPolicy = z.infer<typeof tdxPolicySchema>

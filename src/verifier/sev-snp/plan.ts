import type { PlannedStep } from '../checklist.ts'

/** The steps of SEV-SNP evidence, in their order: form, chain, chip, signature, and only then what was signed. */
export const sevPlan = [
  { id: 'report/layout', title: 'Report has the layout of an SEV-SNP attestation report' },
  { id: 'vcek/form', title: 'Chip certificate has the format AMD issues' },
  { id: 'vcek/product', title: 'Processor product is accepted by the policy' },
  { id: 'amd/root', title: 'AMD root certificate is the one Sotto trusts' },
  { id: 'amd/intermediate', title: 'Intermediate certificate was issued by the AMD root' },
  { id: 'vcek/chain', title: 'Chip certificate was issued by AMD' },
  { id: 'vcek/validity', title: 'Chip certificate is valid now' },
  { id: 'amd/revocation', title: 'AMD hasn’t revoked the certificate chain', required: false },
  { id: 'vcek/chip', title: 'Chip certificate belongs to the reporting chip' },
  { id: 'vcek/tcb', title: 'Chip certificate matches the reporting firmware' },
  { id: 'report/signature', title: 'Report is signed by the chip' },
  {
    id: 'report/signer',
    title: 'Report is signed with the chip’s own key, not one lent to a cloud provider',
  },
  { id: 'report/debug', title: 'Guest debugging is disabled' },
  { id: 'report/migration', title: 'Guest migration is disabled' },
  { id: 'report/guest-policy', title: 'Guest policy meets the requirements' },
  { id: 'report/identity', title: 'Host data, image IDs and signing keys are as required' },
  { id: 'report/vmpl', title: 'Report was requested at the required privilege level' },
  { id: 'report/tcb', title: 'Firmware patch levels meet the minimum' },
  { id: 'report/committed-firmware', title: 'Current firmware is committed and can’t be rolled back' },
  { id: 'report/firmware-version', title: 'Firmware version meets the minimum' },
  { id: 'report/platform', title: 'Server memory is configured as required' },
] as const satisfies readonly PlannedStep[]

export type SevStep = (typeof sevPlan)[number]['id']

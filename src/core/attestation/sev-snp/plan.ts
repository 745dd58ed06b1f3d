import type { PlannedStep } from '../checklist.ts'

/** The steps of SEV-SNP evidence, in their order: form, chain, chip, signature, and only then what was signed. */
export const sevPlan = [
  { id: 'report/layout', title: 'The report has the layout of an SEV-SNP attestation report' },
  { id: 'vcek/form', title: 'The chip’s certificate is of the form that AMD issues' },
  { id: 'vcek/product', title: 'The processor is a product that the policy accepts' },
  { id: 'amd/root', title: 'AMD’s root certificate is the one trusted here' },
  { id: 'amd/intermediate', title: 'AMD’s root issued the intermediate certificate' },
  { id: 'vcek/chain', title: 'AMD issued the chip’s certificate' },
  { id: 'vcek/validity', title: 'The chip’s certificate is valid now' },
  { id: 'amd/revocation', title: 'AMD has not revoked the chain', required: false },
  { id: 'vcek/chip', title: 'The certificate is of the chip that reports' },
  { id: 'vcek/tcb', title: 'The certificate is of the firmware that reports' },
  { id: 'report/signature', title: 'The chip signed the report' },
  { id: 'report/signer', title: 'The chip’s own key signed, not one lent to a cloud provider' },
  { id: 'report/debug', title: 'The guest cannot be debugged' },
  { id: 'report/migration', title: 'The guest cannot be migrated' },
  { id: 'report/guest-policy', title: 'The guest’s policy is as required' },
  { id: 'report/vmpl', title: 'The report was asked for at the required privilege level' },
  { id: 'report/tcb', title: 'The firmware’s security patch levels reach the floor' },
  { id: 'report/committed-firmware', title: 'The firmware in use is committed and cannot be rolled back' },
  { id: 'report/firmware-version', title: 'The firmware’s version reaches the floor' },
  { id: 'report/platform', title: 'The machine’s memory is set up as required' },
] as const satisfies readonly PlannedStep[]

export type SevStep = (typeof sevPlan)[number]['id']

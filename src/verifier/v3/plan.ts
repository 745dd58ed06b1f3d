import type { PlannedStep } from '../checklist.ts'

/** The steps of an attestation document v3: form, our nonce, signed statements, hardware, and only then what the hardware signed. */
export const v3Plan = [
  { id: 'v3/document', title: 'Fresh evidence has the format of attestation document v3' },
  { id: 'v3/nonce', title: 'Fresh evidence answers the random number that Sotto just sent' },
  { id: 'v3/hashes', title: 'Keys and devices in the fresh evidence match their hashes' },
  { id: 'v3/code', title: 'Release in the fresh evidence is signed by its publisher' },
  { id: 'v3/code-freshness', title: 'Publisher confirmed this release within seven days' },
  { id: 'v3/platform', title: 'List of servers is signed by the publisher' },
  { id: 'v3/platform-freshness', title: 'Publisher confirmed the list of servers within seven days' },
  { id: 'v3/hardware', title: 'Fresh evidence is signed by hardware that meets every rule of Sotto' },
  { id: 'v3/signed', title: 'Hardware signed the random number and the keys' },
  { id: 'v3/machine', title: 'Server is on the publisher’s list' },
  { id: 'v3/measurement', title: 'Server runs the code of the confirmed release' },
  { id: 'v3/settings', title: 'Server is set up exactly as its publisher signed' },
  { id: 'v3/firmware', title: 'Server’s firmware meets its publisher’s minimum' },
  { id: 'v3/keys', title: 'Fresh evidence contains both keys of the enclave' },
  { id: 'v3/same-enclave', title: 'Keys and release are those in the service’s evidence' },
  { id: 'v3/devices', title: 'GPUs and switches are genuine', required: false },
] as const satisfies readonly PlannedStep[]

/** The same without a service: there is no other evidence to compare keys and release with. */
export const directPlan = v3Plan.filter(({ id }) => id !== 'v3/same-enclave')

export type V3Step = (typeof v3Plan)[number]['id']

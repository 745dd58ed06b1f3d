import type { PlannedStep } from '../checklist.ts'

export type NitroStep =
  | 'nitro/message'
  | 'nitro/document'
  | 'nitro/root'
  | 'nitro/chain'
  | 'nitro/chain-validity'
  | 'nitro/signature'
  | 'nitro/time'
  | 'nitro/nonce'
  | 'nitro/debug'
  | 'nitro/image'

/**
 * The steps of an AWS Nitro attestation document in the order of AWS's own description: form, chain, signature, and only then what was signed.
 * @param nonceIsGiven without one, the document may be a recorded one and nothing can be said of that
 */
export function nitroPlan(nonceIsGiven: boolean): readonly PlannedStep<NitroStep>[] {
  return [
    { id: 'nitro/message', title: 'The evidence is one signed message of the expected form' },
    { id: 'nitro/document', title: 'What was signed is an attestation document' },
    { id: 'nitro/root', title: 'AWS’s root certificate is the one trusted here' },
    { id: 'nitro/chain', title: 'AWS issued the certificate of the machine' },
    { id: 'nitro/chain-validity', title: 'Every certificate was valid when the document was made' },
    { id: 'nitro/signature', title: 'The machine signed the document' },
    { id: 'nitro/time', title: 'The document was made before now, and its certificates are valid still' },
    { id: 'nitro/nonce', title: 'The document was made for this request', required: nonceIsGiven },
    { id: 'nitro/debug', title: 'The enclave cannot be debugged' },
    { id: 'nitro/image', title: 'The enclave runs an image that the policy names' },
  ]
}

export type NitroKeyStep = 'nitro/keys'

export const nitroKeyPlan = [
  { id: 'nitro/keys', title: 'The document carries the enclave’s encryption key and names its TLS key' },
] as const satisfies readonly PlannedStep<NitroKeyStep>[]

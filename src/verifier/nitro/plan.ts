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
    { id: 'nitro/message', title: 'Evidence is one signed message in the expected format' },
    { id: 'nitro/document', title: 'Signed content is an attestation document' },
    { id: 'nitro/root', title: 'AWS root certificate is the one Sotto trusts' },
    { id: 'nitro/chain', title: 'Server’s certificate was issued by AWS' },
    { id: 'nitro/chain-validity', title: 'All certificates were valid when the document was created' },
    { id: 'nitro/signature', title: 'Document is signed by the server' },
    { id: 'nitro/time', title: 'Document was created in the past and its certificates are still valid' },
    { id: 'nitro/nonce', title: 'Document was created for this request', required: nonceIsGiven },
    { id: 'nitro/debug', title: 'Enclave debugging is disabled' },
    { id: 'nitro/image', title: 'Enclave image is named in the policy' },
  ]
}

export type NitroKeyStep = 'nitro/keys'

export const nitroKeyPlan = [
  { id: 'nitro/keys', title: 'Document contains the enclave’s encryption key and names its TLS key' },
] as const satisfies readonly PlannedStep<NitroKeyStep>[]

/** Every member of a Nitro attestation document (AWS, "Verifying the root of trust"), and of the message around it. */
export const documentFields = [
  { name: 'COSE headers', steps: ['nitro/message'] },
  { name: 'COSE signature', steps: ['nitro/signature'] },
  { name: 'module_id', steps: ['nitro/document'], note: 'any text; shown, and nothing is derived from it' },
  { name: 'digest', steps: ['nitro/document'] },
  { name: 'timestamp', steps: ['nitro/chain-validity', 'nitro/time'] },
  { name: 'pcrs 0, 1 and 2', steps: ['nitro/debug', 'nitro/image', 'measurement/pinned'] },
  {
    name: 'other pcrs',
    steps: ['nitro/document'],
    note: 'only their lengths; the enclave or its instance sets them',
  },
  { name: 'certificate', steps: ['nitro/chain', 'nitro/chain-validity', 'nitro/signature'] },
  { name: 'cabundle', steps: ['nitro/root', 'nitro/chain', 'nitro/chain-validity'] },
  { name: 'public_key', steps: ['nitro/keys'], note: 'the key that requests are sealed to' },
  { name: 'user_data', steps: ['nitro/keys', 'binding/tls-key'] },
  { name: 'nonce', steps: ['nitro/nonce'] },
  { name: 'any other member', steps: ['nitro/document'] },
] as const

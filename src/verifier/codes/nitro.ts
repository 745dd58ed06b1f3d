/** Codes about an AWS Nitro attestation document. */
export const nitroCodes = {
  'nitro/malformed': 'The attestation document isn’t one signed message in the format AWS requires.',
  'nitro/algorithm': 'The attestation document names a signature algorithm that isn’t accepted.',
  'nitro/unprotected-header': 'The attestation document contains an unsigned header.',
  'nitro/document-malformed': 'The signed content isn’t an attestation document.',
  'nitro/digest-unsupported': 'The attestation document’s measurements use a hash that isn’t accepted.',
  'nitro/root-invalid': 'The AWS root certificate isn’t valid.',
  'nitro/root-mismatch':
    'The attestation document’s certificates don’t start at the AWS root that Sotto trusts.',
  'nitro/certificate-malformed': 'A certificate in the attestation document has an invalid format.',
  'nitro/chain-invalid': 'The certificate that signed the attestation document wasn’t issued by AWS.',
  'nitro/certificate-not-valid-then':
    'One of the attestation document’s certificates wasn’t valid when the document was created.',
  'nitro/signature-invalid': 'The attestation document isn’t signed by the server.',
  'nitro/in-future': 'The attestation document’s timestamp is in the future.',
  'nitro/expired': 'The attestation document’s certificates have expired.',
  'nitro/nonce-missing': 'The attestation document contains no nonce, although Sotto sent one.',
  'nitro/nonce-mismatch': 'The attestation document was created for a different request.',
  'nitro/debug-enclave':
    'The enclave was started in debug mode. Its host can read its console, and its code isn’t measured.',
  'nitro/image-not-accepted': 'The enclave runs an image that isn’t named in the policy.',
  'nitro/hpke-key-missing': 'The attestation document contains no encryption key.',
  'nitro/tls-key-missing': 'The attestation document doesn’t name the enclave’s TLS key.',
} as const

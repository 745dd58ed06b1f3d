/** Of what binds the enclave: its keys, its certificate, its code. */
export const enclaveCodes = {
  'binding/tls-key': 'The enclave’s TLS key is not the one that its hardware attests.',
  'binding/hpke-key-missing': 'The hardware attests no encryption key.',
  'binding/hpke-key': 'The encryption key that the enclave’s certificate names is not the one that its hardware attests.',
  'binding/document': 'The enclave’s certificate was issued for other evidence than this.',
  'binding/host': 'The evidence belongs to another enclave host.',
  'certificate/malformed': 'The enclave’s TLS certificate does not have the form of one.',
  'certificate/unsuitable': 'The enclave’s TLS certificate is not one for a server.',
  'certificate/not-yet-valid': 'The enclave’s TLS certificate is not valid yet.',
  'certificate/expired': 'The enclave’s TLS certificate has expired.',
  'certificate/host': 'The enclave’s TLS certificate is for another host.',
  'measurement/mismatch': 'The enclave runs other code than the release that was logged.',
  'measurement/not-pinned': 'The enclave runs code that is not among the measurements you pinned.',
  'hardware/missing': 'The evidence does not bring the signed list of virtual hardware that such an enclave may start on.',
  'hardware/statement-invalid': 'The list of virtual hardware that the evidence brings was not made by whom the policy names.',
  'hardware/mismatch': 'The enclave was started on virtual hardware that the signed list does not know.',
  'release/not-pinned': 'The enclave runs a release that is not among those you pinned.',
} as const

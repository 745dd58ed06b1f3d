/** Codes about the enclave's keys, its certificate and its code. */
export const enclaveCodes = {
  'binding/tls-key': 'The enclave’s TLS key isn’t the one attested by its hardware.',
  'binding/hpke-key-missing': 'The hardware attests no encryption key.',
  'binding/hpke-key':
    'The encryption key in the enclave’s certificate isn’t the one attested by its hardware.',
  'binding/document': 'The enclave’s certificate names different evidence.',
  'binding/host': 'The evidence names another enclave host.',
  'certificate/malformed': 'The enclave’s TLS certificate has an invalid format.',
  'certificate/unsuitable': 'The enclave’s TLS certificate isn’t a server certificate.',
  'certificate/not-yet-valid': 'The enclave’s TLS certificate isn’t valid yet.',
  'certificate/expired': 'The enclave’s TLS certificate has expired.',
  'certificate/host': 'The enclave’s TLS certificate names another host.',
  'measurement/mismatch': 'The enclave runs different code from the logged release.',
  'measurement/not-pinned': 'The enclave runs code that doesn’t match any measurement you pinned.',
  'hardware/missing':
    'The evidence doesn’t include the signed list of virtual hardware this enclave may start on.',
  'hardware/statement-invalid':
    'The evidence’s virtual hardware list wasn’t built by the publisher named in the policy.',
  'hardware/mismatch': 'The enclave was started on virtual hardware that isn’t in the signed list.',
  'release/not-pinned': 'The enclave runs a release you haven’t pinned.',
  'release/too-old':
    'The release was logged too long ago for this version of Sotto. The service may be replaying old evidence.',
} as const

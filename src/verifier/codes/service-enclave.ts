/** Codes about the service's own enclave: its response to a nonce, and the image that it runs. */
export const serviceEnclaveCodes = {
  'service-enclave/answer-too-large': 'The enclave’s answer is larger than Sotto accepts.',
  'service-enclave/answer-malformed': 'The enclave’s answer has an invalid format.',
  'service-enclave/document-old': 'The attestation document was created more than five minutes ago.',
  'service-enclave/record-unreachable': 'The service’s record of its enclave images couldn’t be loaded.',
  'service-enclave/record-malformed': 'The service’s record of its enclave images has an invalid format.',
  'service-enclave/record-older':
    'The service’s record of its enclave images is older than one that Sotto has seen before.',
  'service-enclave/record-in-future': 'The service’s record of its enclave images has a date in the future.',
  'service-enclave/image-missing':
    'The attestation document doesn’t contain the measurement of the enclave’s image.',
  'service-enclave/image-not-published': 'The enclave runs an image that the service’s record doesn’t name.',
  'service-enclave/image-not-approved': 'The enclave runs an image that you haven’t approved.',
  'service-enclave/image-not-proven': 'The enclave runs an image that no verified build record names.',
  'service-enclave/key-differs':
    'The answer states a different encryption key from the one attested by the enclave’s hardware.',
  'service-enclave/tls-key-differs':
    'The TLS key in the answer isn’t the one attested by the enclave’s hardware.',
  'service-enclave/tls-fingerprint-differs':
    'The answer states a different TLS key fingerprint from the one attested by the enclave’s hardware.',
  'service-enclave/build-record-malformed': 'The build record of the enclave’s image has an invalid format.',
} as const

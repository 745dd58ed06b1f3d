/** Codes about an attestation document v3, which the enclave creates for Sotto's nonce. */
export const v3Codes = {
  'envelope/malformed': 'The fresh evidence doesn’t match its required format.',
  'envelope/unsupported-format': 'The fresh evidence has a format that this version of Sotto doesn’t know.',
  'envelope/superseded-v3': 'The fresh evidence has the format of an older enclave, which isn’t accepted.',
  'envelope/malformed-section': 'The keys or devices in the fresh evidence don’t have the required format.',
  'envelope/malformed-collateral':
    'The certificates or statements in the fresh evidence don’t have the required format.',
  'envelope/nonce-mismatch': 'The fresh evidence was created for a different request.',
  'envelope/section-hash-mismatch': 'The keys or devices in the fresh evidence don’t match their hashes.',
  'envelope/report-data-mismatch': 'The hardware signed something other than this request and these keys.',
  'collateral/missing': 'The fresh evidence lacks a certificate, list or statement that it must contain.',
  'code/predicate':
    'The release statement doesn’t describe the virtual machine that the release is made for.',
  'platform/policy-unsupported':
    'The publisher’s rules for its servers contain one that this version of Sotto doesn’t know. Update Sotto.',
  'platform/policy-malformed': 'The publisher’s rules for its servers don’t have the required format.',
  'policy/machine-not-endorsed': 'The server isn’t on the publisher’s list.',
  'policy/platform-mismatch': 'The publisher’s rules for this server are for a different type of hardware.',
  'freshness/artifact-mismatch': 'The publisher’s confirmation is for a different release or list.',
  'freshness/no-log-time': 'The publisher’s confirmation has no time from a public log.',
  'freshness/future':
    'The time of the publisher’s confirmation is in the future. Check this computer’s clock.',
  'freshness/unavailable': 'Fresh evidence couldn’t be fetched, and this policy requires it.',
  'freshness/stale': 'The publisher didn’t confirm this release or list within seven days.',
  'keys/missing': 'The fresh evidence lacks a key of the enclave.',
  'keys/format': 'A key in the fresh evidence doesn’t have the required format.',
  'keys/differ-from-service': 'The fresh evidence and the service’s evidence name different keys.',
  'release/differs-from-service': 'The fresh evidence and the service’s evidence name different releases.',
} as const

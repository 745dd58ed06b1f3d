/** Codes about the release: its builder, its source and its log entries. */
export const sigstoreCodes = {
  'sigstore/trust-root-invalid': 'The app’s built-in Sigstore roots can’t be read.',
  'sigstore/bundle-malformed':
    'The release signature isn’t a Sigstore v0.3 bundle with exactly one certificate and one signature.',
  'sigstore/log-entry-missing': 'The release signature has no public log entry.',
  'sigstore/log-entry-count': 'The release signature doesn’t have the allowed number of log entries.',
  'sigstore/timestamp-missing': 'The release’s signing time isn’t confirmed by a trusted source.',
  'sigstore/timestamp-invalid': 'The signing time isn’t confirmed by a trusted source.',
  'sigstore/certificate-chain-invalid':
    'The signer’s certificate wasn’t issued by a trusted Sigstore authority.',
  'sigstore/certificate-not-valid-then': 'The release was signed when the signer’s certificate wasn’t valid.',
  'sigstore/sct-missing': 'The signer’s certificate doesn’t show that it was publicly logged.',
  'sigstore/sct-duplicate-log': 'The signer’s certificate counts one certificate log twice.',
  'sigstore/sct-invalid': 'The proof that the signer’s certificate was publicly logged is invalid.',
  'sigstore/signature-invalid': 'The release signature doesn’t match the signed content.',
  'sigstore/log-key-untrusted': 'The release was logged in an untrusted log.',
  'sigstore/log-inclusion-invalid': 'The proof that the release signature is in the public log is invalid.',
  'sigstore/log-root-mismatch': 'The log entry’s proof doesn’t match the log state that the log signed.',
  'sigstore/log-entry-in-future': 'The release’s log time is in the future.',
  'sigstore/issuer-mismatch': 'The signer was identified by a different issuer than the policy requires.',
  'sigstore/repository-mismatch':
    'The release was built from a different repository than the policy requires.',
  'sigstore/ref-mismatch': 'The release was built from a ref that the policy doesn’t accept.',
  'sigstore/workflow-mismatch': 'The file wasn’t built by the release workflow.',
  'sigstore/runner-mismatch': 'The release wasn’t built on the type of runner that the policy requires.',
  'sigstore/commit-missing': 'The signer’s certificate doesn’t name the commit that was built.',
  'sigstore/payload-type': 'The signed content has the wrong type for a release statement.',
  'sigstore/statement-malformed': 'The signed content isn’t a valid release statement.',
  'sigstore/statement-type': 'The signed statement has an unsupported version or type.',
  'sigstore/predicate-type': 'The statement’s predicate type isn’t accepted by the policy.',
  'sigstore/subject-missing': 'The statement doesn’t name a file.',
  'sigstore/subject-digest-mismatch':
    'The statement is for a different file than the release named in the evidence.',
  'sigstore/predicate-member-missing': 'The statement is missing a required measurement.',
} as const

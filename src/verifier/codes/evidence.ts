/** Codes about the evidence as a whole. */
export const evidenceCodes = {
  'evidence/malformed': 'The evidence doesn’t match its required format.',
  'evidence/too-large': 'The evidence is larger than its format allows.',
  'evidence/format-unsupported':
    'The evidence is from a platform or in a format that this policy doesn’t accept.',
  'release/older': 'The enclave runs an older release than the newest one accepted here.',
  'release/not-yet-trusted':
    'The enclave runs a release you haven’t approved, and Sotto is set to require approval.',
  'verifier/internal': 'The check itself failed, so nothing was accepted.',
} as const

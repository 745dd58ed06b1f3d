/** Of the evidence as a whole. */
export const evidenceCodes = {
  'evidence/malformed': 'The evidence does not have the form that its format prescribes.',
  'evidence/too-large': 'The evidence is larger than its format allows.',
  'evidence/format-unsupported': 'The evidence is of a platform or format that this policy does not accept.',
  'release/older': 'The enclave runs an older release than the newest one accepted here.',
  'release/not-yet-trusted': 'The enclave runs a release that was never accepted here, and you chose to be asked first.',
  'verifier/internal': 'The check itself failed, so nothing was accepted.',
} as const

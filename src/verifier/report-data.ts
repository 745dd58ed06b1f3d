/** The keys that the v2 document binds to the hardware, in the 64 bytes of report data. */
export interface AttestedKeys {
  /** SHA-256 of the DER SubjectPublicKeyInfo of the enclave's TLS key. */
  readonly tlsKeyFingerprint: Uint8Array
  /** Raw X25519. */
  readonly hpkePublicKey: Uint8Array
}

/** @param reportData 64 bytes of an authenticated report */
export function attestedKeys(reportData: Uint8Array): AttestedKeys {
  return { tlsKeyFingerprint: reportData.subarray(0, 32), hpkePublicKey: reportData.subarray(32, 64) }
}

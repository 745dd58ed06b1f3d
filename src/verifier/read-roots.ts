import type { TrustSet } from './contract.ts'
import { readTrustedRoot } from './sigstore/index.ts'
import { parseCertificate, publicKeyOf } from './x509/index.ts'

/**
 * Parses the roots of a trust set and their keys before the first verdict needs them. The parsers cache the
 * results by their bytes. Verifies nothing, and skips an unreadable root, because the verdict reports it.
 * Never throws.
 */
export function readRoots({ amd, intelSgxRoot, awsNitroRoot, sigstoreTrustedRoot }: TrustSet): void {
  const certificates = [
    ...Object.values(amd).flatMap(({ ark, ask }) => [ark, ask]),
    intelSgxRoot,
    awsNitroRoot,
  ]
  for (const read of [
    ...certificates.map((der) => () => der && publicKeyOf(parseCertificate(der))),
    () => readTrustedRoot(sigstoreTrustedRoot),
  ]) {
    try {
      read()
    } catch {
      continue
    }
  }
}

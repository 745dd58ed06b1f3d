import type { TrustSet } from './contract.ts'
import { readTrustedRoot } from './sigstore/index.ts'
import { parseCertificate, publicKeyOf } from './x509/index.ts'

/**
 * Reads the roots of a trust set, and makes their keys, ahead of a verdict that would do so itself: what was parsed is remembered by its
 * bytes. Nothing is judged here. A root that cannot be read is left for the verdict to say so. Never throws.
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

import type { SandboxFault } from '../../../shared/sandbox-faults.ts'
import { bootEnclave, type EnclaveKeys } from '../enclave.ts'
import { fulcioKeys, type MachineRequest } from '../evidence.ts'
import type { FulcioKeys } from '../fulcio.ts'
import { rekorOf, type Rekor } from '../rekor.ts'
import { currentRelease, olderRelease, type Release } from '../release.ts'
import type { Roots } from '../roots.ts'

/** The platforms that document v3 has a form for. */
export type DocumentPlatform = 'sev-snp' | 'tdx'

/** One enclave at one moment, with everything that signs for it. */
export interface MintingWorld extends MachineRequest {
  readonly platform: DocumentPlatform
  readonly keys: EnclaveKeys
  readonly rekor: Rekor
  readonly fulcio: FulcioKeys
}

export interface MintingWorldOptions {
  readonly roots: Roots
  /** SEV-SNP if missing. */
  readonly platform?: DocumentPlatform
  /** Unix ms; the current time if missing. */
  readonly now?: number
  /** The enclave's keys; newly generated if missing. */
  readonly keys?: EnclaveKeys
  readonly faults?: ReadonlySet<SandboxFault>
  /** The current release if missing, or the one before it with the fault `older-release`. */
  readonly release?: Release
}

/** Gathers what minting a document needs. */
export function createMintingWorld(options: MintingWorldOptions): MintingWorld {
  const { roots, platform = 'sev-snp', now = Date.now(), keys = bootEnclave(), faults = new Set() } = options
  const release = options.release ?? (faults.has('older-release') ? olderRelease(now) : currentRelease(now))
  return { roots, platform, now, keys, faults, release, rekor: rekorOf(roots), fulcio: fulcioKeys(roots) }
}

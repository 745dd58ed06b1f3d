import { randomBytes } from 'node:crypto'
import type { SandboxFault } from '../../../shared/sandbox-faults.ts'
import type { FaultSwitches } from '../../faults.ts'
import { day } from '../../profile.ts'
import { type Enclave, bootEnclave, type EnclaveKeys } from '../enclave.ts'
import { type CollateralItem, evidenceFaults, fulcioKeys, type MachineRequest } from '../evidence.ts'
import type { FulcioKeys } from '../fulcio.ts'
import { DeskCache } from '../evidence-desk.ts'
import { rekorOf, type Rekor } from '../rekor.ts'
import { currentRelease, olderRelease, type Release } from '../release.ts'
import type { Roots } from '../roots.ts'
import { mintDocument } from './document.ts'
import { mintReferenceValues } from './reference-values.ts'

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

/** The publisher signs witnesses every five days; they count for seven. */
const witnessInterval = 5 * day

const documentFaults = [
  ...evidenceFaults,
  'v3-other-key',
  'v3-stale-witness',
  'v3-machine-unknown',
] as const satisfies readonly SandboxFault[]

/** Answers nonces for the enclave as it is now. Only the four signed entries are cached. */
export class DocumentDesk {
  readonly #roots: () => Promise<Roots>
  readonly #enclave: Enclave
  readonly #switches: FaultSwitches
  readonly #now: () => number
  readonly #values = new DeskCache<CollateralItem[]>(witnessInterval)

  constructor(roots: () => Promise<Roots>, enclave: Enclave, switches: FaultSwitches, now: () => number) {
    this.#roots = roots
    this.#enclave = enclave
    this.#switches = switches
    this.#now = now
  }

  /**
   * @param nonce 32 bytes
   * @returns the document as JSON text; undefined if the enclave can't answer now: on Nitro, and with the fault `v3-unavailable`
   */
  async answer(nonce: Uint8Array): Promise<string | undefined> {
    const { platform, keys } = this.#enclave
    if (platform === 'nitro' || this.#switches.on('v3-unavailable')) return undefined
    const faults = new Set<SandboxFault>(documentFaults.filter((fault) => this.#switches.on(fault)))
    const replayed = this.#switches.on('v3-other-nonce')
    const world = createMintingWorld({ roots: await this.#roots(), platform, keys, faults, now: this.#now() })
    const referenceValues = await this.#values.get(
      [world.release.tag, [...faults].join(' ')],
      world.now,
      () => Promise.resolve(mintReferenceValues(world)),
    )
    return JSON.stringify(mintDocument(world, { nonce: replayed ? randomBytes(32) : nonce, referenceValues }))
  }
}

import type { SandboxFault } from '../../shared/sandbox-faults.ts'
import type { FaultSwitches } from '../faults.ts'
import type { Enclave, EnclaveKeys } from './enclave.ts'
import { evidenceFaults, mintEvidence, type EvidenceBundle } from './evidence.ts'
import { rekorOf } from './rekor.ts'
import { currentRelease } from './release.ts'
import type { Roots } from './roots.ts'

/** Evidence is generated again after a day, long before its certificate of 90 days expires. */
const longest = 24 * 3600_000

interface Minted {
  /** A boot's own: a rotation, or another platform, brings others. */
  readonly keys: EnclaveKeys
  readonly faults: string
  readonly release: string
  /** Unix ms. */
  readonly at: number
  readonly bundle: Promise<EvidenceBundle>
}

/**
 * Provides the current evidence of the enclave, cached until its keys, platform, release or faults change.
 * A Nitro document is generated for each request.
 */
export class EvidenceDesk {
  readonly #roots: () => Promise<Roots>
  readonly #enclave: Enclave
  readonly #switches: FaultSwitches
  readonly #now: () => number
  #minted: Minted | undefined

  constructor(roots: () => Promise<Roots>, enclave: Enclave, switches: FaultSwitches, now: () => number) {
    this.#roots = roots
    this.#enclave = enclave
    this.#switches = switches
    this.#now = now
  }

  /** The bundle as JSON text; waits for the roots. @param nonce to include in the evidence */
  async bundle(nonce: Uint8Array | null = null): Promise<string> {
    return JSON.stringify(await this.#current(nonce))
  }

  /** The attestation document v2, which the enclave serves to callers that send no nonce. */
  async document(): Promise<EvidenceBundle['enclaveAttestationReport']> {
    return (await this.#current(null)).enclaveAttestationReport
  }

  #current(nonce: Uint8Array | null): Promise<EvidenceBundle> {
    const faults = new Set<SandboxFault>(evidenceFaults.filter((fault) => this.#switches.on(fault)))
    const at = this.#now()
    const { keys, platform } = this.#enclave
    if (platform === 'nitro') return this.#mint({ platform, keys, faults, nonce, now: at })
    const wanted = { keys, faults: [...faults].join(' '), release: currentRelease(at).tag }
    const stored = this.#minted
    if (
      stored?.keys === keys &&
      stored.faults === wanted.faults &&
      stored.release === wanted.release &&
      at >= stored.at &&
      at - stored.at < longest
    )
      return stored.bundle
    const bundle = this.#mint({ platform, keys, faults, nonce: null, now: at })
    const minted = { ...wanted, at, bundle }
    this.#minted = minted
    bundle.catch(() => {
      if (this.#minted === minted) this.#minted = undefined
    })
    return bundle
  }

  async #mint(request: Omit<Parameters<typeof mintEvidence>[0], 'roots' | 'rekor'>): Promise<EvidenceBundle> {
    const roots = await this.#roots()
    return mintEvidence({ ...request, roots, rekor: rekorOf(roots) })
  }
}

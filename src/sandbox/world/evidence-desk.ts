import type { SandboxFault } from '../../shared/sandbox-faults.ts'
import type { FaultSwitches } from '../faults.ts'
import { day } from '../profile.ts'
import type { Enclave } from './enclave.ts'
import { evidenceFaults, mintEvidence, type EvidenceBundle } from './evidence.ts'
import { rekorOf } from './rekor.ts'
import { currentRelease } from './release.ts'
import type { Roots } from './roots.ts'

/** Evidence is generated again after a day, long before its certificate of 90 days expires. */
const longest = day

/** Caches one value, until it is asked for with another key or after its time. A failure isn't cached. */
export class DeskCache<T> {
  readonly #longest: number
  #cached: { readonly key: readonly unknown[]; readonly at: number; readonly value: Promise<T> } | undefined

  /** @param longest how long a value is used, in ms */
  constructor(longest: number) {
    this.#longest = longest
  }

  /**
   * @param key what the value depends on; its members are compared by identity
   * @param at Unix ms
   */
  get(key: readonly unknown[], at: number, make: () => Promise<T>): Promise<T> {
    const stored = this.#cached
    if (
      stored?.key.every((member, index) => member === key[index]) &&
      at >= stored.at &&
      at - stored.at < this.#longest
    )
      return stored.value
    const cached = { key, at, value: make() }
    this.#cached = cached
    cached.value.catch(() => {
      if (this.#cached === cached) this.#cached = undefined
    })
    return cached.value
  }
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
  readonly #minted = new DeskCache<EvidenceBundle>(longest)

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
    // A boot has its own keys: a rotation, or another platform, brings others.
    return this.#minted.get([keys, [...faults].join(' '), currentRelease(at).tag], at, () =>
      this.#mint({ platform, keys, faults, nonce: null, now: at }),
    )
  }

  async #mint(request: Omit<Parameters<typeof mintEvidence>[0], 'roots' | 'rekor'>): Promise<EvidenceBundle> {
    const roots = await this.#roots()
    return mintEvidence({ ...request, roots, rekor: rekorOf(roots) })
  }
}

import type { SandboxFault } from '../shared/sandbox-faults.ts'

/** In the order of the specification of faults; the compiler holds the list complete. */
const known = {
  'other-measurement': true,
  'swapped-key': true,
  'debug-guest': true,
  'old-tcb': true,
  'expired-certificate': true,
  'revoked-certificate': true,
  'expired-collateral': true,
  'missing-collateral': true,
  'tcb-out-of-date': true,
  'rtmr3-not-zero': true,
  'other-hardware': true,
  'forged-hardware-list': true,
  'wrong-nonce': true,
  'wrong-repository': true,
  'other-host': true,
  'older-release': true,
  'oversized-evidence': true,
  'gzip-bomb': true,
  'key-rotation': true,
  'plaintext-200': true,
  'cut-inside-frame': true,
  'cut-on-frame-boundary': true,
  'stalled-stream': true,
  'status-401': true,
  'status-402': true,
  'status-429': true,
  'status-500-html': true,
  'error-inside-answer': true,
  'v3-other-nonce': true,
  'v3-other-key': true,
  'v3-stale-witness': true,
  'v3-machine-unknown': true,
  'v3-unavailable': true,
  'relay-other-image': true,
  'relay-older-record': true,
  'relay-key-rotation': true,
  'relay-swapped-model': true,
  'relay-foreign-upstream': true,
  'relay-missing-receipt': true,
  'relay-forged-receipt': true,
  'relay-other-request': true,
} satisfies Record<SandboxFault, true>

export function isSandboxFault(name: string): name is SandboxFault {
  return Object.hasOwn(known, name)
}

/** Which faults are switched on, now. */
export class FaultSwitches {
  readonly #on = new Set<SandboxFault>()
  /** Faults that happen once and have happened since they were switched on. */
  readonly #used = new Set<SandboxFault>()

  on(fault: SandboxFault): boolean {
    return this.#on.has(fault)
  }

  /** True the first time after the fault was switched on. */
  firstUse(fault: SandboxFault): boolean {
    if (!this.#on.has(fault) || this.#used.has(fault)) return false
    this.#used.add(fault)
    return true
  }

  list(): SandboxFault[] {
    return [...this.#on]
  }

  /** @throws RangeError for a name that is no fault: a misspelt switch must not pass for one that was thrown. */
  set(fault: SandboxFault, on: boolean): void {
    if (!Object.hasOwn(known, fault)) throw new RangeError(`unknown sandbox fault: ${fault}`)
    this.#used.delete(fault)
    if (on) this.#on.add(fault)
    else this.#on.delete(fault)
  }
}

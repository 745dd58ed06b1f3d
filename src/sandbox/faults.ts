import type { SandboxFault } from '../shared/sandbox-faults.ts'

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

  set(fault: SandboxFault, on: boolean): void {
    this.#used.delete(fault)
    if (on) this.#on.add(fault)
    else this.#on.delete(fault)
  }
}

import type { SandboxWalletFault } from '../../shared/sandbox-wallet-faults.ts'

/** The faults that the simulated wallet supports. */
const known = {
  /** Does nothing and sends no response. */
  silent: true,
  /** Pays, and its answer is lost. */
  'lost-reply': true,
  /** Pays, and answers when the fault is lifted. */
  'late-reply': true,
  /** Waits some seconds before it pays. */
  slow: true,
  /** The money is locked and not taken until the fault is lifted: a hold invoice. */
  held: true,
  'insufficient-balance': true,
  quota: true,
  /** Finds no route. */
  'payment-failed': true,
  /** Pays, and shows no preimage until it is asked what became of it. */
  'empty-preimage': true,
  /** Pays, and shows the preimage of something else until it is asked what became of it. */
  'wrong-preimage': true,
  /** Pays and answers, and knows of no payment when it is asked. */
  forgetful: true,
  /** The relay is closed, and its connections are cut. */
  'relay-gone': true,
} as const satisfies Readonly<Record<SandboxWalletFault, true>>

export type WalletFault = keyof typeof known

export function isWalletFault(name: string): name is WalletFault {
  return Object.hasOwn(known, name)
}

/** At most one at a time. */
export class WalletFaults {
  #fault: WalletFault | null = null
  readonly #waiting = new Set<() => void>()

  get now(): WalletFault | null {
    return this.#fault
  }

  set(fault: WalletFault | null): void {
    this.#fault = fault
    for (const go of this.#waiting) go()
    this.#waiting.clear()
  }

  /** Resolves when the fault changes or ends. */
  lifted(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve))
  }
}

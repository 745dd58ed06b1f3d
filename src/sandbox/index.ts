import type { Sandbox, SandboxOptions } from './sandbox.ts'

export type { LedgerEntry, Pace, ReceivedRequest, Sandbox, SandboxOptions } from './sandbox.ts'

/** Opens the pretended service on 127.0.0.1. Its roots are minted after it has returned. */
export function startSandbox(_options: SandboxOptions): Promise<Sandbox> {
  return Promise.reject(new Error('the sandbox is being built'))
}

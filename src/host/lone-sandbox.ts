import { startSandbox, type Sandbox, type SandboxOptions } from '../sandbox/index.ts'

/** The pretended service alone, for other clients to try. Its clock is this machine's, and its keys are its own. */
export function startLoneSandbox(options: Omit<SandboxOptions, 'now' | 'seed'>): Promise<Sandbox> {
  return startSandbox(options)
}

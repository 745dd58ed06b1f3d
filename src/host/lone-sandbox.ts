import { startSandbox, type Sandbox, type SandboxOptions } from '../sandbox/index.ts'

/**
 * The pretended service alone, for other clients to try. Its clock is this machine's, and its roots are its own: a seed
 * makes accounts and keys of play money repeatable, and nothing that evidence is signed with.
 */
export function startLoneSandbox(options: Omit<SandboxOptions, 'now'>): Promise<Sandbox> {
  return startSandbox(options)
}

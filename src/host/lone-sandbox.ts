import { msg } from '../shared/localized-text.ts'
import { startRealLightning, startSandbox, type Sandbox, type SandboxOptions } from '../sandbox/index.ts'
import { SettingError } from './log-settings.ts'

interface LoneSandboxOptions extends Omit<SandboxOptions, 'now' | 'lightning'> {
  /** `ldk`: two real nodes in this process create and settle the invoices. */
  readonly lightning: 'simulated' | 'ldk'
}

/**
 * Starts only the simulated service, for use by other clients. Its clock is this computer's, and its roots
 * are separate. A seed makes accounts and keys of play money repeatable, but no key that signs evidence.
 * Throws SettingError if real nodes aren't available.
 */
export async function startLoneSandbox({ lightning, ...options }: LoneSandboxOptions): Promise<Sandbox> {
  if (lightning === 'simulated') return startSandbox(options)
  const nodes = await startRealLightning()
  if (!nodes)
    throw new SettingError(
      msg(
        'Real Lightning nodes require the development dependency lightningdevkit. Install it with npm install.',
      ),
    )
  return startSandbox({ ...options, lightning: () => Promise.resolve(nodes) })
}

import { msg } from '../shared/localized-text.ts'
import { startRealLightning, startSandbox, type Sandbox, type SandboxOptions } from '../sandbox/index.ts'
import { SettingError } from './log-settings.ts'

interface LoneSandboxOptions extends Omit<SandboxOptions, 'now' | 'lightning'> {
  /** `ldk`: invoices are made and settled by two real nodes, which stay in this process. */
  readonly lightning: 'pretended' | 'ldk'
}

/**
 * The pretended service alone, for other clients to try. Its clock is this machine's, and its roots are its own: a seed
 * makes accounts and keys of play money repeatable, and nothing that evidence is signed with. Throws SettingError where
 * there are no real nodes to be had.
 */
export async function startLoneSandbox({ lightning, ...options }: LoneSandboxOptions): Promise<Sandbox> {
  if (lightning === 'pretended') return startSandbox(options)
  const nodes = await startRealLightning()
  if (!nodes)
    throw new SettingError(
      msg(
        'Real Lightning nodes require the development dependency lightningdevkit. Install it with npm install.',
      ),
    )
  return startSandbox({ ...options, lightning: () => Promise.resolve(nodes) })
}

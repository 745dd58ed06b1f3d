import type { ErrorCode } from '../../shared/error-codes.ts'
import type { LogSettings } from './create-log.ts'

export interface FailedLogSettings {
  /** Absent: nothing is logged. */
  readonly log?: LogSettings
  readonly dataDir: string
}

/**
 * Logs that Sotto couldn't start, or that it ended with an error. The log of the running Sotto is closed by then, or was never
 * opened, so this opens one for a single line.
 *
 * @param code of the error. Its sentence isn't logged, because it can contain paths and addresses.
 */
export async function logFailure(
  { log: settings, dataDir }: FailedLogSettings,
  code: ErrorCode,
): Promise<void> {
  if (!settings) return
  // Loaded here, because a Sotto without a log never needs it.
  const { createLog } = await import('./create-log.ts')
  const { log, close } = await createLog(settings, dataDir)
  log('sotto/failed', { code })
  await close()
}

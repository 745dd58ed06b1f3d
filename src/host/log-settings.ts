import { logLevels } from '../shared/log-events.ts'
import { msg, renderEnglish, type LocalizedText } from '../shared/localized-text.ts'
import type { LogSettings } from './log/create-log.ts'

/** A setting, of the environment, a flag or a file, that cannot be used. */
export class SettingError extends Error {
  override name = 'SettingError'
  readonly reason: LocalizedText

  constructor(reason: LocalizedText, options?: ErrorOptions) {
    super(renderEnglish(reason), options)
    this.reason = reason
  }
}

export interface LogFlags {
  readonly logLevel?: string
  readonly logTo?: string
}

/** Undefined if logging is off, which is the default. Throws SettingError. */
export function readLogSettings(environment: NodeJS.ProcessEnv, flags: LogFlags): LogSettings | undefined {
  const asked = flags.logLevel ?? (environment['SOTTO_LOG_LEVEL'] || 'silent')
  const to = flags.logTo ?? (environment['SOTTO_LOG_TO'] || 'file')
  if (to !== 'file' && to !== 'stderr') throw new SettingError(msg('--log-to accepts file or stderr.'))
  if (asked === 'silent') return undefined
  const level = logLevels.find((known) => known === asked)
  if (level === undefined)
    throw new SettingError(msg('--log-level accepts silent, {levels}.', { levels: logLevels.join(', ') }))
  return { level, to }
}

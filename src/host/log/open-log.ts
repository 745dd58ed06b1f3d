import { pino } from 'pino'
import type { Log, LogLevel } from '../../shared/log-events.ts'
import { closedForm } from '../../shared/closed-log-form.ts'
import { closeLogFile, openLogFile } from './log-file.ts'

export interface LogSettings {
  readonly level: LogLevel
  readonly to: 'file' | 'stderr'
}

export interface OpenedLog {
  readonly log: Log
  readonly close: () => Promise<void>
}

/** Opens the log: lines of JSON, `{ level, time, event, … }` with `time` in Unix ms, on standard error or in the data folder. */
export async function openLog({ level, to }: LogSettings, dataDir: string): Promise<OpenedLog> {
  const file = to === 'file' ? await openLogFile(dataDir) : null
  const logger = pino(
    { level, base: null, formatters: { level: (label) => ({ level: label }) } },
    file ?? pino.destination({ fd: 2, sync: true }),
  )
  return {
    log(name, fields) {
      const { level: of, line } = closedForm(name, fields)
      logger[of](line)
    },
    close: () => (file ? closeLogFile(file) : Promise.resolve()),
  }
}

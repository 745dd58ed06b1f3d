import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { createStream, type RotatingFileStream } from 'rotating-file-stream'
import { closedForm, type Log, type LogLevel } from '../../shared/log-events.ts'

/** The newest file and three before it: 20 MB at most. */
const FILE_SIZE = '5M'
const OLDER_FILES = 3

/**
 * Opens `logs/sotto.log` of the data folder, which only its owner can read. A failure to write is ignored
 * and stops nothing.
 */
export async function createLogFile(
  dataDir: string,
  size: `${number}${'K' | 'M'}` = FILE_SIZE,
): Promise<RotatingFileStream> {
  const path = join(dataDir, 'logs')
  // If this fails, opening the file fails too.
  await mkdir(path, { recursive: true, mode: 0o700 }).catch(() => undefined)
  const file = createStream('sotto.log', { path, size, rotate: OLDER_FILES, mode: 0o600 })
  file.on('error', () => undefined)
  return file
}

/** Resolves when everything is on disk, or cannot be. */
export function closeLogFile(file: RotatingFileStream): Promise<void> {
  return new Promise((closed) => {
    file.once('error', () => closed())
    file.once('close', () => closed())
    file.end()
  })
}

export interface LogSettings {
  readonly level: LogLevel
  readonly to: 'file' | 'stderr'
}

interface OpenedLog {
  readonly log: Log
  readonly close: () => Promise<void>
}

/** Opens the log: lines of JSON, `{ level, time, event, … }` with `time` in Unix ms, on standard error or in the data folder. */
export async function createLog({ level, to }: LogSettings, dataDir: string): Promise<OpenedLog> {
  const file = to === 'file' ? await createLogFile(dataDir) : null
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

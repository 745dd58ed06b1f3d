import { homedir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { DEFAULT_BODY_MEMORY_BYTES, MIN_BODY_MEMORY_BYTES } from '../shared/body-budget.ts'
import { msg } from '../shared/localized-text.ts'
import type { VaultMode } from '../core/core.ts'
import type { LogSettings } from './log/create-log.ts'
import { readLogSettings, type LogFlags, SettingError } from './log-settings.ts'
import { takePassphrase } from './passphrase.ts'
import {
  readRemoteAccess,
  type RemoteAccessFlags,
  type RemoteAccessSettings,
} from './remote-access-settings.ts'

export { SettingError } from './log-settings.ts'

const DEFAULT_PORT = 8402

export interface Settings extends RemoteAccessSettings {
  readonly dataDir: string
  readonly port: number
  /** A port that was asked for is meant; only the default one moves on. */
  readonly portMayMove: boolean
  /** 0: any free port. */
  readonly uiPort: number
  /** The most memory that all request bodies may take together. */
  readonly bodyMemoryBytes: number
  readonly vault: VaultMode
  /** The host deletes it once it has opened the vault: a locked Sotto must not hold it. */
  passphrase?: string
  /** Absent: nothing is logged. */
  readonly log?: LogSettings
}

/** The settings on a command line, which override the environment. */
export interface SettingFlags extends RemoteAccessFlags, LogFlags {
  /** 0: any free port. */
  readonly port?: number
  readonly uiPort?: number
}

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((value) => value <= 65_535)
const MIB = 1024 * 1024
/** In MiB. A value below the largest body would always refuse that body. */
const bodyMemory = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((value) => value * MIB >= MIN_BODY_MEMORY_BYTES)
  .transform((value) => value * MIB)
const vaultMode = z.enum(['auto', 'keychain', 'file', 'memory'])

/**
 * Reads flags and SOTTO_* once. The passphrase and the name of its file are deleted from `environment`.
 *
 * @throws {SettingError} if a setting can't be used
 */
export async function readSettings(
  environment: NodeJS.ProcessEnv = process.env,
  flags: SettingFlags = {},
): Promise<Settings> {
  const passphrase = await takePassphrase(environment)
  const asked = flags.port ?? optional(port, environment, 'SOTTO_PORT')
  const dataDir = environment['SOTTO_DATA_DIR'] || defaultDataDir(environment)
  const log = readLogSettings(environment, flags)
  return {
    dataDir,
    port: asked ?? DEFAULT_PORT,
    portMayMove: asked === undefined,
    uiPort: flags.uiPort ?? optional(port, environment, 'SOTTO_UI_PORT') ?? 0,
    bodyMemoryBytes: optional(bodyMemory, environment, 'SOTTO_MAX_BODY_MEMORY') ?? DEFAULT_BODY_MEMORY_BYTES,
    vault: optional(vaultMode, environment, 'SOTTO_VAULT') ?? 'auto',
    ...(passphrase !== undefined && { passphrase }),
    ...(await readRemoteAccess(dataDir, environment, flags)),
    ...(log && { log }),
  }
}

function optional<T>(
  schema: z.ZodType<T, string>,
  environment: NodeJS.ProcessEnv,
  name: string,
): T | undefined {
  const value = environment[name]
  if (value === undefined || value === '') return undefined
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new SettingError(msg('{name} has an invalid value.', { name }))
  return parsed.data
}

function defaultDataDir(environment: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32')
    return join(environment['APPDATA'] || join(homedir(), 'AppData', 'Roaming'), 'Sotto')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Sotto')
  return join(environment['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'), 'sotto')
}

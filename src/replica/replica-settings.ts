import { z } from 'zod'
import { SettingError } from '../host/log-settings.ts'
import { readSecretFile } from '../host/private-file.ts'
import { msg } from '../shared/localized-text.ts'
import { readAdminSettings, type AdminSettings } from './team/admin-settings.ts'
import { hasVaultKey, takeVaultKey } from './vault-key-source.ts'
import { parseDatabaseAddress, type DatabaseAddress } from './database-address.ts'

const URL_FILE = 'SOTTO_DATABASE_URL_FILE'
const API_KEY_FILE = 'SOTTO_API_KEY_FILE'
const MAX_LENGTH = 4096
const MAX_GRACE_SECONDS = 3600
const MAX_RETENTION_DAYS = 3650
const DEFAULT_RETENTION_DAYS = 90

/** The settings of a replica, in addition to those of every `sotto serve`. */
export interface ReplicaSettings {
  readonly address: DatabaseAddress
  /** ID of the service's profile, or `sandbox`. */
  readonly service: string
  /** Absent for the sandbox, and if the API key is in the vault. */
  readonly account?: { readonly apiKey: string }
  /** 32 bytes, which the start zeroes. Without them, replicas share no secrets, pins and payments. */
  readonly vaultKey?: Uint8Array
  /** How long private requests of unlimited keys continue while the database is away, in ms. */
  readonly graceMs: number
  /** Absent: no admin page. */
  readonly admin?: AdminSettings
  /** How long receipts and absences are saved, in days. */
  readonly retentionDays: number
}

/**
 * Reads the database's address from `--database`, or from the private file that SOTTO_DATABASE_URL_FILE names.
 * @throws {SettingError} there is none, or the file isn't private
 * @throws {SottoError} database/address
 */
export async function readDatabaseAddress(
  flag: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<DatabaseAddress> {
  const text = flag ?? (await readSecret(URL_FILE, environment))
  if (text === undefined)
    throw new SettingError(
      msg('Name the database with --database, or in a file with {variable}.', { variable: URL_FILE }),
    )
  return parseDatabaseAddress(text)
}

/**
 * Reads SOTTO_SERVICE, SOTTO_API_KEY_FILE, the settings of the admin page, SOTTO_DATABASE_GRACE (seconds) and SOTTO_RETENTION_DAYS.
 * @throws {SettingError} a setting is missing or invalid
 */
export async function readReplicaSettings(
  flag: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<ReplicaSettings> {
  const address = await readDatabaseAddress(flag, environment)
  const service = environment['SOTTO_SERVICE']
  if (!service)
    throw new SettingError(
      msg('Set {variable} to the ID of a service, or to “sandbox”.', { variable: 'SOTTO_SERVICE' }),
    )
  const apiKey = await readSecret(API_KEY_FILE, environment)
  const admin = await readAdminSettings(environment)
  const vaultKey = hasVaultKey(environment) ? await takeVaultKey(environment) : undefined
  if (apiKey === undefined && vaultKey === undefined && service !== 'sandbox')
    throw new SettingError(msg('Set {variable} to a file with the API key.', { variable: API_KEY_FILE }))
  return {
    address,
    service,
    ...(apiKey !== undefined && { account: { apiKey } }),
    ...(vaultKey && { vaultKey }),
    ...(admin && { admin }),
    graceMs:
      1000 * wholeNumber('SOTTO_DATABASE_GRACE', environment, { most: MAX_GRACE_SECONDS, otherwise: 0 }),
    retentionDays: wholeNumber('SOTTO_RETENTION_DAYS', environment, {
      least: 1,
      most: MAX_RETENTION_DAYS,
      otherwise: DEFAULT_RETENTION_DAYS,
    }),
  }
}

async function readSecret(name: string, environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const path = environment[name]
  return path ? readSecretFile({ name, path, maxLength: MAX_LENGTH, environment }) : undefined
}

function wholeNumber(
  name: string,
  environment: NodeJS.ProcessEnv,
  {
    least = 0,
    most,
    otherwise,
  }: { readonly least?: number; readonly most: number; readonly otherwise: number },
): number {
  const text = environment[name]
  if (!text) return otherwise
  const parsed = z.coerce.number().int().min(least).max(most).safeParse(text)
  if (!parsed.success) throw new SettingError(msg('{name} has an invalid value.', { name }))
  return parsed.data
}

import { presetProfiles } from '../host/resources.ts'
import { SettingError } from '../host/log-settings.ts'
import { readSecretFile } from '../host/private-file.ts'
import type { SpendingLimitsText } from '../shared/lightning.ts'
import { msg } from '../shared/localized-text.ts'
import type { Profile } from '../shared/profile.ts'
import { asksBeforeNew, setAsksBeforeNew, writeNarrowing } from '../core/gateway/privacy-choices.ts'
import type { Store } from '../core/storage/index.ts'
import { SottoError } from '../shared/errors.ts'
import { policyNarrowingSchema } from '../shared/policy/narrowing.ts'
import { tryParseJson } from '../shared/strict-json.ts'
import type { Database } from './database.ts'
import { rotateVaultKey } from './shared-vault.ts'
import { SharedTrust } from './shared-trust.ts'
import { saveTeamApiKey, unlockTeamVault } from './team-records.ts'
import { connectTeamWallet, resumeTeamPayments } from './team-wallet.ts'
import { readVaultKeyFile, takeVaultKey } from './vault-key-source.ts'

const MAX_SECRET_LENGTH = 4096
const COMMAND_LINE = 'the command line'

/**
 * Seals the secrets of a database under the key in a private file.
 * @returns the number of secrets
 * @throws {SottoError} vault/…, database/…; {SettingError} a file isn't private
 */
export async function rotateKey(
  database: Database,
  newKeyFile: string,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const to = await readVaultKeyFile(COMMAND_LINE, newKeyFile, environment)
  return rotateVaultKey(database, await takeVaultKey(environment), to)
}

/**
 * Saves the API key of the service in SOTTO_SERVICE, from a private file.
 * @throws as `rotateKey`
 */
export async function saveApiKey(
  database: Database,
  file: string,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const { id } = await profileOf(environment)
  const apiKey = await readSecret(file, environment)
  await saveTeamApiKey(await unlockTeamVault(database, await takeVaultKey(environment)), id, apiKey)
}

/**
 * Connects the wallet whose connection string is in a private file, for the service in SOTTO_SERVICE.
 * @returns hosts of its relays, and the limits in msat
 * @throws {SottoError} wallet/…, payment/payer-busy; and as `rotateKey`
 */
export async function connectWallet(
  database: Database,
  { file, limits }: { readonly file: string; readonly limits: Partial<SpendingLimitsText> },
  environment: NodeJS.ProcessEnv,
): Promise<{ readonly relays: readonly string[]; readonly limits: SpendingLimitsText }> {
  const profile = await profileOf(environment)
  const connection = await readSecret(file, environment)
  const team = await unlockTeamVault(database, await takeVaultKey(environment))
  const connected = await connectTeamWallet({ database, team, profile, connection, limits })
  return { relays: connected.wallet.relays, limits: connected.limits }
}

/**
 * Resumes payments that replicas paused.
 * @returns the number of undelivered payments
 * @throws {SottoError} payment/payer-busy; and as `rotateKey`
 */
export async function resumePayments(database: Database, environment: NodeJS.ProcessEnv): Promise<number> {
  const { key } = await unlockTeamVault(database, await takeVaultKey(environment))
  return resumeTeamPayments(database, key)
}

/**
 * Consents to an older release of an enclave, for all replicas.
 * @param digest 64 hex digits
 * @throws as `rotateKey`
 */
export async function acceptOlderRelease(
  database: Database,
  { host, digest }: { readonly host: string; readonly digest: string },
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const { key } = await unlockTeamVault(database, await takeVaultKey(environment))
  using trust = await SharedTrust.create({ database, key, asksBeforeNew })
  await trust.acceptOlder(host, digest)
}

/**
 * Accepts only releases and measurements that a file names, for all replicas. `{}` removes the pins.
 * @param text a policyNarrowingSchema as JSON
 * @throws {SottoError} policy/pins-exclude-all, policy/missing, request/invalid; and as `rotateKey`
 */
export async function pinReleases(
  database: Database,
  text: string,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const { policy } = await profileOf(environment)
  if (!policy) throw new SottoError('policy/missing')
  const narrowing = policyNarrowingSchema.safeParse(tryParseJson(text))
  if (!narrowing.success) throw new SottoError('request/invalid')
  await changeSettings(database, environment, (settings) => writeNarrowing(settings, policy, narrowing.data))
}

/** Whether a release that was never accepted is refused by all replicas. @throws as `rotateKey` */
export function requireApproval(
  database: Database,
  required: boolean,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  return changeSettings(database, environment, (settings) => setAsksBeforeNew(settings, required))
}

async function changeSettings(
  database: Database,
  environment: NodeJS.ProcessEnv,
  change: (settings: Store['settings']) => void,
): Promise<void> {
  const { key } = await unlockTeamVault(database, await takeVaultKey(environment))
  using trust = await SharedTrust.create({ database, key, asksBeforeNew })
  const changed = new Map<string, string>()
  change({ get: (name) => trust.settings.get(name), set: (name, value) => void changed.set(name, value) })
  for (const [name, value] of changed) await trust.save(name, value)
}

function readSecret(path: string, environment: NodeJS.ProcessEnv): Promise<string> {
  return readSecretFile({ name: COMMAND_LINE, path, maxLength: MAX_SECRET_LENGTH, environment })
}

async function profileOf(environment: NodeJS.ProcessEnv): Promise<Profile> {
  const service = environment['SOTTO_SERVICE']
  const profile = (await presetProfiles()).find(({ id }) => id === service)
  if (!profile)
    throw new SettingError(
      msg('Set {variable} to the ID of a service, or to “sandbox”.', { variable: 'SOTTO_SERVICE' }),
    )
  return profile
}

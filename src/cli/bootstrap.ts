import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { DataFolder } from '../host/data-folder.ts'
import { isServiceChosen } from '../host/chosen-service.ts'
import { readAccountFile, readBootstrap, type Bootstrap } from '../host/bootstrap-file.ts'
import { readSettings } from '../host/settings.ts'
import { SettingError } from '../host/log-settings.ts'
import { startHost } from '../host/host.ts'
import { isErrorCode } from '../shared/error-codes.ts'
import { SottoError } from '../shared/errors.ts'
import { msg } from '../shared/localized-text.ts'
import { clientOf, failureOf, type ContractClient } from './client.ts'
import { confirmOwn, missingForUnattended } from './unattended.ts'

/**
 * Applies SOTTO_BOOTSTRAP_FILE before Sotto serves: the service if none was ever chosen, the account if there is none, and
 * each key whose secret's file doesn't exist. Nothing that exists is changed. The conditions are those of
 * `withUnattendedClient`.
 *
 * @param environment isn't changed, so that Sotto can read the passphrase again
 * @throws {SettingError} if the file or a file that it names can't be used, or a condition isn't met
 * @throws {SottoError} vault/locked, host/already-running, profile/unknown, local-key/name-taken, and the codes of
 * connecting an account
 */
export async function bootstrap(environment: NodeJS.ProcessEnv): Promise<void> {
  const wanted = await readBootstrap(environment)
  if (!wanted) return
  const missing = missingForUnattended(environment)
  if (missing !== null)
    throw new SettingError(msg('SOTTO_BOOTSTRAP_FILE needs {setting}.', { setting: missing }))
  const settings = await readSettings({ ...environment })
  const folder = await DataFolder.check(settings.dataDir)
  const chosen = await isServiceChosen(folder.path)
  await using host = await startHost({ settings, folder, confirm: confirmOwn, anyPort: true })
  try {
    await applyTo(clientOf(host), wanted, { chosen, environment })
  } catch (thrown) {
    const failed = failureOf(thrown)
    if (!failed || !isErrorCode(failed.code)) throw thrown
    throw new SottoError(failed.code, { cause: thrown, ...(failed.detail && { detail: failed.detail }) })
  }
}

async function applyTo(
  client: ContractClient,
  wanted: Bootstrap,
  { chosen, environment }: { readonly chosen: boolean; readonly environment: NodeJS.ProcessEnv },
): Promise<void> {
  if (wanted.service !== undefined && !chosen) await client.profiles.choose({ profileId: wanted.service })
  if (wanted.accountFile !== undefined && (await client.accounts.list()).length === 0)
    await client.accounts.connect(await readAccountFile(wanted.accountFile, environment))
  for (const key of wanted.keys) await createMissingKey(client, key)
}

async function createMissingKey(
  { localApi }: ContractClient,
  { name, secretFile, ...limits }: Bootstrap['keys'][number],
): Promise<void> {
  if (await hasContent(secretFile)) return
  const unfinished = `${secretFile}.new`
  // Opened first: the secret of a key that can't be saved would be lost.
  await using file = await createPrivate(unfinished)
  const { key, secret } = await localApi.create({ name, limits })
  try {
    await file.writeFile(`${secret}\n`)
    await file.sync()
    await rename(unfinished, secretFile)
  } catch (cause) {
    await localApi.revoke({ keyId: key.id })
    throw unwritable(cause)
  }
}

async function hasContent(path: string): Promise<boolean> {
  try {
    return (await stat(path)).size > 0
  } catch {
    return false
  }
}

async function createPrivate(path: string): Promise<FileHandle> {
  try {
    // A stopped run can leave one with another mode.
    await rm(path, { force: true })
    return await open(path, 'wx', 0o600)
  } catch (cause) {
    throw unwritable(cause)
  }
}

function unwritable(cause: unknown): SettingError {
  return new SettingError(msg('The file named in {name} can’t be written.', { name: 'secretFile' }), {
    cause,
  })
}

import { open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { msg } from '../shared/localized-text.ts'
import { SettingError } from './log-settings.ts'

const MAX_PASSPHRASE_LENGTH = 4096
/**
 * The folder of secrets in a container: only the container can access it, often with a mode that allows
 * everyone inside to read.
 */
const SECRET_MOUNT = '/run/secrets'
const READ_OR_WRITE_BY_OTHERS = 0o066

/**
 * Reads the passphrase of the vault from the file that SOTTO_PASSPHRASE_FILE names, otherwise from
 * SOTTO_PASSPHRASE, and deletes both variables.
 *
 * The deletion hides the passphrase from child processes and diagnostic reports. It doesn't remove it from
 * the block of memory that the kernel shows as /proc/PID/environ to the same user and to root, so a file is
 * the better choice.
 *
 * @returns undefined without a passphrase
 * @throws {SettingError} if the file can't be read, is too large, or isn't private to its owner
 */
export async function takePassphrase(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const fromEnvironment = environment['SOTTO_PASSPHRASE']
  const file = environment['SOTTO_PASSPHRASE_FILE']
  delete environment['SOTTO_PASSPHRASE']
  delete environment['SOTTO_PASSPHRASE_FILE']
  const passphrase = file
    ? await readPassphraseFile(file, environment['CREDENTIALS_DIRECTORY'])
    : fromEnvironment
  return passphrase || undefined
}

/**
 * `credentials`: systemd's folder for the credentials of a service, which has an access list instead of a
 * mode.
 */
async function readPassphraseFile(path: string, credentials: string | undefined): Promise<string> {
  try {
    await using file = await open(path)
    const stats = await file.stat()
    // A pipe has one reader, and its mode has no meaning.
    if (stats.isFile() && !isPrivate(stats) && !(await isSecretMount(path, credentials))) {
      throw new SettingError(
        msg(
          'Other users can read or change the file in SOTTO_PASSPHRASE_FILE. Change its owner to your user and its mode to 600.',
        ),
      )
    }
    let text = ''
    for await (const chunk of file.createReadStream({ encoding: 'utf8' })) {
      text += String(chunk)
      if (text.length > MAX_PASSPHRASE_LENGTH)
        throw new SettingError(msg('The file named in SOTTO_PASSPHRASE_FILE is too large.'))
    }
    return text.replace(/\r?\n$/, '')
  } catch (cause) {
    if (cause instanceof SettingError) throw cause
    throw new SettingError(msg('The file named in SOTTO_PASSPHRASE_FILE can’t be read.'), { cause })
  }
}

/**
 * Whether only this user and root can read or change the file. Not checked on Windows, which has no such
 * mode.
 */
function isPrivate({ mode, uid }: { readonly mode: number; readonly uid: number }): boolean {
  const user = process.getuid?.()
  return user === undefined || ((mode & READ_OR_WRITE_BY_OTHERS) === 0 && (uid === user || uid === 0))
}

async function isSecretMount(path: string, credentials: string | undefined): Promise<boolean> {
  const file = await realpath(path)
  const folders = [SECRET_MOUNT, ...(credentials ? [await realpath(credentials)] : [])]
  return folders.some((folder) => file.startsWith(join(folder, '/')))
}

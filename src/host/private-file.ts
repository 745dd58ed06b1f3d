import { open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { msg } from '../shared/localized-text.ts'
import { SettingError } from './log-settings.ts'

/**
 * The folder of secrets in a container: only the container can access it, often with a mode that allows
 * everyone inside to read.
 */
const SECRET_MOUNT = '/run/secrets'
const READ_OR_WRITE_BY_OTHERS = 0o066

interface PrivateFile {
  /** The setting that names the file, for the error. */
  readonly name: string
  readonly path: string
  /** In UTF-16 units. */
  readonly maxLength: number
  /** CREDENTIALS_DIRECTORY: systemd's folder for the credentials of a service, which has an access list instead of a mode. */
  readonly environment: NodeJS.ProcessEnv
}

/**
 * Reads a text that decides about secrets. Only its owner and root may be able to read or change the file, unless the
 * system protects it by other means: secrets of a container, and credentials of systemd. A pipe has one reader, so its
 * mode has no meaning.
 *
 * @throws {SettingError} if the file can't be read, is too large, or isn't private
 */
export async function readPrivateFile({ name, path, maxLength, environment }: PrivateFile): Promise<string> {
  try {
    await using file = await open(path)
    const stats = await file.stat()
    if (
      stats.isFile() &&
      !isPrivate(stats) &&
      !(await isSecretMount(path, environment['CREDENTIALS_DIRECTORY']))
    ) {
      throw new SettingError(
        msg(
          'Other users can read or change the file in {name}. Change its owner to your user and its mode to 600.',
          { name },
        ),
      )
    }
    let text = ''
    for await (const chunk of file.createReadStream({ encoding: 'utf8' })) {
      text += String(chunk)
      if (text.length > maxLength)
        throw new SettingError(msg('The file named in {name} is too large.', { name }))
    }
    return text
  } catch (cause) {
    if (cause instanceof SettingError) throw cause
    throw new SettingError(msg('The file named in {name} can’t be read.', { name }), { cause })
  }
}

/** Reads a secret as `readPrivateFile` does, without the white space around it. */
export async function readSecretFile(file: PrivateFile): Promise<string> {
  return (await readPrivateFile(file)).trim()
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

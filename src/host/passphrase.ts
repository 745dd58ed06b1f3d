import { readPrivateFile } from './private-file.ts'

const MAX_PASSPHRASE_LENGTH = 4096

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
  const path = environment['SOTTO_PASSPHRASE_FILE']
  delete environment['SOTTO_PASSPHRASE']
  delete environment['SOTTO_PASSPHRASE_FILE']
  if (!path) return fromEnvironment || undefined
  const text = await readPrivateFile({
    name: 'SOTTO_PASSPHRASE_FILE',
    path,
    maxLength: MAX_PASSPHRASE_LENGTH,
    environment,
  })
  return text.replace(/\r?\n$/, '') || undefined
}

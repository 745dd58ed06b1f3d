import { readFile, stat } from 'node:fs/promises'
import { SottoError } from '../shared/errors.ts'
import { msg } from '../shared/localized-text.ts'
import { promptSecret } from './passphrase.ts'

/** The contract's minimum. An attacker who has the file can try passphrases without limit. */
const SHORTEST = 12
const MAX_PASSPHRASE_BYTES = 4096

/** Asks twice in the terminal. Throws request/invalid if the answers differ. */
export async function promptNewPassphrase(question: string): Promise<string> {
  const passphrase = await promptSecret(question)
  if ((await promptSecret('Repeat the passphrase: ')) !== passphrase)
    throw new SottoError('request/invalid', {
      detail: msg('The passphrases don’t match. Run the command again.'),
    })
  return passphrase
}

/** Throws request/invalid for a passphrase that is too short for a file. */
export function requireLongPassphrase(passphrase: string): void {
  if (passphrase.length < SHORTEST)
    throw new SottoError('request/invalid', {
      detail: msg('Use a passphrase of at least {count, plural, one {# character} other {# characters}}.', {
        count: SHORTEST,
      }),
    })
}

/** Reads a passphrase as SOTTO_PASSPHRASE_FILE does: without the last line break. Throws request/invalid. */
export async function readPassphrase(path: string): Promise<string> {
  return (await readBoundedText(path, MAX_PASSPHRASE_BYTES, 'passphrase file')).replace(/\r?\n$/, '')
}

/** Reads a text of at most this many bytes. Throws request/invalid. */
export async function readBoundedText(
  path: string,
  most: number,
  what: 'backup' | 'passphrase file',
): Promise<string> {
  try {
    if ((await stat(path)).size <= most) return await readFile(path, 'utf8')
  } catch (cause) {
    throw new SottoError('request/invalid', {
      detail: msg('Couldn’t read the {what} “{path}”.', { what, path }),
      cause,
    })
  }
  throw new SottoError('request/invalid', {
    detail: msg('The {what} “{path}” is too large.', { what, path }),
  })
}

import { lineOf } from './account.ts'
import { withCommandClient, print } from './with-client.ts'
import { confirmHere } from './confirm-here.ts'
import {
  promptNewPassphrase,
  readBoundedText,
  readPassphrase,
  requireLongPassphrase,
} from './file-passphrase.ts'
import { writeNewFile } from './new-file.ts'
import { promptSecret } from './passphrase.ts'

interface Options {
  /** Print a single line of JSON to standard output. */
  readonly json: boolean
  readonly passphraseFile?: string
}

const MAX_BACKUP_BYTES = 1024 * 1024

/**
 * `sotto account backup`: writes a file that only its owner can read, and never overwrites one. Returns the
 * exit code.
 */
export function backUpAccounts({
  json,
  output,
  passphraseFile,
}: Options & { readonly output: string }): Promise<number> {
  return withCommandClient(json, async (client) => {
    const passphrase = await (passphraseFile === undefined
      ? promptNewPassphrase('New passphrase for the backup: ')
      : readPassphrase(passphraseFile))
    requireLongPassphrase(passphrase)
    // The backup marks the accounts as saved, so the file must exist first.
    await writeNewFile(output, async (write) => {
      const { text } = await confirmHere(client, (signal) =>
        client.accounts.backup({ passphrase }, { signal }),
      )
      await write(text)
    })
    print(
      json,
      { saved: output },
      `Saved to ${output}. If you lose its passphrase, the backup can’t be opened.`,
    )
    return 0
  })
}

/** `sotto account restore`. */
export function restoreAccounts(path: string, { json, passphraseFile }: Options): Promise<number> {
  return withCommandClient(json, async (client) => {
    const text = await readBoundedText(path, MAX_BACKUP_BYTES, 'backup')
    const passphrase = await (passphraseFile === undefined
      ? promptSecret('Passphrase of the backup: ')
      : readPassphrase(passphraseFile))
    const list = await confirmHere(client, (signal) =>
      client.accounts.restore({ text, passphrase: passphrase.slice(0, 1000) }, { signal }),
    )
    print(json, { accounts: list }, list.map(lineOf).join('\n'))
    return 0
  })
}

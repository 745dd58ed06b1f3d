import { open, readFile, rm, stat } from 'node:fs/promises'
import { SottoError } from '../shared/errors.ts'
import { say } from '../shared/say.ts'
import { lineOf } from './account.ts'
import { atDoor, print } from './at-door.ts'
import { confirmHere } from './confirm-here.ts'
import { promptSecret } from './passphrase.ts'

interface Options {
  /** One line of JSON on standard output. */
  readonly json: boolean
  readonly passphraseFile?: string
}

/** As the contract has it: whoever finds the file can try passphrases for as long as they like. */
const SHORTEST = 12
const MAX_PASSPHRASE_BYTES = 4096
const MAX_BACKUP_BYTES = 1024 * 1024

/** `sotto account backup`: for its owner's eyes, and never over another file. Returns the exit code. */
export function backUpAccounts({ json, output, passphraseFile }: Options & { readonly output: string }): Promise<number> {
  return atDoor(json, async (client) => {
    const passphrase = await (passphraseFile === undefined ? promptNew() : readPassphrase(passphraseFile))
    if (passphrase.length < SHORTEST) throw new SottoError('request/invalid', { detail: say('A passphrase of a backup has at least {count, plural, one {# character} other {# characters}}.', { count: SHORTEST }) })
    const file = await open(output, 'wx', 0o600).catch((cause: unknown) => {
      throw new SottoError('request/invalid', { detail: say('The file cannot be made, or is there already.'), cause })
    })
    try {
      // The accounts count as saved once they are told: the file is there to take them.
      const { text } = await confirmHere(client, (signal) => client.accounts.backup({ passphrase }, { signal }))
      await file.writeFile(text)
      await file.sync()
    } catch (thrown) {
      await rm(output, { force: true })
      throw thrown
    } finally {
      await file.close()
    }
    print(json, { saved: output }, `Saved to ${output}. Nobody can recover its passphrase.`)
    return 0
  })
}

/** `sotto account restore`. */
export function restoreAccounts(path: string, { json, passphraseFile }: Options): Promise<number> {
  return atDoor(json, async (client) => {
    const text = await readBounded(path, MAX_BACKUP_BYTES, 'The backup')
    const passphrase = await (passphraseFile === undefined ? promptSecret('Passphrase of the backup: ') : readPassphrase(passphraseFile))
    const list = await confirmHere(client, (signal) => client.accounts.restore({ text, passphrase: passphrase.slice(0, 1000) }, { signal }))
    print(json, { accounts: list }, list.map(lineOf).join('\n'))
    return 0
  })
}

async function promptNew(): Promise<string> {
  const passphrase = await promptSecret('A passphrase for the backup: ')
  if ((await promptSecret('The same again: ')) !== passphrase) throw new SottoError('request/invalid', { detail: say('The two are not the same.') })
  return passphrase
}

/** As the file that SOTTO_PASSPHRASE_FILE names: without its last line break. */
async function readPassphrase(path: string): Promise<string> {
  return (await readBounded(path, MAX_PASSPHRASE_BYTES, 'The file with the passphrase')).replace(/\r?\n$/, '')
}

async function readBounded(path: string, most: number, what: string): Promise<string> {
  try {
    if ((await stat(path)).size <= most) return await readFile(path, 'utf8')
  } catch (cause) {
    throw new SottoError('request/invalid', { detail: say('{what} cannot be read.', { what }), cause })
  }
  throw new SottoError('request/invalid', { detail: say('{what} is larger than it can be.', { what }) })
}

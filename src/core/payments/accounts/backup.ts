import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { SottoError } from '../../../shared/errors.ts'
import { msg } from '../../../shared/localized-text.ts'
import { decryptWithPassphrase, sealUnderPassphrase } from '../../storage/vault/index.ts'
import { accountMembers, hasCredential, sameAccount, type AccountRecords } from './account-records.ts'

const FORMAT = 'sotto-accounts/1'
const MAX_TEXT = 1024 * 1024

const backupSchema = z.strictObject({
  active: z.uuid().nullable(),
  accounts: z.array(z.strictObject(accountMembers).refine(hasCredential)).max(2000),
})
export type AccountBackup = z.infer<typeof backupSchema>

/**
 * Encrypts accounts with a passphrase as one JSON text: scrypt, and XChaCha20-Poly1305 like the vault's own
 * file.
 */
export function sealBackup({ active, accounts }: AccountRecords, passphrase: string): Promise<string> {
  const backup: AccountBackup = { active, accounts: accounts.map(({ saved: _saved, ...account }) => account) }
  return sealUnderPassphrase(FORMAT, passphrase, Buffer.from(JSON.stringify(backup)))
}

/** Decrypts a backup. @throws {SottoError} account/backup-invalid, account/backup-passphrase */
export async function decryptBackup(text: string, passphrase: string): Promise<AccountBackup> {
  const opened = text.length > MAX_TEXT ? 'damaged' : await decryptWithPassphrase(FORMAT, passphrase, text)
  if (opened === 'wrong-passphrase') throw new SottoError('account/backup-passphrase')
  if (opened === 'damaged') throw new SottoError('account/backup-invalid')
  try {
    return backupSchema.parse(JSON.parse(Buffer.from(opened).toString('utf8')))
  } catch {
    // The parser's error would quote the text.
    throw new SottoError('account/backup-invalid')
  } finally {
    opened.fill(0)
  }
}

/** Returns the accounts for this service. @throws {SottoError} account/backup-invalid – there is none */
export function ofOrigin(backup: AccountBackup, origin: string): AccountBackup['accounts'] {
  const accountsOfOrigin = backup.accounts.filter((account) => account.origin === origin)
  if (accountsOfOrigin.length === 0)
    throw new SottoError('account/backup-invalid', {
      detail: msg('The backup contains no account for this service.'),
    })
  return accountsOfOrigin
}

/**
 * Adds the accounts of the backup for `origin` that aren't saved yet. They keep their IDs if these are free.
 * A saved account gets its missing credential from the backup.
 * @throws {SottoError} account/backup-invalid – the backup has none for `origin`
 */
export function withRestored(records: AccountRecords, backup: AccountBackup, origin: string): AccountRecords {
  const accountsOfOrigin = ofOrigin(backup, origin)
  const accounts = [...records.accounts]
  let { active } = records
  if (!accounts.some(({ id, origin: accountOrigin }) => id === active && accountOrigin === origin))
    active = null
  for (const account of accountsOfOrigin) {
    const at = accounts.findIndex((other) => sameAccount(other, account))
    const existing = accounts[at]
    if (existing) {
      const whole = { ...account, ...existing }
      // A backup from before a key was replaced, or the credit ID was known, isn't a backup of the present
      // account.
      accounts[at] = {
        ...whole,
        saved: existing.saved || (whole.apiKey === account.apiKey && whole.creditId === account.creditId),
      }
      continue
    }
    const id = accounts.some((other) => other.id === account.id) ? randomUUID() : account.id
    accounts.push({ ...account, id, saved: true })
    if (
      active === null &&
      (account.id === backup.active || !accountsOfOrigin.some((other) => other.id === backup.active))
    )
      active = id
  }
  return { ...records, active, accounts }
}

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

/** One JSON text that the passphrase opens: scrypt, and XChaCha20-Poly1305 as the vault's own file. */
export function sealBackup({ active, accounts }: AccountRecords, passphrase: string): Promise<string> {
  const backup: AccountBackup = { active, accounts: accounts.map(({ saved: _saved, ...account }) => account) }
  return sealUnderPassphrase(FORMAT, passphrase, Buffer.from(JSON.stringify(backup)))
}

/** Throws account/backup-invalid, account/backup-passphrase. */
export async function openBackup(text: string, passphrase: string): Promise<AccountBackup> {
  const opened = text.length > MAX_TEXT ? 'damaged' : await decryptWithPassphrase(FORMAT, passphrase, text)
  if (opened === 'wrong-passphrase') throw new SottoError('account/backup-passphrase')
  if (opened === 'damaged') throw new SottoError('account/backup-invalid')
  try {
    return backupSchema.parse(JSON.parse(Buffer.from(opened).toString('utf8')))
  } catch {
    // A fault of the parser's would quote what it could not read.
    throw new SottoError('account/backup-invalid')
  } finally {
    opened.fill(0)
  }
}

/** Those that are for this service. Throws account/backup-invalid where there is none. */
export function ofOrigin(backup: AccountBackup, origin: string): AccountBackup['accounts'] {
  const meant = backup.accounts.filter((account) => account.origin === origin)
  if (meant.length === 0)
    throw new SottoError('account/backup-invalid', {
      detail: msg('The backup contains no account for this service.'),
    })
  return meant
}

/**
 * The records with those of the backup that are for `origin` and not kept yet; ids stay what they were where they are free.
 * A kept account gets the credential that it lacks from the backup. Throws account/backup-invalid where none is for `origin`.
 */
export function withRestored(records: AccountRecords, backup: AccountBackup, origin: string): AccountRecords {
  const meant = ofOrigin(backup, origin)
  const accounts = [...records.accounts]
  let { active } = records
  if (!accounts.some(({ id, origin: kept }) => id === active && kept === origin)) active = null
  for (const account of meant) {
    const at = accounts.findIndex((kept) => sameAccount(kept, account))
    const kept = accounts[at]
    if (kept) {
      const whole = { ...account, ...kept }
      // A copy from before its key was replaced, or its credit id was known, is none of what is kept now.
      accounts[at] = {
        ...whole,
        saved: kept.saved || (whole.apiKey === account.apiKey && whole.creditId === account.creditId),
      }
      continue
    }
    const id = accounts.some((other) => other.id === account.id) ? randomUUID() : account.id
    accounts.push({ ...account, id, saved: true })
    if (
      active === null &&
      (account.id === backup.active || !meant.some((other) => other.id === backup.active))
    )
      active = id
  }
  return { ...records, active, accounts }
}

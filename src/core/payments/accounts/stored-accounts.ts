import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { SottoError } from '../../../shared/errors.ts'
import { credentialSchema } from '../../gateway/service/account/create-account.ts'
import { setText, takeText, type Vault } from '../../storage/vault/index.ts'
import { freeAccountName, recordsSchema, sameAccount, type AccountRecords } from './account-records.ts'
import { tryParseJson } from '../../../shared/strict-json.ts'

/** The accounts of one profile, in the vault. */
export interface StoredAccounts {
  now(): AccountRecords
  /**
   * Changes the records, one call at a time. A change is visible only when it's durable. If the vault fails,
   * nothing has changed.
   */
  change(work: (records: AccountRecords) => AccountRecords): Promise<void>
}

const NONE: AccountRecords = { form: 1, active: null, accounts: [] }

/**
 * Reads the accounts of a profile.
 * @throws {SottoError} vault/… – the vault is locked; vault/damaged or store/newer-version – its content is
 * unreadable and remains unchanged
 */
export async function createStoredAccounts({
  vault,
  profileId,
  now,
  onSwitch,
}: {
  vault: Vault
  profileId: string
  now: () => number
  onSwitch: () => void
}): Promise<StoredAccounts> {
  const name = `accounts/${profileId}`
  let records = await read(vault, name)
  const write = async (next: AccountRecords): Promise<void> => {
    await setText(vault, name, JSON.stringify(next))
    const switched = next.active !== records.active
    records = next
    if (switched) onSwitch()
  }
  await carryOver(vault, `account/${profileId}`, () => records, write, now)

  let last: Promise<unknown> = Promise.resolve()
  return {
    now: () => records,
    change(work) {
      const turn = last.then(async () => {
        const next = work(records)
        if (next !== records) await write(next)
      })
      last = turn.catch(() => undefined)
      return turn
    },
  }
}

async function read(vault: Vault, name: string): Promise<AccountRecords> {
  const secret = await vault.get(name)
  if (!secret) return NONE
  const json = tryParseJson(takeText(secret))
  const parsed = recordsSchema.safeParse(json)
  if (parsed.success) return parsed.data
  throw new SottoError(
    z.object({ form: z.int().min(2) }).safeParse(json).success ? 'store/newer-version' : 'vault/damaged',
  )
}

/** The earlier format with a single account per profile. */
const singleSchema = z.object({
  origin: z.string().min(1).max(300),
  apiKey: credentialSchema,
  creditId: credentialSchema.optional(),
})

/**
 * Adds the single account to the others before its own record is deleted, so that a crash in between doesn't
 * lose it. An unreadable record remains.
 */
async function carryOver(
  vault: Vault,
  name: string,
  records: () => AccountRecords,
  write: (next: AccountRecords) => Promise<void>,
  now: () => number,
): Promise<void> {
  const secret = await vault.get(name)
  if (!secret) return
  const parsed = singleSchema.safeParse(tryParseJson(takeText(secret)))
  if (!parsed.success) return
  const { origin, apiKey, creditId } = parsed.data
  const { active, accounts } = records()
  if (!accounts.some((other) => sameAccount(other, parsed.data))) {
    const id = randomUUID()
    const single = {
      id,
      origin,
      name: freeAccountName(accounts.map((other) => other.name)),
      apiKey,
      ...(creditId !== undefined && { creditId }),
      addedAt: now(),
      saved: false,
    }
    await write({ form: 1, active: active ?? id, accounts: [...accounts, single] })
  }
  await vault.delete(name)
}

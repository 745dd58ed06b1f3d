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
  /** One change at a time. It is seen only once it is durable; where the vault does not take it, nothing has changed. */
  change(work: (records: AccountRecords) => AccountRecords): Promise<void>
}

const NONE: AccountRecords = { form: 1, active: null, accounts: [] }

/** Throws vault/… if the vault is locked, and vault/damaged or store/newer-version if its content can't be read. The content is left unchanged. */
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

/** The form of a profile with a single account. */
const singleSchema = z.object({
  origin: z.string().min(1).max(300),
  apiKey: credentialSchema,
  creditId: credentialSchema.optional(),
})

/** The single account joins the others before its own record goes, so that it is there after a stop at any point between. What is unreadable stays. */
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
  if (!accounts.some((kept) => sameAccount(kept, parsed.data))) {
    const id = randomUUID()
    const single = {
      id,
      origin,
      name: freeAccountName(accounts.map((kept) => kept.name)),
      apiKey,
      ...(creditId !== undefined && { creditId }),
      addedAt: now(),
      saved: false,
    }
    await write({ form: 1, active: active ?? id, accounts: [...accounts, single] })
  }
  await vault.delete(name)
}

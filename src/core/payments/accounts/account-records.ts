import { z } from 'zod'
import { accountNameSchema, type ServiceAccount } from '../../../shared/service-account.ts'
import { credentialSchema } from '../../gateway/service/account/create-account.ts'

/** Of an account as it is kept and as it stands in a backup. `origin` is the one that the credentials were given for; they go to no other. */
export const accountMembers = {
  id: z.uuid(),
  origin: z.string().min(1).max(300),
  name: accountNameSchema,
  apiKey: credentialSchema.exactOptional(),
  creditId: credentialSchema.exactOptional(),
  /** Unix ms. */
  addedAt: z.int().min(0),
}

/** Whether an account has a credential: with neither it's none. */
export function hasCredential({ apiKey, creditId }: Credentials): boolean {
  return apiKey !== undefined || creditId !== undefined
}

const recordSchema = z.object({ ...accountMembers, saved: z.boolean() }).refine(hasCredential)
export type AccountRecord = z.infer<typeof recordSchema>

/** All accounts of a profile, as one secret of the vault: whatever changes of them changes as one. */
export const recordsSchema = z.object({
  form: z.literal(1),
  active: z.uuid().nullable(),
  accounts: z.array(recordSchema),
})
export type AccountRecords = z.infer<typeof recordsSchema>

/** At least one of the two. */
export interface Credentials {
  readonly apiKey?: string | undefined
  readonly creditId?: string | undefined
}

/** Whether both are one account at the service: by its key, or by its credit id. */
export function sameAccount(
  a: Credentials & { readonly origin: string },
  b: Credentials & { readonly origin: string },
): boolean {
  return (
    a.origin === b.origin &&
    ((a.apiKey !== undefined && a.apiKey === b.apiKey) ||
      (a.creditId !== undefined && a.creditId === b.creditId))
  )
}

/** Whether an account holds nothing that contradicts the credentials, so that it can take them in without losing one of its own. */
export function canComplete(account: Credentials, { apiKey, creditId }: Credentials): boolean {
  return (
    (account.apiKey ?? apiKey) === (apiKey ?? account.apiKey) &&
    (account.creditId ?? creditId) === (creditId ?? account.creditId)
  )
}

/** As the window may show it. */
export function accountView(
  { id, name, apiKey, creditId, addedAt, saved }: AccountRecord,
  active: boolean,
): ServiceAccount {
  return {
    id,
    name,
    active,
    ...(apiKey !== undefined && { keyMasked: `${apiKey.startsWith('sk-') ? 'sk-' : ''}${masked(apiKey)}` }),
    ...(creditId !== undefined && { creditIdMasked: masked(creditId) }),
    addedAt,
    saved,
  }
}

/** The last four characters of a key or a credit id, either of which has at least eight: what may be shown and told of it. */
export function masked(credential: string): string {
  return `…${credential.slice(-4)}`
}

/** "Account", or the first "Account 2", "Account 3", … that no other has. */
export function freeAccountName(taken: readonly string[]): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? 'Account' : `Account ${String(count)}`
    if (!taken.includes(name)) return name
  }
}

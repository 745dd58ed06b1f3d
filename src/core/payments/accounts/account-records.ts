import { z } from 'zod'
import { accountNameSchema, type ServiceAccount } from '../../../shared/service-account.ts'
import { credentialSchema } from '../../gateway/service/account/create-account.ts'

/**
 * Members of an account in the vault and in a backup. `origin` is the origin of the credentials. They are
 * sent to no other.
 */
export const accountMembers = {
  id: z.uuid(),
  origin: z.string().min(1).max(300),
  name: accountNameSchema,
  apiKey: credentialSchema.exactOptional(),
  creditId: credentialSchema.exactOptional(),
  /** Unix ms. */
  addedAt: z.int().min(0),
}

/** Whether it has a credential. Without one it isn't an account. */
export function hasCredential({ apiKey, creditId }: Credentials): boolean {
  return apiKey !== undefined || creditId !== undefined
}

const recordSchema = z.object({ ...accountMembers, saved: z.boolean() }).refine(hasCredential)
export type AccountRecord = z.infer<typeof recordSchema>

/** All accounts of a profile, as one secret of the vault, so that a change of several is atomic. */
export const recordsSchema = z.object({
  form: z.literal(1),
  active: z.uuid().nullable(),
  accounts: z.array(recordSchema),
})
export type AccountRecords = z.infer<typeof recordsSchema>

/** At least one of the two is present. */
export interface Credentials {
  readonly apiKey?: string | undefined
  readonly creditId?: string | undefined
}

/** Whether both are one account at the service: by its key, or by its credit ID. */
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

/**
 * Whether the account has no credential that contradicts these, so that it can add them without losing its
 * own.
 */
export function canComplete(account: Credentials, { apiKey, creditId }: Credentials): boolean {
  return (
    (account.apiKey ?? apiKey) === (apiKey ?? account.apiKey) &&
    (account.creditId ?? creditId) === (creditId ?? account.creditId)
  )
}

/** Builds the window's view of an account. */
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

/**
 * Returns the last four characters of a key or a credit ID, both of which have at least eight. They may be
 * shown and logged.
 */
function masked(credential: string): string {
  return `…${credential.slice(-4)}`
}

/** Returns "Account", or the first unused name of "Account 2", "Account 3", … */
export function freeAccountName(usedNames: readonly string[]): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? 'Account' : `Account ${String(count)}`
    if (!usedNames.includes(name)) return name
  }
}

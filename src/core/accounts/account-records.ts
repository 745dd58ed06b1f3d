import { z } from 'zod'
import { accountNameSchema, type ServiceAccount } from '../../shared/service-account.ts'
import { credentialSchema } from '../service/account/create-account.ts'

/** Of an account as it is kept and as it stands in a backup. `origin` is the one that the credentials were given for; they go to no other. */
export const accountMembers = {
  id: z.uuid(),
  origin: z.string().min(1).max(300),
  name: accountNameSchema,
  apiKey: credentialSchema,
  creditId: credentialSchema.exactOptional(),
  /** Unix ms. */
  addedAt: z.int().min(0),
}

const recordSchema = z.object({ ...accountMembers, saved: z.boolean() })
export type AccountRecord = z.infer<typeof recordSchema>

/** All accounts of a profile, as one secret of the vault: whatever changes of them changes as one. */
export const recordsSchema = z.object({ form: z.literal(1), active: z.uuid().nullable(), accounts: z.array(recordSchema) })
export type AccountRecords = z.infer<typeof recordsSchema>

export interface Credentials {
  readonly apiKey: string
  readonly creditId?: string | undefined
}

/** Whether both are one account at the service: by its key, or by its credit id. */
export function sameAccount(a: Credentials & { readonly origin: string }, b: Credentials & { readonly origin: string }): boolean {
  return a.origin === b.origin && (a.apiKey === b.apiKey || (a.creditId !== undefined && a.creditId === b.creditId))
}

/** As the window may show it. */
export function accountView({ id, name, apiKey, creditId, addedAt, saved }: AccountRecord, active: boolean): ServiceAccount {
  return { id, name, active, keyMasked: `${apiKey.startsWith('sk-') ? 'sk-' : ''}${masked(apiKey)}`, ...(creditId !== undefined && { creditIdMasked: masked(creditId) }), addedAt, saved }
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

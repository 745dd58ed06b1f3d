import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import type { Fetch } from '../../shared/fetch.ts'
import type { Profile } from '../../shared/profile.ts'
import { createAccount, credentialSchema } from '../service/account/create-account.ts'
import { readBalance } from '../service/account/read/balance.ts'
import type { ServiceAccess } from '../service/http/access.ts'
import type { Vault } from '../vault/index.ts'

/** As kept in the vault. `origin` is the one that the credentials were given for; they go to no other. */
const recordSchema = z.object({ origin: z.string(), apiKey: credentialSchema, creditId: credentialSchema.optional() })
type AccountRecord = z.infer<typeof recordSchema>

/** The account that is connected to one profile's service. */
export interface Account {
  access(): ServiceAccess
  creditIdMasked(): string | undefined
  connect(credentials: { apiKey: string; creditId?: string }): Promise<void>
  create(): Promise<void>
  disconnect(): Promise<void>
  /** Pico-USD. */
  balance(): Promise<bigint>
}

/** Throws vault/… where the vault is not open. */
export async function openAccount(
  { vault, fetch, profile }: { vault: Vault; fetch: Fetch; profile: Profile },
): Promise<Account> {
  const name = `account/${profile.id}`
  // The sandbox opens another port at each start: what it is known by is that it is the sandbox.
  const origin = profile.kind === 'sandbox' ? 'sandbox' : new URL(profile.baseUrl).origin
  const place = {
    baseUrl: profile.baseUrl.replace(/\/+$/, ''),
    revision: profile.revision,
    ...(profile.alternativeBaseUrl !== undefined && { alternativeBaseUrl: profile.alternativeBaseUrl.replace(/\/+$/, '') }),
  }
  let record = await read(vault, name, origin)

  const access = (): ServiceAccess => ({
    ...place,
    ...(record && { apiKey: record.apiKey, ...(record.creditId !== undefined && { creditId: record.creditId }) }),
  })
  async function keep(credentials: { apiKey: string; creditId?: string }): Promise<void> {
    const next = { origin, ...credentials }
    await vault.set(name, Buffer.from(JSON.stringify(next)))
    record = next
  }

  return {
    access,
    creditIdMasked: () => (record?.creditId === undefined ? undefined : `…${record.creditId.slice(-4)}`),
    async connect(credentials) {
      const parsed = recordSchema.safeParse({ origin, ...credentials })
      if (!parsed.success) throw new SottoError('proxy/invalid-request', { detail: 'A key has 8 to 200 letters, digits, dots, dashes or underscores.' })
      // A key that the service refuses is not kept. It is asked by the key alone: to a credit id anybody is answered.
      await readBalance({ fetch, access: () => ({ ...place, apiKey: credentials.apiKey }) })
      await keep(credentials)
    },
    async create() {
      await keep(await createAccount({ fetch, access: () => place }))
    },
    async disconnect() {
      await vault.delete(name)
      record = null
    },
    balance: () => readBalance({ fetch, access }),
  }
}

async function read(vault: Vault, name: string, origin: string): Promise<AccountRecord | null> {
  const secret = await vault.get(name)
  if (!secret) return null
  let json: unknown
  try {
    json = JSON.parse(Buffer.from(secret).toString('utf8'))
  } catch {
    return null
  }
  const parsed = recordSchema.safeParse(json)
  return parsed.success && parsed.data.origin === origin ? parsed.data : null
}

import { z } from 'zod'
import { SottoError } from '../../../shared/errors.ts'
import { tryParseJson } from '../../../shared/strict-json.ts'

/** Tokens are renewed this long before they expire. */
const EARLY_MS = 30_000

/** The sign-in at one server, as the vault stores it. */
const signInSchema = z.object({
  /** The authorization server, which the person was shown. */
  issuer: z.url(),
  tokenEndpoint: z.url(),
  resource: z.url(),
  client: z.object({ client_id: z.string(), client_secret: z.string().optional() }),
  accessToken: z.string().min(1).max(20_000),
  refreshToken: z.string().min(1).max(20_000).optional(),
  /** Unix ms; absent: unknown. */
  expiresAt: z.number().optional(),
})
export type SignIn = z.infer<typeof signInSchema>

/** Secrets by name: a part of the vault. */
export interface SecretStore {
  get(name: string): Promise<Uint8Array | null>
  set(name: string, secret: Uint8Array): Promise<void>
  delete(name: string): Promise<void>
}

/** Gets new tokens for a sign-in. Rejects if the authorization server refuses. */
type Renew = (signIn: SignIn) => Promise<SignIn>

const nameOf = (serverId: string): string => `tool-server/${serverId}`

/** The tokens of remote tool servers. They are only in the vault, and in memory during a request. */
export class ServerTokens {
  readonly #secrets: SecretStore
  readonly #now: () => number
  readonly #renewals = new Map<string, Promise<string>>()

  constructor(secrets: SecretStore, now: () => number) {
    this.#secrets = secrets
    this.#now = now
  }

  /** Replaces the sign-in at a server. */
  async save(serverId: string, signIn: SignIn): Promise<void> {
    await this.#secrets.set(nameOf(serverId), Buffer.from(JSON.stringify(signInSchema.parse(signIn))))
  }

  async remove(serverId: string): Promise<void> {
    await this.#secrets.delete(nameOf(serverId))
  }

  /**
   * The access token of a server. An expired one is renewed first, once for all callers.
   * @returns undefined without a sign-in
   * @throws {SottoError} tools/sign-in-required – the sign-in can't be renewed
   */
  async tokenOf(serverId: string, renew: Renew): Promise<string | undefined> {
    const signIn = await this.#read(serverId)
    if (!signIn) return undefined
    if (signIn.expiresAt === undefined || signIn.expiresAt - EARLY_MS > this.#now()) return signIn.accessToken
    return this.renewed(serverId, renew)
  }

  /**
   * Renews the access token of a server, such as after a refusal.
   * @throws {SottoError} tools/sign-in-required
   */
  renewed(serverId: string, renew: Renew): Promise<string> {
    const running = this.#renewals.get(serverId)
    if (running) return running
    const renewal = this.#renew(serverId, renew).finally(() => this.#renewals.delete(serverId))
    this.#renewals.set(serverId, renewal)
    return renewal
  }

  async #renew(serverId: string, renew: Renew): Promise<string> {
    const signIn = await this.#read(serverId)
    if (signIn?.refreshToken === undefined) throw new SottoError('tools/sign-in-required')
    // The cause could quote a token.
    const next = await renew(signIn).catch(() => {
      throw new SottoError('tools/sign-in-required')
    })
    await this.save(serverId, next)
    return next.accessToken
  }

  async #read(serverId: string): Promise<SignIn | undefined> {
    const bytes = await this.#secrets.get(nameOf(serverId))
    return bytes === null
      ? undefined
      : signInSchema.safeParse(tryParseJson(Buffer.from(bytes).toString('utf8'))).data
  }
}

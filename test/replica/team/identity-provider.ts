import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import { createServer as createSocketServer } from 'node:net'
import Provider from 'oidc-provider'
import { z } from 'zod'
import type { Fetch } from '../../../src/shared/fetch.ts'

const LOOPBACK = '127.0.0.1'
export const CLIENT_ID = 'sotto'
export const CLIENT_SECRET = 'the secret of the client'

/** The person who signs in next. */
export interface Account {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
}

/** An independent identity provider, whose person needs no form. */
export interface IdentityProvider extends AsyncDisposable {
  readonly issuer: string
  account: Account
  /**
   * Changes the claims of the next ID tokens, which are signed again: by another key of the same name for `otherKey`. `none`
   * removes the signature.
   */
  tamper:
    | ((claims: Record<string, unknown>) => {
        claims?: Record<string, unknown>
        alg?: 'none'
        otherKey?: true
      })
    | undefined
  /** The network of the replica, which changes the answers of the provider. */
  readonly fetch: Fetch
}

export async function freePort(): Promise<number> {
  const server = createSocketServer().listen(0, LOOPBACK)
  await new Promise((listening) => server.once('listening', listening))
  const address = server.address()
  await new Promise((closed) => server.close(closed))
  return typeof address === 'object' && address ? address.port : 0
}

const tokensSchema = z.looseObject({ id_token: z.string() })
const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
const decode = (part = ''): Record<string, unknown> =>
  z.record(z.string(), z.unknown()).parse(JSON.parse(Buffer.from(part, 'base64url').toString()))

export async function startIdentityProvider(redirectUri: string, fetch: Fetch): Promise<IdentityProvider> {
  const port = await freePort()
  const issuer = `http://${LOOPBACK}:${String(port)}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { privateKey: otherPrivateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'test', alg: 'RS256', use: 'sig' }
  const state: Pick<IdentityProvider, 'account' | 'tamper'> = {
    account: { sub: 'nobody' },
    tamper: undefined,
  }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [z.record(z.string(), z.unknown()).parse(jwk)] },
    cookies: { keys: ['a key of a test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...state.account, sub }) }),
    async loadExistingGrant(context) {
      const grant = new provider.Grant({
        clientId: CLIENT_ID,
        accountId: context.oidc.session?.accountId,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const handle = provider.callback()
  const server = createServer((incoming, outgoing) => {
    if (incoming.url?.startsWith('/interaction/') === true)
      provider
        .interactionFinished(incoming, outgoing, { login: { accountId: state.account.sub, remember: false } })
        .catch(() => outgoing.destroy())
    else void handle(incoming, outgoing)
  }).listen(port, LOOPBACK)
  await new Promise((listening) => server.once('listening', listening))

  function changed(body: Buffer): Buffer {
    const tokens = tokensSchema.safeParse(JSON.parse(body.toString()))
    if (!state.tamper || !tokens.success) return body
    const [header, payload] = tokens.data.id_token.split('.')
    const original = decode(payload)
    const { claims: more = {}, alg, otherKey } = state.tamper(original)
    const head = alg === 'none' ? { alg } : decode(header)
    const signed = `${encode(head)}.${encode({ ...original, ...more })}`
    const key = otherKey ? otherPrivateKey : createPrivateKey({ key: jwk, format: 'jwk' })
    const signature = alg === 'none' ? '' : sign('sha256', Buffer.from(signed), key).toString('base64url')
    return Buffer.from(JSON.stringify({ ...tokens.data, id_token: `${signed}.${signature}` }))
  }
  return Object.assign(state, {
    issuer,
    fetch: (async (url, init) => {
      const response = await fetch(url, init)
      if (!url.endsWith('/token')) return response
      const pieces: Uint8Array[] = []
      for await (const piece of response.body ?? []) pieces.push(piece)
      const body = changed(Buffer.concat(pieces))
      return {
        ...response,
        body: (async function* () {
          yield await Promise.resolve(body)
        })(),
      }
    }) satisfies Fetch,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  })
}

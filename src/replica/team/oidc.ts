import { hkdfSync } from 'node:crypto'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type Configuration,
  type CustomFetch,
} from 'openid-client'
import { z } from 'zod'
import { emailSchema } from '../../shared/contract/team.ts'
import { SottoError } from '../../shared/errors.ts'
import type { Fetch } from '../../shared/fetch.ts'
import { readBytes } from '../../shared/limited-body.ts'
import type { AdminSettings } from './admin-settings.ts'

const TIMEOUT_SECONDS = 10
const MAX_RESPONSE_BYTES = 1024 * 1024

/** The claims that decide, from an ID token or from the provider's user info. An attacker controls name and address. */
const claimsSchema = z.object({
  iss: z.string().min(1).max(500),
  sub: z.string().min(1).max(255),
  email: emailSchema.optional().catch(undefined),
  email_verified: z.literal(true).optional().catch(undefined),
  name: z.string().max(200).optional().catch(undefined),
})
const profileSchema = claimsSchema.omit({ iss: true, sub: true })

/** A person as the identity provider states them. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** Undefined unless the provider states that it verified the address. */
  readonly email: string | undefined
  readonly name: string | null
}

/** The client of one identity provider. */
export interface OidcClient {
  /**
   * Creates the address to which the browser goes.
   * @param browser the random token that only this browser has
   * @throws {SottoError} team/sign-in-unavailable
   */
  begin(browser: string): Promise<URL>
  /**
   * Exchanges the code of the browser's return and verifies the ID token.
   * @param returned the address with the code
   * @throws {SottoError} team/sign-in-failed, team/sign-in-unavailable
   */
  finish(returned: URL, browser: string): Promise<Identity>
}

export interface OidcOptions extends Pick<AdminSettings, 'oidc'> {
  /** Where the provider sends the browser back. */
  readonly redirectUri: string
  readonly fetch: Fetch
}

/**
 * Creates the client. It reads the provider's metadata at the first sign-in, so a replica starts without the provider.
 *
 * The flow is the authorization code with PKCE. State, nonce and verifier are derived from the browser's token, so any replica can
 * finish a sign-in that another one began, and nothing is stored before a person signed in.
 * @see OpenID Connect Core 1.0, section 3.1; RFC 9700, section 2.1
 */
export function createOidcClient({ oidc, redirectUri, fetch }: OidcOptions): OidcClient {
  let configuration: Promise<Configuration> | undefined
  function configured(): Promise<Configuration> {
    configuration ??= discovery(oidc.issuer, oidc.clientId, oidc.clientSecret, undefined, {
      [customFetch]: fetchWith(fetch),
      timeout: TIMEOUT_SECONDS,
      // The signature of the ID token counts, not only the connection that it came over.
      execute: [
        enableNonRepudiationChecks,
        // oxlint-disable-next-line typescript/no-deprecated -- only for a provider on loopback (secureUrl)
        ...(oidc.issuer.protocol === 'http:' ? [allowInsecureRequests] : []),
      ],
    }).catch(() => {
      configuration = undefined
      throw new SottoError('team/sign-in-unavailable')
    })
    return configuration
  }

  return {
    async begin(browser) {
      return buildAuthorizationUrl(await configured(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: derive(browser, 'state'),
        nonce: derive(browser, 'nonce'),
        code_challenge: await calculatePKCECodeChallenge(derive(browser, 'verifier')),
        code_challenge_method: 'S256',
      })
    },
    async finish(returned, browser) {
      const config = await configured()
      try {
        const tokens = await authorizationCodeGrant(config, returned, {
          expectedState: derive(browser, 'state'),
          expectedNonce: derive(browser, 'nonce'),
          pkceCodeVerifier: derive(browser, 'verifier'),
          idTokenExpected: true,
        })
        const claims = claimsSchema.parse(tokens.claims())
        // Many providers state the address, or that they verified it, only there. The two claims are never mixed.
        const profile =
          claims.email_verified !== true && config.serverMetadata().userinfo_endpoint !== undefined
            ? profileSchema.parse(await fetchUserInfo(config, tokens.access_token, claims.sub))
            : claims
        return {
          issuer: claims.iss,
          subject: claims.sub,
          email: profile.email_verified === true ? profile.email : undefined,
          name: profile.name ?? claims.name ?? null,
        }
      } catch (thrown) {
        throw failureOf(thrown)
      }
    },
  }
}

/** Values with different labels reveal nothing about the token or each other. */
function derive(browser: string, label: 'state' | 'nonce' | 'verifier'): string {
  return Buffer.from(hkdfSync('sha256', browser, '', `sotto sign-in ${label}`, 32)).toString('base64url')
}

/** The provider's error isn't attached, because it can contain tokens. */
function failureOf(thrown: unknown): SottoError {
  for (let error = thrown; error instanceof Error; error = error.cause)
    if (error instanceof SottoError && error.code === 'team/sign-in-unavailable') return error
  return new SottoError('team/sign-in-failed')
}

/** The outbound network of this process, with its proxy. Follows no redirect. */
function fetchWith(fetch: Fetch): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    try {
      const response = await fetch(url, {
        method: method === 'POST' ? 'POST' : 'GET',
        headers: { ...headers, 'accept-encoding': 'identity' },
        redirect: 'manual',
        ...(body !== null &&
          body !== undefined && {
            body: body instanceof URLSearchParams ? body.toString() : z.string().parse(body),
          }),
        ...(signal && { signal }),
      })
      const bytes = await readBytes(response.body, MAX_RESPONSE_BYTES)
      const type = response.headers.get('content-type')
      const withoutBody = response.status === 204 || response.status === 304
      return new Response(withoutBody ? null : new Uint8Array(bytes), {
        status: response.status,
        headers: type === null ? {} : { 'content-type': type },
      })
    } catch {
      throw new SottoError('team/sign-in-unavailable')
    }
  }
}

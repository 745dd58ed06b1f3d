import type { IncomingHttpHeaders } from 'node:http'
import type { Dialect } from './dialect.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { AccountPayer } from './ledger/record.ts'
import type { Refusal } from './refusal.ts'

/** The headers in which an account can be shown. */
export type CredentialHeader = 'authorization' | 'x-api-key' | 'api-key' | 'x-credit-id'

/** Who pays, by the headers that the route takes: the state of a key is judged at this moment. @param now Unix ms */
export function authenticate(
  headers: IncomingHttpHeaders,
  takes: readonly CredentialHeader[],
  dialect: Dialect,
  ledger: Ledger,
  now: number,
): { readonly payer: AccountPayer } | { readonly refusal: Refusal } {
  for (const header of takes) {
    const shown = shownIn(headers, header)
    if (shown === undefined) continue
    if (header === 'x-credit-id') {
      return ledger.accounts.balance(shown) === undefined
        ? { refusal: dialect.missing }
        : { payer: { kind: 'account', creditId: shown, keyId: null } }
    }
    const key = ledger.keys.identify(shown)
    if (!key || key.revoked) return { refusal: dialect.unknownKey }
    if (key.expireAt !== null && key.expireAt <= now) return { refusal: dialect.expiredKey }
    return { payer: { kind: 'account', creditId: key.creditId, keyId: key.id } }
  }
  return { refusal: dialect.missing }
}

/** One of these headers carries a credential, known or unknown. */
export function showsCredential(headers: IncomingHttpHeaders, takes: readonly CredentialHeader[]): boolean {
  return takes.some((header) => shownIn(headers, header) !== undefined)
}

/**
 * Whether an API key was sent, even if this route doesn't accept the header: the 402 flow is for requests
 * without one.
 */
export function sendsApiKey(headers: IncomingHttpHeaders): boolean {
  return showsCredential(headers, ['authorization', 'x-api-key', 'api-key'])
}

function shownIn(headers: IncomingHttpHeaders, header: CredentialHeader): string | undefined {
  const value = headers[header]
  if (typeof value !== 'string' || value === '') return undefined
  return header === 'authorization' ? /^Bearer +(\S+)$/i.exec(value)?.[1] : value
}

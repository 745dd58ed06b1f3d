import { SottoError } from '../../../../shared/errors.ts'

/** Where the service is and who asks. The credentials belong to its addresses and are sent to no other. */
export interface ServiceAccess {
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** `{alt_base_url}` (specification, Versioning): Revision A serves audio there. Without a trailing slash. */
  readonly alternativeBaseUrl?: string
  /** B where it is not said. */
  readonly revision?: 'A' | 'B'
  /** The address is an enclave's and no service's: only the list of its models is asked for in the open. */
  readonly direct?: true
  readonly apiKey?: string
  readonly creditId?: string
}

/** Whether an account is connected, if only by one of its credentials. */
export function hasAccount({ apiKey, creditId }: ServiceAccess): boolean {
  return apiKey !== undefined || creditId !== undefined
}

/** `Authorization: Bearer <API_KEY>` (specification, Authentication 1). Throws service/no-account, or service/no-api-key if the account has only its credit ID. */
export function bearer(access: ServiceAccess): { authorization: string } {
  const { apiKey } = access
  if (apiKey === undefined)
    throw new SottoError(hasAccount(access) ? 'service/no-api-key' : 'service/no-account')
  return { authorization: `Bearer ${apiKey}` }
}

/** `x-credit-id: <CREDIT_ID>` (Authentication 2). Throws service/no-credit-id, or service/no-account where there is no key either. */
export function creditIdHeader({ creditId, apiKey }: ServiceAccess): { 'x-credit-id': string } {
  if (creditId === undefined)
    throw new SottoError(apiKey === undefined ? 'service/no-account' : 'service/no-credit-id')
  return { 'x-credit-id': creditId }
}

/** The origins that are the service: the profile names them, and no answer adds to them. */
function ownOrigins({ baseUrl, alternativeBaseUrl }: ServiceAccess): string[] {
  return [baseUrl, ...(alternativeBaseUrl === undefined ? [] : [alternativeBaseUrl])].map(
    (address) => new URL(address).origin,
  )
}

/**
 * An address that the service gave for something of its own, such as a signed media URL, resolved against its base.
 * Throws service/foreign-address for any other origin, and for one that carries a name or password.
 */
export function ownAddress(access: ServiceAccess, given: string): string {
  const url = URL.parse(given, `${access.baseUrl}/`)
  if (!url || !ownOrigins(access).includes(url.origin) || url.username !== '' || url.password !== '')
    throw new SottoError('service/foreign-address')
  url.hash = ''
  return url.href
}

/** Throws service/not-offered where the service's revision of the interface lacks `what`. */
export function requireRevision({ revision = 'B' }: ServiceAccess, needed: 'A' | 'B', param?: string): void {
  if (revision !== needed) throw new SottoError('service/not-offered', param === undefined ? {} : { param })
}

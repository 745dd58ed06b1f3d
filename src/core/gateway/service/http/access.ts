import { SottoError } from '../../../../shared/errors.ts'

/** The addresses and credentials of the service. The credentials are sent to no other address. */
export interface ServiceAccess {
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** `{alt_base_url}` (specification, Versioning): Revision A serves audio there. Without a trailing slash. */
  readonly alternativeBaseUrl?: string
  /** B by default. */
  readonly revision?: 'A' | 'B'
  /**
   * The address is an enclave's and not a service's: the only plaintext request is for the list of its
   * models.
   */
  readonly direct?: true
  readonly apiKey?: string
  readonly creditId?: string
}

/** Whether an account is connected, if only by one of its credentials. */
export function hasAccount({ apiKey, creditId }: ServiceAccess): boolean {
  return apiKey !== undefined || creditId !== undefined
}

/**
 * `Authorization: Bearer <API_KEY>` (specification, Authentication 1).
 * @throws {SottoError} service/no-account; service/no-api-key – the account has only its credit ID
 */
export function bearer(access: ServiceAccess): { authorization: string } {
  const { apiKey } = access
  if (apiKey === undefined)
    throw new SottoError(hasAccount(access) ? 'service/no-api-key' : 'service/no-account')
  return { authorization: `Bearer ${apiKey}` }
}

/**
 * `x-credit-id: <CREDIT_ID>` (Authentication 2).
 * @throws {SottoError} service/no-credit-id; service/no-account – there is no key either
 */
export function creditIdHeader({ creditId, apiKey }: ServiceAccess): { 'x-credit-id': string } {
  if (creditId === undefined)
    throw new SottoError(apiKey === undefined ? 'service/no-account' : 'service/no-credit-id')
  return { 'x-credit-id': creditId }
}

/** Returns the service's origins. Only the profile defines them; answers can't add to them. */
function ownOrigins({ baseUrl, alternativeBaseUrl }: ServiceAccess): string[] {
  return [baseUrl, ...(alternativeBaseUrl === undefined ? [] : [alternativeBaseUrl])].map(
    (address) => new URL(address).origin,
  )
}

/**
 * Resolves an address that the service returned for its own content, such as a signed media URL, against its
 * base URL. The service controls the address.
 * @throws {SottoError} service/foreign-address – another origin, or an address with a name or password
 */
export function ownAddress(access: ServiceAccess, address: string): string {
  const url = URL.parse(address, `${access.baseUrl}/`)
  if (!url || !ownOrigins(access).includes(url.origin) || url.username !== '' || url.password !== '')
    throw new SottoError('service/foreign-address')
  url.hash = ''
  return url.href
}

/** @throws {SottoError} service/not-offered – the service's revision of the interface isn't `needed` */
export function requireRevision({ revision = 'B' }: ServiceAccess, needed: 'A' | 'B', param?: string): void {
  if (revision !== needed) throw new SottoError('service/not-offered', param === undefined ? {} : { param })
}

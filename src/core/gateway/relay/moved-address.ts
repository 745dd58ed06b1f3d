import type { Profile } from '../../../shared/profile.ts'
import type { ServiceAccess } from '../service/http/access.ts'

/**
 * The sandbox opens another port at each start, so an address that it signed before names one that is its no more: it is asked
 * for where the sandbox is now. Of a service, and of any other host, an address stays what it is.
 */
export function movedAddress(
  kind: Profile['kind'],
  { baseUrl }: Pick<ServiceAccess, 'baseUrl'>,
  given: string,
): string {
  const url = kind === 'sandbox' ? URL.parse(given) : null
  if (url?.hostname !== new URL(baseUrl).hostname || url.username !== '' || url.password !== '') return given
  return new URL(`${url.pathname}${url.search}`, baseUrl).href
}

import type { Profile } from '../../../shared/profile.ts'
import type { ServiceAccess } from '../service/http/access.ts'

/**
 * Corrects an address that the sandbox signed. The sandbox uses another port at each start, so an earlier
 * address is requested at its present one. Addresses of a service, or of any other host, remain unchanged.
 */
export function movedAddress(
  kind: Profile['kind'],
  { baseUrl }: Pick<ServiceAccess, 'baseUrl'>,
  address: string,
): string {
  const url = kind === 'sandbox' ? URL.parse(address) : null
  if (url?.hostname !== new URL(baseUrl).hostname || url.username !== '' || url.password !== '')
    return address
  return new URL(`${url.pathname}${url.search}`, baseUrl).href
}

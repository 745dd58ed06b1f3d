import { isDirect } from './direct.ts'
import type { Profile } from './profile.ts'

/** AMD's key distribution service, which publishes revocation lists. */
export const AMD_KEY_SERVER = 'kdsintf.amd.com'

/**
 * Whether AMD's lists are downloaded for a profile: its enclaves may be AMD's, and they are verified. The sandbox mints its own lists and
 * sends them with its evidence, so it needs no other host. A document v3, the only evidence of direct profiles, must contain the list.
 */
export function looksUpRevocation({
  kind,
  revision,
  policy,
  direct,
}: Pick<Profile, 'kind' | 'revision' | 'policy' | 'direct'>): boolean {
  return !isDirect({ direct }) && kind === 'service' && revision === 'B' && policy?.sevSnp !== undefined
}

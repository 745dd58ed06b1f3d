import type { ServiceAccess } from '../http/access.ts'
import type { ServiceRequest } from '../http/perform.ts'

/** Revision A serves audio below `{alt_base_url}/api`, B below `{base_url}` (specification, Versioning). */
export function audioTarget(
  path: `/v1/${string}`,
  revision: ServiceAccess['revision'],
): ServiceRequest<unknown>['target'] {
  return revision === 'A' ? { path: `/api${path}`, base: 'alternative' } : { path }
}

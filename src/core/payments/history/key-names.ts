import { SottoError } from '../../../shared/errors.ts'
import { listKeys } from '../../gateway/service/account/read/keys.ts'
import type { Service } from '../../gateway/service/http/perform.ts'

/**
 * Returns the names of the account's keys by their ID, including revoked ones. Empty if no credit ID is
 * connected, or they are unavailable.
 */
export async function keyNames(service: Service, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  if (service.access().creditId === undefined) return new Map()
  try {
    const { keys } = await listKeys(service, { includeRevoked: true }, { signal })
    return new Map(keys.map(({ id, name }) => [id, name]))
  } catch (thrown) {
    if (signal.aborted || !(thrown instanceof SottoError)) throw thrown
    return new Map()
  }
}

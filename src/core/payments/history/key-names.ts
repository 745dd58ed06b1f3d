import { SottoError } from '../../../shared/errors.ts'
import { listKeys } from '../../gateway/service/account/read/keys.ts'
import type { Service } from '../../gateway/service/http/perform.ts'

/** What the account's keys are called, by their id, revoked ones too. None where no credit id is connected, or they cannot be had now. */
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

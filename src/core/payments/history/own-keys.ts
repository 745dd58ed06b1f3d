import { z } from 'zod'
import { SottoError } from '../../../shared/errors.ts'
import { keyFingerprint } from '../../gateway/relay/index.ts'
import { readHistory } from '../../gateway/service/account/read/history.ts'
import type { Service } from '../../gateway/service/http/perform.ts'
import type { Store } from '../../storage/index.ts'
import { listKeys } from '../../gateway/service/account/read/keys.ts'

const SETTING = 'history/key-ids'
const MAX_STORED = 100
const storedSchema = z.array(z.tuple([z.string(), z.string()])).max(MAX_STORED)

/** The service's IDs of the keys of receipts, by the fingerprint in the receipts. */
export interface OwnKeys {
  readonly ids: ReadonlyMap<string, string>
  /** The ID of the key in use; absent before it has a record. */
  readonly current: string | undefined
  /** The fingerprint of the key in use. */
  readonly mark: string | undefined
}

/**
 * Reads a key's ID from its own records. They are requested with only that key, and no key's secret is
 * requested. A learned ID is saved, so that receipts of a replaced key remain comparable.
 */
export async function ownKeys(
  service: Service,
  settings: Store['settings'],
  signal: AbortSignal,
): Promise<OwnKeys> {
  const { apiKey } = service.access()
  const ids = new Map(storedIds(settings))
  if (apiKey === undefined) return { ids, current: undefined, mark: undefined }
  const mark = keyFingerprint(apiKey)
  const known = ids.get(mark)
  if (known !== undefined) return { ids, current: known, mark }
  const {
    records: [record],
  } = await readHistory(service, { allKeys: false, pageSize: 1 }, { signal })
  const id = record?.apiKeyId
  if (id === undefined) return { ids, current: undefined, mark }
  ids.set(mark, id)
  keep(settings, [...ids].slice(-MAX_STORED))
  return { ids, current: id, mark }
}

/** If the disk fails, the IDs are learned again the next time. */
function keep(settings: Store['settings'], ids: readonly (readonly [string, string])[]): void {
  try {
    settings.set(SETTING, JSON.stringify(ids))
  } catch (thrown) {
    if (!(thrown instanceof SottoError) || thrown.code !== 'store/unwritable') throw thrown
  }
}

function storedIds(settings: Store['settings']): [string, string][] {
  try {
    return storedSchema.parse(JSON.parse(settings.get(SETTING) ?? '[]'))
  } catch {
    return []
  }
}

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

import { SottoError } from '../../../shared/errors.ts'
import type { HistoryFilter } from '../../../shared/history.ts'
import { getKey } from '../../gateway/service/account/read/keys.ts'
import {
  readHistory,
  type HistoryInput,
  type HistoryPage,
  type QueryRecord,
} from '../../gateway/service/account/read/history.ts'
import type { Service } from '../../gateway/service/http/perform.ts'
import type { Store } from '../../storage/index.ts'
import { keyNames, ownKeys, type OwnKeys } from './own-keys.ts'

/** The service's largest page (specification, Query history). */
const SERVICE_PAGE = 100

/** The service's pages of one filter, counted from 1. */
export interface HistorySource {
  readonly read: (page: number) => Promise<HistoryPage>
  /**
   * Filters the records if the service didn't; if it's absent, the service filters, and its counts are of the
   * wanted records.
   */
  readonly wanted?: (record: QueryRecord) => boolean
}

/** The history of an account. */
export interface AccountHistory {
  readonly keys: OwnKeys
  /** The names of keys, by their ID. */
  readonly names: ReadonlyMap<string, string>
  readonly source: HistorySource
  /** Opens a source with another filter. */
  readonly open: (filter: HistoryFilter) => Promise<HistorySource>
}

/** Opens the records of a filter, and the account's keys as far as they are known. */
export async function createAccountHistory(
  { service, store }: { readonly service: Service; readonly store: Pick<Store, 'settings'> },
  filter: HistoryFilter,
  signal: AbortSignal,
): Promise<AccountHistory> {
  const [keys, names] = await Promise.all([
    ownKeys(service, store.settings, signal),
    keyNames(service, signal),
  ])
  const open = (others: HistoryFilter) => openSource(service, others, keys.current, signal)
  return { keys, names, source: await open(filter), open }
}

/** The credentials of the request, and the filter that the service applies. */
interface Scope {
  readonly service: Service
  readonly input: Pick<HistoryInput, 'allKeys'>
  readonly wanted?: (record: QueryRecord) => boolean
}

/**
 * Records of one key are requested with that key in a header, because a filter by a key's value would put the
 * value into the URL. If the key can't request them, all records are read and filtered here.
 * @param ownKeyId the key that Sotto uses, if it's known
 */
async function openSource(
  service: Service,
  { keyId, ...filter }: HistoryFilter,
  ownKeyId: string | undefined,
  signal: AbortSignal,
): Promise<HistorySource> {
  const {
    service: asking,
    input,
    wanted,
  } = keyId === undefined
    ? { service, input: { allKeys: true } }
    : await scopeOfKey(service, keyId, ownKeyId, signal)
  return {
    read: (page) => readHistory(asking, { ...filter, ...input, page, pageSize: SERVICE_PAGE }, { signal }),
    ...(wanted && { wanted }),
  }
}

async function scopeOfKey(
  service: Service,
  keyId: string,
  ownKeyId: string | undefined,
  signal: AbortSignal,
): Promise<Scope> {
  const access = service.access()
  if (keyId === ownKeyId && access.apiKey !== undefined) return { service, input: { allKeys: false } }
  const apiKey = access.creditId === undefined ? undefined : await workingKey(service, keyId, signal)
  if (apiKey === undefined)
    return { service, input: { allKeys: true }, wanted: (record) => record.apiKeyId === keyId }
  return { service: { ...service, access: () => ({ ...access, apiKey }) }, input: { allKeys: false } }
}

/** Returns the key itself, if it's neither revoked nor expired. */
async function workingKey(service: Service, keyId: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { apiKey, revokedAt, expiresAt } = await getKey(service, keyId, { showKey: true }, { signal })
    const ended =
      typeof revokedAt === 'number' ||
      (typeof expiresAt === 'number' && expiresAt <= (service.now ?? Date.now)())
    return ended ? undefined : apiKey
  } catch (thrown) {
    // A key that the service has deleted, or an ID that never belonged to a key.
    if (
      thrown instanceof SottoError &&
      (thrown.code === 'service/not-found' || thrown.code === 'request/invalid')
    )
      return undefined
    throw thrown
  }
}

import { z } from 'zod'
import { SottoError } from '../../../shared/errors.ts'
import { keyFingerprint } from '../../gateway/relay/index.ts'
import { readHistory } from '../../gateway/service/account/read/history.ts'
import type { Service } from '../../gateway/service/http/perform.ts'
import type { Store } from '../../storage/index.ts'

const SETTING = 'history/key-ids'
const MAX_STORED = 100
const storedSchema = z.array(z.tuple([z.string(), z.string()])).max(MAX_STORED)

/** The service's ids of the keys that receipts were made with, by the mark that the receipts carry. */
export interface OwnKeys {
  readonly ids: ReadonlyMap<string, string>
  /** Of the key that is in use; absent before it has a record. */
  readonly current: string | undefined
  /** The mark of the key that is in use. */
  readonly mark: string | undefined
}

/**
 * A key's id stands in its own records: they are asked for by that key alone, and the secret of no key is. An id that was
 * learned is kept, so that receipts of a key that was replaced stay comparable.
 */
export async function ownKeys(
  service: Service,
  settings: Store['settings'],
  signal: AbortSignal,
): Promise<OwnKeys> {
  const { apiKey } = service.access()
  const ids = new Map(kept(settings))
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

/** Where the disk refuses, it is learned again the next time. */
function keep(settings: Store['settings'], ids: readonly (readonly [string, string])[]): void {
  try {
    settings.set(SETTING, JSON.stringify(ids))
  } catch (thrown) {
    if (!(thrown instanceof SottoError) || thrown.code !== 'store/unwritable') throw thrown
  }
}

function kept(settings: Store['settings']): [string, string][] {
  try {
    return storedSchema.parse(JSON.parse(settings.get(SETTING) ?? '[]'))
  } catch {
    return []
  }
}

import { isPlainId, type CachedItem } from '../dialect/responses/index.ts'
import { SottoError } from '../../../shared/errors.ts'

const DEFAULT_LIMIT = 20
const MOST = 100

/**
 * Builds a page of a response's input items, as JSON in OpenAI's list shape.
 * @param items the oldest first
 * @param query `limit` (1 to 100, 20 by default), `order` (`desc` by default), `after` (the ID of an item);
 * others are ignored
 * @throws {SottoError} proxy/invalid-request
 */
export function listInputItems(
  items: readonly CachedItem[],
  { limit = String(DEFAULT_LIMIT), order = 'desc', after }: Record<string, string>,
): string {
  if (order !== 'asc' && order !== 'desc')
    throw new SottoError('proxy/invalid-request', {
      param: 'order',
      toolDetail: 'It must be "asc" or "desc".',
    })
  const count = /^\d{1,3}$/.test(limit) ? Number(limit) : 0
  if (count < 1 || count > MOST)
    throw new SottoError('proxy/invalid-request', {
      param: 'limit',
      toolDetail: `It must be a number from 1 to ${String(MOST)}.`,
    })
  const ordered = order === 'asc' ? items : items.toReversed()
  const from = after === undefined ? 0 : ordered.findLastIndex(({ id }) => id === after) + 1
  if (after !== undefined && from === 0)
    throw new SottoError('proxy/invalid-request', {
      param: 'after',
      toolDetail: isPlainId(after) ? `The response has no item '${after}'.` : '',
    })
  const page = ordered.slice(from, from + count)
  const ids = {
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
    has_more: from + count < ordered.length,
  }
  // The items are JSON already.
  return `{"object":"list","data":[${page.map(({ json }) => json).join(',')}],${JSON.stringify(ids).slice(1)}`
}

import { SottoError } from '../../../../shared/errors.ts'
import type { JsonObject, JsonValue } from '../../../../shared/strict-json.ts'
import { isPlainId, toCachedItem, type CachedItem } from './cached-item.ts'
import { cachedItems, type InputItem, type ResponsesRequest } from './request-schema.ts'

/** Items of cached responses. */
export interface EarlierItems {
  readonly items: readonly CachedItem[]
  /** How the service got their text. */
  readonly privacy: 'sealed' | 'relayed' | 'forwarded'
}

/** The cached responses that a request may refer to. */
export interface EarlierResponses {
  /**
   * Returns all items of a response: its input, with that of the earlier responses, and its output. Null if
   * it isn't cached.
   */
  response(id: string): EarlierItems | null
  /** Returns one item of any response. Null if it isn't cached. */
  item(id: string): EarlierItems | null
}

/** The whole conversation that a request continues. */
export interface ResolvedInput {
  readonly items: readonly InputItem[]
  /**
   * The strictest privacy of the text of earlier responses. Undefined if the service could read all of it.
   */
  readonly privacy: 'sealed' | 'relayed' | undefined
  /** Bytes of JSON that earlier responses add. */
  readonly earlierBytes: number
  /** Returns the items to cache with the response. @param id the IDs of new items contain it */
  contextFor(id: string): CachedItem[]
}

/**
 * Replaces the references of a request with the items of cached responses.
 * @param raw the request's `input` as the caller sent it
 * @throws {SottoError} response/previous-unknown, response/unknown – a referenced response or item isn't
 * cached
 * @throws {SottoError} proxy/invalid-request – an item is referenced twice, which would let a small request
 * grow without limit
 */
export function resolveInput(
  request: ResponsesRequest,
  raw: JsonValue | undefined,
  earlier: EarlierResponses,
): ResolvedInput {
  const items: InputItem[] = []
  const context: (CachedItem | { readonly raw: JsonValue; readonly item: InputItem })[] = []
  const seen = new Set<string>()
  let privacy: ResolvedInput['privacy']
  let earlierBytes = 0
  const add = (from: EarlierItems): void => {
    items.push(...cachedItems.parse(from.items.map(({ json }): unknown => JSON.parse(json))))
    context.push(...from.items)
    for (const { id, json } of from.items) {
      seen.add(id)
      earlierBytes += Buffer.byteLength(json)
    }
    if (from.privacy === 'sealed') privacy = 'sealed'
    else if (from.privacy === 'relayed') privacy ??= 'relayed'
  }

  const { previous_response_id: previous } = request
  if (previous !== undefined) {
    add(
      earlier.response(previous) ??
        fail('response/previous-unknown', {
          param: 'previous_response_id',
          ...(isPlainId(previous) && { toolDetail: `Previous response with id '${previous}' not found.` }),
          toolCode: 'previous_response_not_found',
        }),
    )
  }
  for (const [at, item] of request.input.entries()) {
    if (item.type === 'item_reference') {
      const param = `input[${String(at)}].id`
      const name = isPlainId(item.id) ? `Item with id '${item.id}'` : 'The item'
      if (seen.has(item.id))
        throw new SottoError('proxy/invalid-request', {
          param,
          toolDetail: `${name} is already part of the input.`,
        })
      add(earlier.item(item.id) ?? fail('response/unknown', { param, toolDetail: `${name} not found.` }))
    } else {
      items.push(item)
      context.push({ raw: Array.isArray(raw) ? (raw[at] ?? null) : (raw ?? null), item })
    }
  }
  return {
    items,
    privacy,
    earlierBytes,
    contextFor: (id) =>
      context.map((each, at) =>
        'json' in each ? each : toCachedItem(each.raw, each.item, `${id}_i${String(at)}`),
      ),
  }
}

function fail(...failure: ConstructorParameters<typeof SottoError>): never {
  throw new SottoError(...failure)
}

/** Returns the output of a response, as items for a later request. */
export function outputItems({ output }: JsonObject): CachedItem[] {
  if (!Array.isArray(output)) return []
  return output.flatMap((item) => {
    const id = typeof item === 'object' && item !== null && 'id' in item ? item['id'] : undefined
    return typeof id === 'string' ? [{ id, json: JSON.stringify(item) }] : []
  })
}

/** No response is cached. */
export const NOTHING_EARLIER: EarlierResponses = { response: () => null, item: () => null }

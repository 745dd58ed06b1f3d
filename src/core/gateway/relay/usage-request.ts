import { isJsonObject, type JsonObject } from '../../../shared/strict-json.ts'

/** Whether the caller requested the usage event of a stream. */
export function asksForUsage(body: JsonObject): boolean {
  const options = body['stream_options']
  return isJsonObject(options) && options['include_usage'] === true
}

/**
 * Adds a request for the token counts to a streamed request, because without them its receipt would have no
 * cost.
 */
export function withUsage(body: JsonObject): JsonObject {
  if (body['stream'] !== true || asksForUsage(body)) return body
  const options = body['stream_options']
  return { ...body, stream_options: { ...(isJsonObject(options) ? options : {}), include_usage: true } }
}

import { isJsonObject, type JsonObject } from '../../../shared/strict-json.ts'

/** Whether the caller asked for the usage event of a stream. */
export function asksForUsage(body: JsonObject): boolean {
  const options = body['stream_options']
  return isJsonObject(options) && options['include_usage'] === true
}

/** A streamed request that asks for its token counts, without which its cost could not stand on the receipt. */
export function withUsage(body: JsonObject): JsonObject {
  if (body['stream'] !== true || asksForUsage(body)) return body
  const options = body['stream_options']
  return { ...body, stream_options: { ...(isJsonObject(options) ? options : {}), include_usage: true } }
}

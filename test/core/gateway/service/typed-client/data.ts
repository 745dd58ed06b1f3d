import type { DataEndpointId } from '../../../../../src/core/gateway/service/inference/data-endpoints.ts'
import {
  jsonBody,
  perform,
  type PayableOptions,
  type Service,
  type ServiceRequest,
} from '../../../../../src/core/gateway/service/http/perform.ts'
import { SottoError } from '../../../../../src/shared/errors.ts'
import { msg } from '../../../../../src/shared/localized-text.ts'
import type { JsonObject, JsonValue } from '../../../../../src/shared/strict-json.ts'
import { readJson } from './read-json.ts'

const MAX_ANSWER_BYTES = 32 * 1024 * 1024
const TIMEOUT_MS = 3 * 60_000
/** Segments of plain characters only, so no path can leave `/v1/data`. */
const PATH = /^\/(?:api|x)(?:\/[A-Za-z0-9_-]{1,60}){1,6}$/

/**
 * One call, `{method} /v1/data{path}`, with a query for a GET and a JSON body for a POST. Each call is charged, so
 * it is sent only once, even a GET. The provider defines the answer, which can be any JSON.
 */
function dataRequest(
  { path, method }: Pick<DataEndpointId, 'path' | 'method'>,
  input: JsonObject,
  revision: 'A' | 'B',
): ServiceRequest<JsonValue> {
  if (!PATH.test(path)) throw new SottoError('request/invalid', { param: 'path' })
  if (revision === 'B' && path.startsWith('/x/'))
    throw new SottoError('service/not-offered', { param: 'path' })
  return {
    method,
    target: { path: `/v1/data${path}`, ...(method === 'GET' && { query: queryOf(input) }) },
    auth: 'payable',
    ...(method === 'POST' && { body: jsonBody(input) }),
    timeoutMs: TIMEOUT_MS,
    read: (response) => readJson(response.body, MAX_ANSWER_BYTES),
  }
}

function queryOf(input: JsonObject): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]): [string, string | number | boolean][] => {
      if (value === null) return []
      if (typeof value === 'object')
        throw new SottoError('request/invalid', {
          param: name.slice(0, 60),
          detail: msg('A query accepts only plain values.'),
        })
      return [[name, value]]
    }),
  )
}

export async function callData(
  service: Service,
  endpoint: Pick<DataEndpointId, 'path' | 'method'>,
  input: JsonObject,
  options: PayableOptions = {},
): Promise<JsonValue> {
  return perform(service, dataRequest(endpoint, input, service.access().revision ?? 'B'), options)
}

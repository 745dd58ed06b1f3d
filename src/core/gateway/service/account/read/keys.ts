import { z } from 'zod'
import { msg } from '../../../../../shared/localized-text.ts'
import { checked, jsonAnswer, perform, type CallOptions, type Service } from '../../http/perform.ts'
import { fitting } from '../../http/wire.ts'
import { apiKeyAnswer, apiKeySchema, keyIdSchema, type ApiKey } from '../api-key.ts'

const MAX_KEYS_BYTES = 4 * 1024 * 1024

export interface KeyList {
  readonly keys: readonly ApiKey[]
  /** The number of unreadable entries in the answer. */
  readonly unreadable: number
}

export interface KeyListInput {
  /** Include revoked keys. */
  readonly includeRevoked?: boolean | undefined
  /** Include the keys themselves: secrets. */
  readonly showKey?: boolean | undefined
}

const listSchema = z
  .object({ data: fitting(apiKeySchema, 10_000) })
  .transform(({ data }): KeyList => ({ keys: data.entries, unreadable: data.unreadable }))

/**
 * Lists the keys: `GET /keys` (specification, API keys); with `showKey`, including secrets.
 * @throws {SottoError} service/no-account, service/no-credit-id, service/…
 */
export function listKeys(
  service: Service,
  { includeRevoked = false, showKey = false }: KeyListInput = {},
  options: CallOptions = {},
): Promise<KeyList> {
  return perform(
    service,
    {
      method: 'GET',
      target: {
        path: '/keys',
        query: { include_disabled: includeRevoked || undefined, show_key: showKey || undefined },
      },
      auth: 'credit-id',
      repeatable: true,
      read: jsonAnswer(listSchema, msg('The response isn’t a list of keys.'), MAX_KEYS_BYTES),
    },
    options,
  )
}

/**
 * Reads a key: `GET /keys/{id}`; with `showKey`, including its secret.
 * @throws {SottoError} request/invalid – not an ID, before anything is sent; service/…
 */
export async function getKey(
  service: Service,
  id: string,
  { showKey = false }: Pick<KeyListInput, 'showKey'> = {},
  options: CallOptions = {},
): Promise<ApiKey> {
  return perform(
    service,
    {
      method: 'GET',
      target: { path: `/keys/${checked(keyIdSchema, id)}`, query: { show_key: showKey || undefined } },
      auth: 'credit-id',
      repeatable: true,
      read: jsonAnswer(apiKeyAnswer, msg('The response isn’t a key.')),
    },
    options,
  )
}

import { z } from 'zod'
import { SottoError } from '../../../../shared/errors.ts'
import { msg } from '../../../../shared/localized-text.ts'
import { readText } from '../http/body.ts'
import { parseExactJson } from '../http/exact-json.ts'
import { perform, type CallOptions, type Service, type ServiceRequest } from '../http/perform.ts'
import { memberOf } from '../http/shapes.ts'

/**
 * A credential for a header or a path: the service's own alphabet, without characters that could end a header
 * line.
 */
export const credentialSchema = z.string().regex(/^[\w.~-]{8,200}$/)

/** At least one of the two is present. */
export interface AccountCredentials {
  readonly creditId?: string
  readonly apiKey?: string
}

const MAX_ANSWER_BYTES = 256 * 1024

const creditId = memberOf(credentialSchema, ['credit_id', 'creditId'], 'account')
const apiKey = memberOf(credentialSchema, ['api_key', 'apiKey'], 'account')

/**
 * `POST /accounts/create` (specification, Account funding and balance). Sent once, because each answer is
 * another account.
 */
const createAccountRequest: ServiceRequest<AccountCredentials> = {
  method: 'POST',
  target: { path: '/accounts/create' },
  auth: 'none',
  read: async ({ body }) => {
    const answer = parseLeniently(await readText(body, MAX_ANSWER_BYTES))
    const [credit, key] = [creditId.safeParse(answer), apiKey.safeParse(answer)]
    // Either credential can have or receive money, so an answer with only one of them is an account too.
    if (!credit.success && !key.success)
      throw new SottoError('service/response-invalid', { detail: msg('The response isn’t a new account.') })
    return { ...(credit.success && { creditId: credit.data }), ...(key.success && { apiKey: key.data }) }
  },
}

/**
 * Reads JSON that strict parsing refuses, such as a duplicate member. Only this answer has the credentials,
 * so a fault elsewhere in it must not lose them.
 */
function parseLeniently(text: string): unknown {
  for (const parse of [parseExactJson, JSON.parse]) {
    try {
      return parse(text)
    } catch {
      continue
    }
  }
  return undefined
}

/**
 * Creates an account. Only this answer contains its credentials.
 * @returns the credentials in the answer: both, or the only one
 * @throws {SottoError} service/response-invalid – the answer has no credential that fits in a header;
 * service/…
 */
export function createAccount(service: Service, options: CallOptions = {}): Promise<AccountCredentials> {
  return perform(service, createAccountRequest, options)
}

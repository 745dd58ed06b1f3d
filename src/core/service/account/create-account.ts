import { z } from 'zod'
import { say } from '../../../shared/say.ts'
import { jsonAnswer, perform, type CallOptions, type Service, type ServiceRequest } from '../http/perform.ts'

/** What may stand in a header or a path: the service's own alphabet, and nothing that could end a header line. */
export const credentialSchema = z.string().regex(/^[\w.~-]{8,200}$/)

export interface AccountCredentials {
  readonly creditId: string
  readonly apiKey: string
}

const createdSchema = z
  .object({ credit_id: credentialSchema, api_key: credentialSchema })
  .transform((created): AccountCredentials => ({ creditId: created.credit_id, apiKey: created.api_key }))

/** `POST /accounts/create` (specification, Account funding and balance). Sent once: each answer is another account. */
const createAccountRequest: ServiceRequest<AccountCredentials> = {
  method: 'POST', target: { path: '/accounts/create' }, auth: 'none', read: jsonAnswer(createdSchema, say('The response isn’t a new account.')),
}

/** Nothing but this answer tells the credit id. Throws service/…. */
export function createAccount(service: Service, options: CallOptions = {}): Promise<AccountCredentials> {
  return perform(service, createAccountRequest, options)
}

import { z } from 'zod'
import { SottoError } from '../../../shared/errors.ts'
import type { Fetch } from '../../../shared/fetch.ts'
import { sendForJson } from '../http/request.ts'

/** What may stand in a header or a path: the service's own alphabet, and nothing that could end a header line. */
export const credentialSchema = z.string().regex(/^[\w.~-]{8,200}$/)

const createdSchema = z.object({ credit_id: credentialSchema, api_key: credentialSchema })

export interface AccountCredentials {
  readonly creditId: string
  readonly apiKey: string
}

/** `POST /accounts/create` (specification, Account funding and balance). */
export async function createAccount(fetch: Fetch, baseUrl: string): Promise<AccountCredentials> {
  const answer = await sendForJson(fetch, `${baseUrl}/accounts/create`, { method: 'POST', headers: { accept: 'application/json' } }, 64 * 1024)
  const created = createdSchema.safeParse(answer)
  if (!created.success) throw new SottoError('service/response-invalid', { detail: 'It names no account.' })
  return { creditId: created.data.credit_id, apiKey: created.data.api_key }
}

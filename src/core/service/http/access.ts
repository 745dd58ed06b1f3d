import { SottoError } from '../../../shared/errors.ts'

/** Where the service is and who asks. The credentials belong to this origin and are sent to no other. */
export interface ServiceAccess {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly apiKey?: string
  readonly creditId?: string
}

/** `Authorization: Bearer <API_KEY>` (specification, Authentication 1). Throws service/no-account. */
export function bearer({ apiKey }: ServiceAccess): { authorization: string } {
  if (apiKey === undefined) throw new SottoError('service/no-account')
  return { authorization: `Bearer ${apiKey}` }
}

import type { IncomingHttpHeaders } from 'node:http'
import type { Account, Ledger } from './ledger.ts'
import { credentialMissing, credentialUnknown, type Refusal } from './refusal.ts'

/** Who pays, by any of the headers that the service takes: an API key, or the account's own id. */
export function authenticate(headers: IncomingHttpHeaders, ledger: Ledger): { readonly account: Account } | { readonly refusal: Refusal } {
  const creditId = single(headers['x-credit-id'])
  const key = apiKeyOf(headers)
  if (key === undefined && creditId === undefined) return { refusal: credentialMissing }
  const account = key === undefined ? ledger.accountOfCreditId(creditId ?? '') : ledger.accountOfKey(key)
  return account ? { account } : { refusal: credentialUnknown }
}

export function apiKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  return bearer ?? single(headers['x-api-key']) ?? single(headers['api-key'])
}

function single(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

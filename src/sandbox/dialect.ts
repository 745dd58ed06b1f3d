import { STATUS_CODES } from 'node:http'
import {
  credentialMissing,
  credentialUnknown,
  documentedRefusal,
  gatewayRefusal,
  insufficientCredit,
  json,
  type Refusal,
} from './refusal.ts'

/** How a part of the service words its refusals. The shapes were observed, and no two parts agree. */
export interface Dialect {
  /** No credential, or one that this route does not take. */
  readonly missing: Refusal
  readonly unknownKey: Refusal
  readonly expiredKey: Refusal
  /** The key's cap isn't sufficient. */
  readonly keyLimit: Refusal
  /** @param required 10^-12 USD */
  insufficient(required: bigint): Refusal
  /** Refuses an invalid request. @param field its path in the body or query, if one field is invalid */
  refuse(status: number, message: string, field?: string): Refusal
}

const keyRefusals = {
  unknownKey: credentialUnknown,
  expiredKey: json(401, { error: 'Invalid API key', message: 'API key has expired' }),
  keyLimit: json(402, { error: 'Payment Required', message: 'API key usage limit exceeded' }),
}

/** Chat. */
export const gatewayDialect: Dialect = {
  ...keyRefusals,
  missing: credentialMissing,
  insufficient: () => insufficientCredit,
  refuse: (status, message, field) =>
    gatewayRefusal(status, field === undefined ? message : `Invalid request: ${field}: ${message}`),
}

/** Embeddings, audio, images and videos. */
export const mediaDialect: Dialect = {
  ...keyRefusals,
  missing: json(401, { error: 'Unauthorized', message: 'Missing or invalid Authorization header' }),
  insufficient: () => json(402, { error: 'Payment Required', message: 'Insufficient balance' }),
  refuse: (status, message, field) =>
    json(status, {
      error: STATUS_CODES[status] ?? 'Error',
      message: field === undefined ? message : `${field}: ${message}`,
      ...(field !== undefined && { field }),
    }),
}

/** Data enrichment. */
export const dataDialect: Dialect = {
  ...mediaDialect,
  insufficient: (required) =>
    json(402, {
      error: {
        message: 'Insufficient balance',
        reason: 'insufficient_balance',
        required: decimalUsd(required),
        type: 'insufficient_balance',
      },
    }),
}

/** For accounts, keys, top-ups and history: the documented format. */
export const accountDialect: Dialect = {
  ...keyRefusals,
  missing: documentedRefusal(401, 'Unauthorized'),
  insufficient: () => documentedRefusal(402, 'Insufficient balance'),
  refuse: (status, message, field) =>
    documentedRefusal(status, field === undefined ? message : `${field}: ${message}`, field),
}

/** Decimal text without an exponent and without trailing zeros. */
export function decimalUsd(picoUsd: bigint): string {
  const digits = picoUsd.toString().padStart(13, '0')
  return `${digits.slice(0, -12)}.${digits.slice(-12)}`.replace(/\.?0+$/, '')
}

import { z } from 'zod'
import {
  challengeEchoSchema,
  paymentChallengeSchema,
  type PaymentChallenge,
} from '../../../../shared/payment-challenge.ts'
import {
  isJsonObject,
  isRecord,
  parseStrictJson,
  type JsonObject,
  type JsonValue,
} from '../../../../shared/strict-json.ts'
import { plainSentence } from './error-text.ts'
import { ChallengeSyntaxError, parseChallenges, type Challenge } from './www-authenticate.ts'

const MAX_REQUEST = 16 * 1024
/** RFC 3339. */
const instant = z.iso.datetime({ offset: true })

/** Member names that servers use for an invoice and a token, in addition to the header's own. */
const INVOICE_NAMES = ['invoice', 'payment_request', 'pr', 'bolt11']
const TOKEN_NAMES = ['token', 'macaroon']
const BODY_PARTS = ['l402', 'payment', 'lightning']

/**
 * Reads the Lightning payment that a 402 requests in its WWW-Authenticate field and its body: `Payment` with
 * the method lightning and no intent other than charge (specification, Authentication 5;
 * draft-httpauth-payment), or `L402`/`LSAT`. The first `Payment` counts, otherwise the first `L402`. Returns
 * undefined if none is for Lightning.
 * @throws {ChallengeSyntaxError} it can't be read, or two places contain different invoices
 */
export function parsePaymentChallenge(
  field: string,
  body: Readonly<Record<string, unknown>> = {},
): PaymentChallenge | undefined {
  const challenges = parseChallenges(field)
  const payment = challenges.find(asksForLightning)
  const l402 =
    challenges.find(({ scheme }) => scheme === 'l402') ?? challenges.find(({ scheme }) => scheme === 'lsat')
  const challenge = payment ?? l402
  if (!challenge) return undefined
  const request = payment ? requestOf(payment) : {}
  const details = isJsonObject(request['methodDetails']) ? request['methodDetails'] : {}
  const { params } = challenge
  const parsed = paymentChallengeSchema.safeParse({
    scheme: payment ? 'payment' : 'l402',
    invoice: oneOf([
      params.get('invoice'),
      text(details['invoice']),
      text(request['invoice']),
      ...fromBody(body, INVOICE_NAMES),
    ]),
    token: [
      ...TOKEN_NAMES.flatMap((name) => [params.get(name)]),
      ...TOKEN_NAMES.map((name) => text(request[name])),
      ...fromBody(body, TOKEN_NAMES),
      params.get('id'),
    ].find((token) => token !== undefined),
    stated: {
      amountSat: amountOf(request),
      network: stated(details['network']),
      paymentHash: stated(details['paymentHash'])?.toLowerCase(),
    },
    ...(payment && echoOf(payment)),
    ...expiry(params.get('expires')),
    digest: params.get('digest'),
    ...(params.has('description') && { description: plainSentence(params.get('description') ?? '') }),
  })
  if (!parsed.success) throw new ChallengeSyntaxError('the challenge names no invoice, or garbles it')
  return parsed.data
}

function asksForLightning({ scheme, params }: Challenge): boolean {
  return (
    scheme === 'payment' &&
    params.get('method')?.toLowerCase() === 'lightning' &&
    (params.get('intent') ?? 'charge').toLowerCase() === 'charge'
  )
}

/**
 * Decodes base64url of JSON, with or without padding (draft-httpauth-payment section 4). Duplicate members
 * are refused.
 */
function requestOf({ params }: Challenge): JsonObject {
  const encoded = params.get('request')
  if (encoded === undefined) return {}
  if (encoded.length > MAX_REQUEST || !/^[\w-]+={0,2}$/.test(encoded))
    throw new ChallengeSyntaxError('request is not base64url')
  let value: JsonValue
  try {
    value = parseStrictJson(
      new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64url')),
    )
  } catch {
    throw new ChallengeSyntaxError('request is not JSON')
  }
  if (!isJsonObject(value)) throw new ChallengeSyntaxError('request is no object')
  return value
}

/**
 * Returns satoshis. An amount in another currency can't be compared with the invoice. The default unit is
 * sat.
 */
function amountOf({ currency = 'sat', amount }: JsonObject): string | undefined {
  if (stated(currency)?.toLowerCase() !== 'sat') return undefined
  return stated(typeof amount === 'number' && Number.isSafeInteger(amount) ? amount.toFixed() : amount)
}

/** Returns text that must match the invoice. An unreadable member is an error and isn't ignored. */
function stated(value: JsonValue | undefined): string | undefined {
  if (value !== undefined && typeof value !== 'string')
    throw new ChallengeSyntaxError('a member of the request is no text')
  return value
}

function echoOf({ params }: Challenge): { echo?: PaymentChallenge['echo'] } {
  const echo = challengeEchoSchema.safeParse(Object.fromEntries(params))
  return echo.success ? { echo: echo.data } : {}
}

function expiry(expires: string | undefined): { expiresAt?: number } {
  if (expires === undefined) return {}
  // Some servers write Unix seconds.
  if (/^\d{9,11}$/.test(expires)) return { expiresAt: Number(expires) * 1000 }
  if (!instant.safeParse(expires).success) throw new ChallengeSyntaxError('expires is no date')
  return { expiresAt: Date.parse(expires) }
}

/**
 * Returns the only value of several places. If they differed, the reader of one would pay for what another
 * shows.
 */
function oneOf(found: readonly (string | undefined)[]): string | undefined {
  const named = new Set(
    found
      .filter((invoice) => invoice !== undefined)
      .map((invoice) =>
        invoice
          .trim()
          .toLowerCase()
          .replace(/^lightning:(?:\/\/)?/, ''),
      ),
  )
  if (named.size > 1) throw new ChallengeSyntaxError('two invoices')
  return [...named][0]
}

function fromBody(body: Readonly<Record<string, unknown>>, names: readonly string[]): (string | undefined)[] {
  const parts = [body, ...BODY_PARTS.map((part) => body[part])]
  return parts.flatMap((part) => names.map((name) => (isRecord(part) ? text(part[name]) : undefined)))
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

import { z } from 'zod'
import {
  challengeEchoSchema,
  paymentChallengeSchema,
  type PaymentChallenge,
} from '../../../../shared/payment-challenge.ts'
import {
  isJsonObject,
  parseStrictJson,
  type JsonObject,
  type JsonValue,
} from '../../../../shared/strict-json.ts'
import { plainSentence } from './error-text.ts'
import { ChallengeSyntaxError, parseChallenges, type Challenge } from './www-authenticate.ts'

const MAX_REQUEST = 16 * 1024
/** RFC 3339. */
const instant = z.iso.datetime({ offset: true })

/** The names under which servers have been seen to give an invoice, and a token, beside the header's own. */
const INVOICE_NAMES = ['invoice', 'payment_request', 'pr', 'bolt11']
const TOKEN_NAMES = ['token', 'macaroon']
const BODY_PARTS = ['l402', 'payment', 'lightning']

/**
 * The Lightning payment that a 402 asks for, by its WWW-Authenticate field and its body: `Payment` with method lightning
 * and no intent but charge (specification, Authentication 5; draft-httpauth-payment), or `L402`/`LSAT`. Of several the
 * first `Payment` counts, else the first `L402`. Undefined where none asks for Lightning. Throws ChallengeSyntaxError for
 * one that cannot be read, and where two places name two invoices.
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

/** base64url of JSON, with or without padding (draft-httpauth-payment section 4). Members are named once. */
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

/** In satoshis: of another currency nothing can be held against the invoice. Its unit is sat where none is named. */
function amountOf({ currency = 'sat', amount }: JsonObject): string | undefined {
  if (stated(currency)?.toLowerCase() !== 'sat') return undefined
  return stated(typeof amount === 'number' && Number.isSafeInteger(amount) ? amount.toFixed() : amount)
}

/** What stands beside the invoice has to agree with it: what is there and cannot be read is not passed over. */
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

/** What is named in several places must be one thing: a reader of the one would otherwise pay what the other shows. */
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

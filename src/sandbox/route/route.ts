import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { authenticate, type CredentialHeader } from '../credential.ts'
import type { Dialect } from '../dialect.ts'
import type { AccountPayer, Payer } from '../ledger/record.ts'
import type { Refusal, Answer } from '../refusal.ts'
import type { ServiceContext } from '../service-context.ts'
import { parseWith, readJson } from './schemas.ts'
import { payPerRequest, type Price } from './pay-per-request.ts'

/** The description of one answer for the service's documentation. */
export interface AnswerFacts {
  readonly description: string
  readonly schema?: z.ZodType
  /** JSON by default. */
  readonly contentType?: string
}

/** A route as it is described; paths as the specification writes them, with `{id}` for what varies. */
export interface RouteFacts {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /**
   * The route also exists in the other form: with the prefix /v1 if the path has none, without it
   * otherwise.
   */
  readonly bothForms?: boolean
  readonly tag: string
  readonly summary: string
  readonly answers: Readonly<Record<number, AnswerFacts>>
  /** The route exists only in this revision. */
  readonly revision?: 'A' | 'B'
}

/** One request, as it arrived. */
export interface Arrived {
  readonly http: FastifyRequest
  readonly body: Buffer
  /** Unix ms. */
  readonly now: number
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal
}

/** One request, parsed. */
export interface Call<P, Q, B> extends Arrived {
  readonly params: P
  readonly query: Q
  readonly input: B
}

interface Spec<P, Q, B> extends RouteFacts {
  readonly dialect: Dialect
  readonly params: z.ZodType<P>
  readonly query: z.ZodType<Q>
  readonly input: z.ZodType<B>
  /** The type of the body; JSON by default. */
  readonly bodyType?: 'multipart/form-data'
  /** Reads another body than JSON into what `input` parses. */
  readonly read?: (
    body: Buffer,
    contentType: string | undefined,
  ) => { readonly value: unknown } | { readonly refusal: Refusal }
}

/** A route of the service, as it is mounted and described. */
export interface Route {
  readonly facts: RouteFacts
  readonly schemas: {
    readonly params: z.ZodType
    readonly query: z.ZodType
    readonly input: z.ZodType
    readonly bodyType: string
  }
  readonly takes: readonly CredentialHeader[]
  readonly payable: boolean
  readonly handle: (context: ServiceContext, arrived: Arrived) => Promise<Answer> | Answer
}

/** For a missing part of a route. */
export const nothing = z.unknown()
export const bare = { params: nothing, query: nothing, input: nothing }

/** A route without authentication. */
export function publicRoute<P, Q, B>(
  spec: Spec<P, Q, B> & { serve(context: ServiceContext, call: Call<P, Q, B>): Promise<Answer> | Answer },
): Route {
  return {
    ...described(spec),
    takes: [],
    payable: false,
    handle(context, arrived) {
      const parsed = parseCall(spec, arrived)
      return 'refusal' in parsed ? parsed.refusal : spec.serve(context, parsed.call)
    },
  }
}

/**
 * A route that an account pays for, or that shows an account. The credential is checked before anything
 * else.
 */
export function accountRoute<P, Q, B>(
  spec: Spec<P, Q, B> & {
    readonly takes: readonly CredentialHeader[]
    serve(
      context: ServiceContext,
      call: Call<P, Q, B> & { readonly payer: AccountPayer },
    ): Promise<Answer> | Answer
  },
): Route {
  return {
    ...described(spec),
    takes: spec.takes,
    payable: false,
    handle(context, arrived) {
      const who = authenticate(arrived.http.headers, spec.takes, spec.dialect, context.ledger, arrived.now)
      if ('refusal' in who) return who.refusal
      const parsed = parseCall(spec, arrived)
      return 'refusal' in parsed ? parsed.refusal : spec.serve(context, { ...parsed.call, payer: who.payer })
    },
  }
}

/**
 * A route that an account pays for, or an invoice for this request if no API key is sent. `price` runs
 * before the challenge, so that an invalid request is refused before payment. `serve` runs in one
 * transaction that also spends the credential: after any interruption, a sale is paid, and a paid result
 * exists.
 */
export function payableRoute<P, Q, B>(
  spec: Spec<P, Q, B> & {
    readonly takes: readonly CredentialHeader[]
    price(context: ServiceContext, call: Call<P, Q, B>): Price | { readonly refusal: Refusal }
    serve(
      context: ServiceContext,
      call: Call<P, Q, B> & { readonly payer: Payer; readonly price: Price },
    ): Answer
  },
): Route {
  return {
    ...described(spec),
    takes: spec.takes,
    payable: true,
    async handle(context, arrived) {
      const settle = await payPerRequest(context, arrived)
      const who =
        settle ?? authenticate(arrived.http.headers, spec.takes, spec.dialect, context.ledger, arrived.now)
      if ('refusal' in who) return who.refusal
      const parsed = parseCall(spec, arrived)
      if ('refusal' in parsed) return parsed.refusal
      const price = spec.price(context, parsed.call)
      if ('refusal' in price) return price.refusal
      return context.database.atomically(() => {
        if ('payer' in who) return spec.serve(context, { ...parsed.call, payer: who.payer, price })
        const paid = who(price)
        if ('refusal' in paid) return paid.refusal
        return withHeaders(spec.serve(context, { ...parsed.call, payer: paid.payer, price }), paid.headers)
      })
    },
  }
}

function described<P, Q, B>(spec: Spec<P, Q, B>): Pick<Route, 'facts' | 'schemas'> {
  const { params, query, input, bodyType = 'application/json' } = spec
  return { facts: spec, schemas: { params, query, input, bodyType } }
}

function parseCall<P, Q, B>(
  spec: Spec<P, Q, B>,
  arrived: Arrived,
): { readonly call: Call<P, Q, B> } | { readonly refusal: Refusal } {
  const { http, body } = arrived
  const params = parseWith(spec.params, http.params, spec.dialect)
  if ('refusal' in params) return params
  const query = parseWith(spec.query, http.query, spec.dialect)
  if ('refusal' in query) return query
  if (spec.input === nothing)
    return {
      call: { ...arrived, params: params.value, query: query.value, input: spec.input.parse(undefined) },
    }
  const read =
    spec.read?.(body, http.headers['content-type']) ??
    readJson(body, http.headers['content-type'], spec.dialect)
  if ('refusal' in read) return read
  const input = parseWith(spec.input, read.value, spec.dialect)
  return 'refusal' in input
    ? input
    : { call: { ...arrived, params: params.value, query: query.value, input: input.value } }
}

function withHeaders(answer: Answer, headers: Readonly<Record<string, string>>): Answer {
  if (typeof answer !== 'function') return { ...answer, headers: { ...answer.headers, ...headers } }
  return (response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    return answer(response)
  }
}

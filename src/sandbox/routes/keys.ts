import { z } from 'zod'
import { accountDialect } from '../dialect.ts'
import { dollars, picoOf, iso, isoMoment, isoOrNull, queryFlag } from '../route/schemas.ts'
import type { AccountPayer } from '../ledger/record.ts'
import { type ApiKey, type KeyFields, resetPeriods } from '../ledger/keys.ts'
import { json, type Refusal } from '../refusal.ts'
import { accountRoute, bare, type Route } from '../route/route.ts'
import type { ServiceContext } from '../service-context.ts'

const name = z.string().min(1, 'must be 1 to 25 characters').max(25, 'must be 1 to 25 characters')
const usageLimit = z.number().min(0.01, 'must be at least 0.01').max(1_000_000).nullable()
const resetPeriod = z.enum(resetPeriods)

const createSchema = z.strictObject({
  name,
  usage_limit_usd: usageLimit.optional(),
  reset_period: resetPeriod.optional(),
  expire_at: isoMoment.optional(),
})
const updateSchema = z
  .strictObject({
    name: name.optional(),
    usage_limit_usd: usageLimit.optional(),
    reset_period: resetPeriod.nullable().optional(),
    expire_at: isoMoment.nullable().optional(),
  })
  .refine((changes) => Object.keys(changes).length > 0, 'must include at least one field to change')

const keyParams = z.object({ id: z.string().max(100) })
const keyAnswer = z.looseObject({ _id: z.string(), name: z.string() })
const status = z.literal('success')
const common = { dialect: accountDialect, takes: ['x-credit-id'], tag: 'API keys', bothForms: true } as const
const unknown = { 401: { description: 'No account' }, 404: { description: 'The account has no such key' } }

/** The members of a key in every response; each response has a subset of them. */
function fieldsOf(key: ApiKey) {
  return {
    _id: key.id,
    name: key.name,
    api_key: key.apiKey,
    usage_limit_usd: key.usageLimit === null ? null : dollars(key.usageLimit),
    current_period_usage_usd: dollars(key.periodUsage),
    total_usage_all_time_usd: dollars(key.totalUsage),
    reset_period: key.resetPeriod,
    reset_at: isoOrNull(key.resetAt),
    expire_at: isoOrNull(key.expireAt),
    created_at: iso(key.createdAt),
    updated_at: iso(key.updatedAt),
    deleted_at: isoOrNull(key.deletedAt),
  }
}

type Field = keyof ReturnType<typeof fieldsOf>

function shown(key: ApiKey, fields: readonly Field[]): object {
  const all = fieldsOf(key)
  return Object.fromEntries(fields.map((field) => [field, all[field]]))
}

const listed: readonly Field[] = [
  '_id',
  'name',
  'usage_limit_usd',
  'current_period_usage_usd',
  'total_usage_all_time_usd',
  'reset_period',
  'reset_at',
  'expire_at',
  'created_at',
  'updated_at',
  'deleted_at',
]
const created: readonly Field[] = [
  '_id',
  'name',
  'api_key',
  'usage_limit_usd',
  'reset_period',
  'reset_at',
  'expire_at',
  'created_at',
]
const single: readonly Field[] = ['_id', 'name', 'created_at', 'updated_at', 'deleted_at']
const updated: readonly Field[] = [
  '_id',
  'name',
  'usage_limit_usd',
  'current_period_usage_usd',
  'reset_period',
  'reset_at',
  'expire_at',
  'created_at',
  'updated_at',
]

function withValue(fields: readonly Field[], show: boolean): readonly Field[] {
  return show ? [...fields, 'api_key'] : fields
}

/** API keys, managed by who shows the account's own id. */
export const keyRoutes: readonly Route[] = [
  accountRoute({
    ...bare,
    ...common,
    method: 'GET',
    path: '/keys',
    summary: 'List an account’s keys',
    answers: {
      200: { description: 'The keys, oldest first', schema: z.object({ status, data: z.array(keyAnswer) }) },
      401: unknown[401],
    },
    query: z.looseObject({ include_disabled: queryFlag, show_key: queryFlag }),
    serve: ({ ledger }, { payer, query, now }) => {
      const keys = ledger.keys.list(payer.creditId, query.include_disabled, now)
      return json(200, {
        status: 'success',
        data: keys.map((key) => shown(key, withValue(listed, query.show_key))),
      })
    },
  }),
  accountRoute({
    ...bare,
    ...common,
    method: 'POST',
    path: '/keys',
    summary: 'Create a key; its value is shown only once',
    answers: {
      201: { description: 'The key, including its value', schema: z.object({ status, data: keyAnswer }) },
      401: unknown[401],
      409: { description: 'The account already has a key with this name' },
    },
    input: createSchema,
    serve: ({ ledger }, { payer, input, now }) => {
      const wanted: KeyFields = {
        name: input.name,
        usageLimit: picoOrNull(input.usage_limit_usd ?? null),
        resetPeriod: input.reset_period ?? null,
        expireAt: input.expire_at === undefined ? null : Date.parse(input.expire_at),
      }
      const fault = faultOf(wanted, wanted, now)
      if (fault) return fault
      const key = ledger.keys.create(payer.creditId, wanted, now)
      return key ? json(201, { status: 'success', data: shown(key, created) }) : nameTaken(input.name)
    },
  }),
  accountRoute({
    ...bare,
    ...common,
    method: 'GET',
    path: '/keys/{id}',
    summary: 'Get a key',
    answers: { 200: { description: 'The key', schema: z.object({ status, data: keyAnswer }) }, ...unknown },
    params: keyParams,
    query: z.looseObject({ show_key: queryFlag }),
    serve: (context, { payer, params, query, now }) => {
      const key = ownKey(context, payer, params.id, now)
      return 'refusal' in key
        ? key.refusal
        : json(200, { status: 'success', data: shown(key, withValue(single, query.show_key)) })
    },
  }),
  accountRoute({
    ...bare,
    ...common,
    method: 'PATCH',
    path: '/keys/{id}',
    summary: 'Update a key; null clears a field',
    answers: {
      200: { description: 'The key', schema: z.object({ status, data: keyAnswer }) },
      ...unknown,
      409: { description: 'The name is already used, or the key is revoked' },
    },
    params: keyParams,
    input: updateSchema,
    serve: (context, { payer, params, input, now }) => {
      const key = ownKey(context, payer, params.id, now)
      if ('refusal' in key) return key.refusal
      if (key.deletedAt !== null) return revoked
      const changes: Partial<KeyFields> = {
        ...(input.name !== undefined && { name: input.name }),
        ...(input.usage_limit_usd !== undefined && { usageLimit: picoOrNull(input.usage_limit_usd) }),
        ...(input.reset_period !== undefined && { resetPeriod: input.reset_period }),
        ...(input.expire_at !== undefined && {
          expireAt: input.expire_at === null ? null : Date.parse(input.expire_at),
        }),
      }
      const fault = faultOf({ ...key, ...changes }, changes, now)
      if (fault) return fault
      const result = context.ledger.keys.update(key, changes, now)
      return result === 'name-taken'
        ? nameTaken(input.name ?? '')
        : json(200, { status: 'success', data: shown(result, updated) })
    },
  }),
  accountRoute({
    ...bare,
    ...common,
    method: 'DELETE',
    path: '/keys/{id}',
    summary: 'Revoke a key permanently',
    answers: {
      200: { description: 'The key is revoked', schema: z.object({ status, message: z.string() }) },
      ...unknown,
      409: { description: 'The key was already revoked' },
    },
    params: keyParams,
    serve: (context, { payer, params, now }) => {
      const key = ownKey(context, payer, params.id, now)
      if ('refusal' in key) return key.refusal
      if (key.deletedAt !== null) return revoked
      context.ledger.keys.revoke(key.id, now)
      return json(200, { status: 'success', message: 'API key revoked successfully' })
    },
  }),
]

const revoked = accountDialect.refuse(409, 'API key has been revoked')

function nameTaken(usedName: string): Refusal {
  return accountDialect.refuse(409, `An API key named “${usedName}” already exists`, 'name')
}

function picoOrNull(usd: number | null): bigint | null {
  return usd === null ? null : picoOf(usd)
}

/** @param whole the resulting key @param fields the request */
function faultOf(
  whole: Pick<KeyFields, 'usageLimit' | 'resetPeriod'>,
  fields: Partial<KeyFields>,
  now: number,
): Refusal | undefined {
  if (whole.resetPeriod !== null && whole.usageLimit === null)
    return accountDialect.refuse(400, 'requires usage_limit_usd', 'reset_period')
  if (typeof fields.expireAt === 'number' && fields.expireAt <= now)
    return accountDialect.refuse(400, 'must be in the future', 'expire_at')
  return undefined
}

function ownKey(
  { ledger }: ServiceContext,
  payer: AccountPayer,
  id: string,
  now: number,
): ApiKey | { readonly refusal: Refusal } {
  const key = ledger.keys.find(id, now)
  return key?.creditId === payer.creditId ? key : { refusal: accountDialect.refuse(404, 'API key not found') }
}

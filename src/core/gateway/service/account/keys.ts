import { z } from 'zod'
import { SottoError } from '../../../../shared/errors.ts'
import { renderEnglish, msg } from '../../../../shared/localized-text.ts'
import { checked, jsonAnswer, jsonBody, perform, type CallOptions, type Service } from '../http/perform.ts'
import { apiKeyAnswer, keyIdSchema, resetPeriods, type ApiKey } from './api-key.ts'

const NAME = msg('A name has 1 to 25 characters.')
const CAP = msg('The minimum spending cap is $0.01.')
const PERIOD = msg('A reset period requires a spending cap.')
const NOTHING = msg('There is nothing to change.')
const FAULTS = [NAME, CAP, PERIOD, NOTHING]

const name = z.string().min(1, renderEnglish(NAME)).max(25, renderEnglish(NAME))
const cap = z.number().min(0.01, renderEnglish(CAP))
const end = z.number().int()

/** Dollars as a number, as the service accepts them; null: none. Unix ms. */
const createSchema = z
  .object({
    name,
    spendingCap: cap.nullable().optional(),
    resetPeriod: z.enum(resetPeriods).optional(),
    expiresAt: end.optional(),
  })
  .refine(({ spendingCap, resetPeriod }) => resetPeriod === undefined || typeof spendingCap === 'number', {
    path: ['resetPeriod'],
    message: renderEnglish(PERIOD),
  })
export type CreateKeyInput = z.input<typeof createSchema>

/**
 * Only present members are changed; null clears a limit. Changing the reset period sets the period's spending
 * to 0.
 */
const updateSchema = z
  .object({
    name: name.optional(),
    spendingCap: cap.nullable().optional(),
    resetPeriod: z.enum(resetPeriods).nullable().optional(),
    expiresAt: end.nullable().optional(),
  })
  .refine((changes) => Object.values(changes).some((value) => value !== undefined), {
    message: renderEnglish(NOTHING),
  })
export type UpdateKeyInput = z.input<typeof updateSchema>

function isoTime(time: number | null | undefined): string | null | undefined {
  return typeof time === 'number' ? new Date(time).toISOString() : time
}

/**
 * Creates a key: `POST /keys` (specification, API keys). Only this answer has the full key. Sent once, because
 * each answer is another key.
 * @throws {SottoError} request/invalid – before anything is sent; service/response-invalid – the answer has
 * no key; service/…
 */
export async function createKey(
  service: Service,
  input: CreateKeyInput,
  options: CallOptions = {},
): Promise<ApiKey & { readonly apiKey: string }> {
  const { name: called, spendingCap, resetPeriod, expiresAt } = checked(createSchema, input, FAULTS)
  const read = jsonAnswer(apiKeyAnswer, msg('The response isn’t a new key.'))
  return perform(
    service,
    {
      method: 'POST',
      target: { path: '/keys' },
      auth: 'credit-id',
      body: jsonBody({
        name: called,
        usage_limit_usd: spendingCap ?? undefined,
        reset_period: resetPeriod,
        expire_at: isoTime(expiresAt),
      }),
      read: async (response) => {
        const key = await read(response)
        if (key.apiKey === undefined)
          throw new SottoError('service/response-invalid', { detail: msg('The response contains no key.') })
        return { ...key, apiKey: key.apiKey }
      },
    },
    options,
  )
}

/**
 * Changes a key: `PATCH /keys/{id}`.
 * @throws {SottoError} request/invalid – before anything is sent, also if nothing changes; service/…
 */
export async function updateKey(
  service: Service,
  id: string,
  input: UpdateKeyInput,
  options: CallOptions = {},
): Promise<ApiKey> {
  const changes = checked(updateSchema, input, FAULTS)
  return perform(
    service,
    {
      method: 'PATCH',
      target: { path: `/keys/${checked(keyIdSchema, id)}` },
      auth: 'credit-id',
      body: jsonBody({
        name: changes.name,
        usage_limit_usd: changes.spendingCap,
        reset_period: changes.resetPeriod,
        expire_at: isoTime(changes.expiresAt),
      }),
      read: jsonAnswer(apiKeyAnswer, msg('The response isn’t a key.')),
    },
    options,
  )
}

/**
 * Revokes a key, at once and permanently: `DELETE /keys/{id}`.
 * @throws {SottoError} request/invalid – not an ID, before anything is sent; service/…
 */
export async function revokeKey(service: Service, id: string, options: CallOptions = {}): Promise<void> {
  const read = jsonAnswer(
    z.object({ status: z.literal('success') }),
    msg('The response isn’t a confirmation.'),
  )
  return perform(
    service,
    {
      method: 'DELETE',
      target: { path: `/keys/${checked(keyIdSchema, id)}` },
      auth: 'credit-id',
      read: async (response) => {
        if (response.status !== 204) await read(response)
      },
    },
    options,
  )
}

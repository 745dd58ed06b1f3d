import { z } from 'zod'
import { keyNameSchema } from '../shared/local-key.ts'
import { budgetPeriods, strictKeyLimitsSchema } from '../shared/key-limits.ts'
import { msg } from '../shared/localized-text.ts'
import { parseUsd } from '../shared/money.ts'
import { SettingError } from './log-settings.ts'
import { readPrivateFile } from './private-file.ts'

const VARIABLE = 'SOTTO_BOOTSTRAP_FILE'
const MAX_LENGTH = 65_536
/** An API key and a credit ID. */
const MAX_ACCOUNT_LENGTH = 1024
const MAX_KEYS = 50

const pathSchema = z.string().min(1).max(1024)
const picoUsdSchema = z
  .string()
  .max(40)
  .transform((text, context) => {
    const picoUsd = parseUsd(text)
    if (picoUsd !== null && picoUsd >= 0n) return picoUsd.toString()
    context.addIssue({ code: 'custom', message: 'not an amount in US dollars' })
    return z.NEVER
  })
const budgetSchema = z
  .strictObject({
    usd: picoUsdSchema,
    period: z.enum(budgetPeriods),
    soft: z.literal(true).exactOptional(),
    alertPercent: z.int().min(1).max(99).exactOptional(),
  })
  .transform(({ usd: picoUsd, ...budget }) => ({ ...budget, picoUsd }))
/** Strict throughout: an unknown member could be a limit with a typing error. */
const bootstrapSchema = z.strictObject({
  service: z.string().min(1).max(40).exactOptional(),
  accountFile: pathSchema.exactOptional(),
  keys: z
    .array(
      strictKeyLimitsSchema.omit({ budget: true }).extend({
        name: keyNameSchema,
        secretFile: pathSchema,
        budget: budgetSchema.exactOptional(),
      }),
    )
    .max(MAX_KEYS)
    .default([]),
})
export type Bootstrap = z.infer<typeof bootstrapSchema>

/**
 * Reads the file of SOTTO_BOOTSTRAP_FILE. Anyone who can change it decides about the grants of keys, so it must be as
 * private as the file of the passphrase.
 *
 * @returns undefined without the variable
 * @throws {SettingError} if the file can't be read, isn't private, or has an unknown or invalid member
 */
export async function readBootstrap(environment: NodeJS.ProcessEnv): Promise<Bootstrap | undefined> {
  const path = environment[VARIABLE]
  if (!path) return undefined
  const text = await readPrivateFile({
    name: VARIABLE,
    path,
    maxLength: MAX_LENGTH,
    environment,
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new SettingError(msg('The file named in {name} isn’t JSON.', { name: VARIABLE }), { cause })
  }
  const parsed = bootstrapSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const place = parsed.error.issues[0]?.path.join('.') || '{}'
  throw new SettingError(
    msg('The file named in {name} has an unknown or invalid member at {place}.', { name: VARIABLE, place }),
  )
}

/**
 * Reads the credentials of an account: the API key in the first line, and the credit ID in the second if there is one.
 *
 * @throws {SettingError} if the file can't be read, isn't private or is empty
 */
export async function readAccountFile(
  path: string,
  environment: NodeJS.ProcessEnv,
): Promise<{ apiKey: string; creditId?: string }> {
  const name = 'accountFile'
  const [apiKey = '', creditId = ''] = (
    await readPrivateFile({
      name,
      path,
      maxLength: MAX_ACCOUNT_LENGTH,
      environment,
    })
  )
    .split(/\r?\n/)
    .map((line) => line.trim())
  if (apiKey === '') throw new SettingError(msg('The file named in {name} can’t be read.', { name }))
  return { apiKey, ...(creditId !== '' && { creditId }) }
}

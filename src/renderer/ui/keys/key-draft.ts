import { t } from '@lingui/core/macro'
import { keyNameSchema } from '../../../shared/local-key.ts'
import { parseAlias } from '../../../shared/alias-text.ts'
import {
  keyLimitsTextSchema,
  MAX_ALIASES,
  MAX_ORIGINS,
  type BudgetPeriod,
  type KeyGrant,
  type KeyLimitsText,
  type LeastPrivacy,
  type ModelAlias,
} from '../../../shared/key-limits.ts'
import { forbiddenAlias } from '../../../shared/model-pattern.ts'
import { decimalUsd, parseUsd } from '../../../shared/money.ts'
import { parseOrigin } from '../../../shared/origin.ts'

/** The texts of the fields of limits, valid or not. */
export interface LimitsDraft {
  readonly hasBudget: boolean
  /** In dollars. */
  readonly amount: string
  readonly period: BudgetPeriod
  /** Counts only spent amounts, and reserves nothing. */
  readonly soft: boolean
  /** Empty: no alert. */
  readonly alertPercent: string
  /** Only for a hard budget: a soft budget always allows requests without a price. */
  readonly allowUnpriced: boolean
  /** Who may read its requests. */
  readonly atLeast: LeastPrivacy | 'anyone'
  /** One per line. */
  readonly patterns: string
  /** One per line: `pattern = model`. */
  readonly aliases: string
  /** Local time in the format of a date field; empty: never. */
  readonly expires: string
  /** Unix ms. The field shows no seconds, so a key whose expiry doesn't change keeps this value. */
  readonly expiresAt?: number | undefined
  /** Empty: no limit. */
  readonly requestsPerMinute: string
  /** Empty: no limit. */
  readonly tokensPerMinute: string
  readonly parallelRequests: string
  readonly grants: readonly KeyGrant[]
  readonly webSearch: boolean
  /** ID of the project whose documents can be read; empty: none. */
  readonly knowledge: string
  /** One per line. */
  readonly origins: string
}

/** The texts of a key's form, valid or not. */
export interface KeyDraft extends LimitsDraft {
  readonly name: string
}

export type LimitFaults = Partial<
  Record<
    | 'amount'
    | 'alertPercent'
    | 'patterns'
    | 'aliases'
    | 'origins'
    | 'expires'
    | 'requestsPerMinute'
    | 'tokensPerMinute'
    | 'parallelRequests',
    string
  >
>

export interface DraftFaults extends LimitFaults {
  name?: string
}

const emptyLimits: LimitsDraft = {
  hasBudget: true,
  amount: '5.00',
  period: 'month',
  soft: false,
  alertPercent: '',
  allowUnpriced: false,
  atLeast: 'anyone',
  patterns: '',
  aliases: '',
  expires: '',
  requestsPerMinute: '',
  tokensPerMinute: '',
  parallelRequests: '',
  grants: [],
  webSearch: false,
  knowledge: '',
  origins: '',
}

export const emptyDraft: KeyDraft = { name: '', ...emptyLimits }

export function draftOf({ name, limits }: { name: string; limits: KeyLimitsText }): KeyDraft {
  return { name, ...limitsDraftOf(limits) }
}

/** The fields that show these limits. */
export function limitsDraftOf(limits: KeyLimitsText): LimitsDraft {
  const {
    budget,
    allowUnpriced = false,
    atLeast = 'anyone',
    models = [],
    expiresAt,
    requestsPerMinute,
    tokensPerMinute,
    parallelRequests,
    grants = [],
    aliases = [],
    origins = [],
    serverTools = {},
  } = limits
  return {
    hasBudget: budget !== undefined,
    amount: budget ? decimalUsd(BigInt(budget.picoUsd)) : emptyLimits.amount,
    period: budget?.period ?? emptyLimits.period,
    soft: budget?.soft === true,
    alertPercent: textOf(budget?.alertPercent),
    allowUnpriced,
    atLeast,
    patterns: models.join('\n'),
    aliases: aliases.map(aliasLine).join('\n'),
    origins: origins.join('\n'),
    expires: expiresAt === undefined ? '' : dateFieldOf(expiresAt),
    expiresAt,
    requestsPerMinute: textOf(requestsPerMinute),
    tokensPerMinute: textOf(tokensPerMinute),
    parallelRequests: textOf(parallelRequests),
    grants,
    webSearch: serverTools.webSearch === true,
    knowledge: serverTools.knowledge ?? '',
  }
}

/** An alias in the format of its field. */
export function aliasLine({ pattern, model }: ModelAlias): string {
  return `${pattern} = ${model}`
}

function textOf(number: number | undefined): string {
  return number === undefined ? '' : String(number)
}

type ReadDraft =
  | { readonly name: string; readonly limits: KeyLimitsText; readonly faults?: undefined }
  | { readonly faults: DraftFaults }

/** The key of a draft, or its faults by field. `now` in Unix ms. */
export function readDraft(draft: KeyDraft, now: number): ReadDraft {
  const name = readName(draft.name, t`Enter a name, such as the tool the key is for.`)
  const read = readLimits(draft, now)
  return name.fault === undefined && !read.faults
    ? { name: name.name, limits: read.limits }
    : { faults: { ...(name.fault !== undefined && { name: name.fault }), ...read.faults } }
}

type ReadName = { readonly name: string; readonly fault?: undefined } | { readonly fault: string }

/** A name without surrounding space, or its fault: `empty` if nothing was entered. */
export function readName(text: string, empty: string): ReadName {
  const { success, data } = keyNameSchema.safeParse(text)
  if (success) return { name: data }
  return { fault: text.trim() === '' ? empty : t`Use up to 60 characters, all of them visible.` }
}

type ReadLimits =
  | { readonly limits: KeyLimitsText; readonly faults?: undefined }
  | { readonly faults: LimitFaults }

/** The limits of a draft, or the faults by field. `now` in Unix ms. */
export function readLimits(draft: LimitsDraft, now: number): ReadLimits {
  const faults: LimitFaults = {}
  const budget = draft.hasBudget ? readAmount(draft.amount) : undefined
  if (budget === null) faults.amount = t`Enter an amount in dollars, such as 2.50.`
  const alertPercent = draft.hasBudget ? readWhole(draft.alertPercent, 99) : undefined
  if (alertPercent === null) faults.alertPercent = t`Enter a whole number from 1 to 99, or leave it empty.`
  const models = linesOf(draft.patterns)
  if (models.length > 100) faults.patterns = t`Enter up to 100 patterns.`
  else if (models.some((pattern) => pattern.length > 200))
    faults.patterns = t`Patterns can have up to 200 characters.`
  const aliases = linesOf(draft.aliases).flatMap((line) => parseAlias(line) ?? [])
  const badAlias = linesOf(draft.aliases).find((line) => !parseAlias(line))
  const forbidden = forbiddenAlias({
    ...(draft.atLeast !== 'anyone' && { atLeast: draft.atLeast }),
    ...(models.length > 0 && { models }),
    aliases,
  })
  if (badAlias !== undefined)
    faults.aliases = t`Line “${badAlias}” isn’t an alias. Use a pattern, an equals sign, and a model ID.`
  else if (aliases.length > MAX_ALIASES) faults.aliases = t`Enter up to ${MAX_ALIASES} aliases.`
  else if (forbidden)
    faults.aliases = t`This key can’t use ${forbidden.model}. Choose another model or edit the key’s models.`
  const origins = linesOf(draft.origins).flatMap((line) => parseOrigin(line) ?? [])
  const badOrigin = linesOf(draft.origins).find((line) => parseOrigin(line) === undefined)
  if (badOrigin !== undefined)
    faults.origins = t`Line “${badOrigin}” isn’t an origin. Use one like app://obsidian.md or https://notes.example, without a path.`
  else if (origins.length > MAX_ORIGINS) faults.origins = t`Enter up to ${MAX_ORIGINS} origins.`
  const sameEnd = draft.expiresAt !== undefined && draft.expires === dateFieldOf(draft.expiresAt)
  const expiresAt =
    draft.expires === '' ? undefined : sameEnd ? draft.expiresAt : new Date(draft.expires).getTime()
  // A key that has expired can still be renamed.
  if (expiresAt !== undefined && !sameEnd && !(expiresAt > now))
    faults.expires = t`This time has passed. Choose a later one.`
  const requestsPerMinute = readWhole(draft.requestsPerMinute, 999_999)
  if (requestsPerMinute === null)
    faults.requestsPerMinute = t`Enter a whole number from 1 to 999,999, or leave it empty.`
  const tokensPerMinute = readWhole(draft.tokensPerMinute, 999_999_999)
  if (tokensPerMinute === null)
    faults.tokensPerMinute = t`Enter a whole number from 1 to 999,999,999, or leave it empty.`
  const parallelRequests = readWhole(draft.parallelRequests, 999)
  if (parallelRequests === null)
    faults.parallelRequests = t`Enter a whole number from 1 to 999, or leave it empty.`
  if (Object.keys(faults).length > 0) return { faults }
  return {
    limits: keyLimitsTextSchema.parse({
      ...(typeof budget === 'string' && {
        budget: {
          picoUsd: budget,
          period: draft.period,
          ...(draft.soft && { soft: true }),
          ...(typeof alertPercent === 'number' && { alertPercent }),
        },
      }),
      ...(draft.hasBudget && !draft.soft && draft.allowUnpriced && { allowUnpriced: true }),
      ...(draft.atLeast !== 'anyone' && { atLeast: draft.atLeast }),
      ...(models.length > 0 && { models }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(typeof requestsPerMinute === 'number' && { requestsPerMinute }),
      ...(typeof tokensPerMinute === 'number' && { tokensPerMinute }),
      ...(typeof parallelRequests === 'number' && { parallelRequests }),
      ...(aliases.length > 0 && { aliases }),
      ...(origins.length > 0 && { origins: [...new Set(origins)] }),
      ...(draft.grants.length > 0 && { grants: [...draft.grants] }),
      ...((draft.webSearch || draft.knowledge !== '') && {
        serverTools: {
          ...(draft.webSearch && { webSearch: true as const }),
          ...(draft.knowledge !== '' && { knowledge: draft.knowledge }),
        },
      }),
    }),
  }
}

/** The lines of a field without surrounding space and without duplicates. */
export function linesOf(text: string): string[] {
  return [
    ...new Set(
      text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    ),
  ]
}

/** @returns undefined for an empty field, and null for anything but a whole number from 1 to `most` */
export function readWhole(text: string, most: number): number | undefined | null {
  const digits = text.trim()
  if (digits === '') return undefined
  return /^[1-9]\d{0,8}$/.test(digits) && Number(digits) <= most ? Number(digits) : null
}

/** @returns pico-USD, or null for a text that isn't an amount of dollars */
export function readAmount(text: string): string | null {
  const amount = parseUsd(text.trim().replace(/^\$\s*/, ''))
  return amount === null || amount < 0n ? null : amount.toString()
}

/** `2026-12-24T18:00`, in local time. */
export function dateFieldOf(at: number): string {
  const date = new Date(at)
  const [month, day, hours, minutes] = [
    date.getMonth() + 1,
    date.getDate(),
    date.getHours(),
    date.getMinutes(),
  ].map((part) => String(part).padStart(2, '0'))
  return `${String(date.getFullYear()).padStart(4, '0')}-${month}-${day}T${hours}:${minutes}`
}

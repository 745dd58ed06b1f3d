import { z } from 'zod'
import { isRecord } from '../../../../shared/strict-json.ts'
import { fitting, text } from './wire.ts'

/**
 * Readers of the shapes that the specification leaves open ("not shown"). Every endpoint uses these, so that tolerance is one rule: wrappers,
 * names and groups are read here, single values by the readers of wire.ts.
 */

/** A list of the service, with the number of its entries that were skipped because they couldn't be read. */
export interface Listed<Entry> {
  readonly entries: readonly Entry[]
  readonly unreadable: number
}

/** The usual wrapper of an answer's content. */
const WRAPPER = 'data'
/** Wrappers within wrappers, such as `{ data: { account: … } }`. */
const MAX_DEPTH = 2

/**
 * Reads an object that is the answer itself, or is below `data` or another wrapper. The innermost object that
 * fits counts, because a wrapper may have members of its own.
 * @param wrappers names of wrappers other than `data`
 */
export function wrapped<Schema extends z.ZodType>(
  schema: Schema,
  ...wrappers: readonly string[]
): z.ZodType<z.output<Schema>> {
  return z.unknown().transform((answer, context) => {
    for (const candidate of unwrap(answer, wrappers)) {
      const parsed = schema.safeParse(candidate)
      if (parsed.success) return parsed.data
    }
    context.addIssue('no object of this shape')
    return z.NEVER
  })
}

/**
 * Reads one member of the object itself, of `data`, or of another wrapper. The rest of the answer is ignored.
 * @param names the names of the member; of several in one object, the first readable one counts
 * @param wrappers names of wrappers other than `data`
 */
export function memberOf<Schema extends z.ZodType>(
  schema: Schema,
  names: readonly string[],
  ...wrappers: readonly string[]
): z.ZodType<z.output<Schema>> {
  return z.unknown().transform((answer, context) => {
    for (const candidate of unwrap(answer, wrappers)) {
      for (const name of isRecord(candidate) ? names : []) {
        const parsed = schema.safeParse(isRecord(candidate) ? candidate[name] : undefined)
        if (parsed.success) return parsed.data
      }
    }
    context.addIssue('no such member')
    return z.NEVER
  })
}

/**
 * Reads a list that is the answer itself, or is below `data` or another wrapper. Entries that don't fit are
 * skipped and counted.
 * @param most the largest number of entries; a longer list is refused
 * @param wrappers names of wrappers other than `data`
 */
export function listed<Schema extends z.ZodType>(
  entry: Schema,
  most: number,
  ...wrappers: readonly string[]
): z.ZodType<Listed<z.output<Schema>>> {
  return z
    .unknown()
    .transform((answer): unknown => unwrap(answer, wrappers).find((candidate) => Array.isArray(candidate)))
    .pipe(fitting(entry, most))
}

/**
 * Reads a list like `listed`, or one in groups, such as `{ data: { openai: […] } }`. Each entry of a group
 * gets the group's name as its member `label`, unless it has one. An object without a readable entry isn't a
 * list: `{ errors: [] }` isn't an empty one.
 * @param most the largest number of entries of all groups; a longer list is refused
 * @param wrappers names of wrappers other than `data`
 */
export function listedByGroup<Schema extends z.ZodType>(
  entry: Schema,
  most: number,
  label: string,
  ...wrappers: readonly string[]
): z.ZodType<Listed<z.output<Schema>>> {
  const plain = listed(entry, most, ...wrappers)
  const all = fitting(entry, most)
  return z.unknown().transform((answer, context): Listed<z.output<Schema>> => {
    const list = plain.safeParse(answer)
    if (list.success) return list.data
    for (const candidate of unwrap(answer, wrappers)) {
      const groups = isRecord(candidate) ? Object.entries(candidate) : []
      const members = groups.flatMap(([name, group]) =>
        Array.isArray(group) ? group.map((member: unknown) => labelled(member, label, name)) : [],
      )
      const read = all.safeParse(members)
      if (read.success && read.data.entries.length > 0)
        return {
          ...read.data,
          unreadable: read.data.unreadable + groups.filter(([, group]) => group === null).length,
        }
    }
    context.addIssue('no list')
    return z.NEVER
  })
}

/**
 * Reads an object whose members may have other names.
 * @param names other names for each member of the schema, the preferred first; null counts as absent
 */
export function renamed<Schema extends z.ZodType>(
  schema: Schema,
  names: Readonly<Record<string, readonly string[]>>,
): z.ZodType<z.output<Schema>> {
  return z.preprocess((value) => {
    if (!isRecord(value)) return value
    const found = Object.entries(names).flatMap(([name, others]) => {
      const present = [name, ...others].find((candidate) => isPresent(value[candidate]))
      return present === undefined ? [] : [[name, value[present]] as const]
    })
    return { ...value, ...Object.fromEntries(found) }
  }, schema)
}

/**
 * Reads an object whose names are data, such as limits by currency. Members that don't fit are skipped and
 * counted.
 * @param most the largest number of members
 */
export function tableOf<Schema extends z.ZodType>(
  name: z.ZodType<string>,
  schema: Schema,
  most: number,
): z.ZodType<{ table: Record<string, z.output<Schema>>; unreadable: number }> {
  return z
    .looseObject({})
    .refine((object) => Object.keys(object).length <= most)
    .transform((object) => {
      const members = Object.entries(object)
      const read = members.flatMap(([key, value]) => {
        const [called, parsed] = [name.safeParse(key), schema.safeParse(value)]
        return called.success && parsed.success ? [[called.data, parsed.data] as const] : []
      })
      return { table: Object.fromEntries(read), unreadable: members.length - read.length }
    })
}

/** A currency in uppercase, however the service writes it. */
export const currency = text(20).trim().toUpperCase()

/**
 * Whether a currency is the US dollar, which is the default. A currency that isn't text counts as another
 * one.
 */
export function isUsd(named: unknown): boolean {
  return !isPresent(named) || currency.safeParse(named).data === 'USD'
}

/** Returns the possible contents of an answer: the innermost first, the answer last. */
function unwrap(answer: unknown, wrappers: readonly string[], depth = MAX_DEPTH): unknown[] {
  const below =
    isRecord(answer) && depth > 0
      ? [WRAPPER, ...wrappers].flatMap((name) =>
          isPresent(answer[name]) ? unwrap(answer[name], wrappers, depth - 1) : [],
        )
      : []
  return [...below, answer]
}

function labelled(member: unknown, label: string, name: string): unknown {
  return isRecord(member) && !isPresent(member[label]) ? { ...member, [label]: name } : member
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}

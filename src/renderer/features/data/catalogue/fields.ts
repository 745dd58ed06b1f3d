import { t } from '@lingui/core/macro'

/** A field of a lookup whose request is known. */
export interface LookupField {
  readonly name: string
  readonly label: string
  readonly hint: string
  /** A list has one entry on each line. */
  readonly form: 'text' | 'list' | 'integer'
}

/** Specification, Data enrichment: the only request that it describes. */
const peopleSearch: readonly LookupField[] = [
  {
    name: 'q_keywords',
    get label() {
      return t`Keywords`
    },
    get hint() {
      return t`Words to search for, such as a role, company, or skill.`
    },
    form: 'text',
  },
  {
    name: 'person_locations',
    get label() {
      return t`Locations`
    },
    get hint() {
      return t`Where people are based, one location per line.`
    },
    form: 'list',
  },
  {
    name: 'per_page',
    get label() {
      return t`Quantity`
    },
    get hint() {
      return t`A whole number. If empty, the service decides.`
    },
    form: 'integer',
  },
]

/**
 * The fields of a lookup, if they are known. The path may contain a provider's own name instead of its
 * group's name.
 */
export function fieldsOf({
  method,
  path,
}: {
  readonly method: string
  readonly path: string
}): readonly LookupField[] | undefined {
  return method === 'POST' && /^\/api\/[^/]+\/people-search$/.test(path) ? peopleSearch : undefined
}

export type FieldTexts = Readonly<Record<string, string>>
export type FieldFaults = Readonly<Record<string, string>>

/** Converts the typed texts to the request, without the empty ones. */
export function inputOf(
  fields: readonly LookupField[],
  texts: FieldTexts,
): { readonly input: Readonly<Record<string, unknown>>; readonly faults: FieldFaults } {
  const input: Record<string, unknown> = {}
  const faults: Record<string, string> = {}
  for (const { name, form } of fields) {
    const text = (texts[name] ?? '').trim()
    if (text === '') continue
    if (form === 'text') input[name] = text
    else if (form === 'list')
      input[name] = text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
    else if (/^\d{1,9}$/.test(text) && Number(text) > 0) input[name] = Number(text)
    else faults[name] = t`Enter a whole number of 1 or more.`
  }
  return { input, faults }
}

/**
 * Converts a request back to the texts of its fields; undefined if it contains a value that the fields can't
 * show.
 */
export function textsOf(
  fields: readonly LookupField[],
  input: Readonly<Record<string, unknown>>,
): FieldTexts | undefined {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(input)) {
    const field = fields.find((each) => each.name === name)
    if (field?.form === 'text' && typeof value === 'string') texts[name] = value
    else if (
      field?.form === 'integer' &&
      typeof value === 'number' &&
      Number.isSafeInteger(value) &&
      value > 0
    )
      texts[name] = String(value)
    else if (
      field?.form === 'list' &&
      Array.isArray(value) &&
      value.every((each) => typeof each === 'string' && !each.includes('\n'))
    )
      texts[name] = value.join('\n')
    else return undefined
  }
  return texts
}

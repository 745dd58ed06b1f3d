import type { CellForm } from './cell-forms.ts'

/** A field of the request, and the column that fills it. */
export interface MappedField {
  /** Only for React. */
  readonly key: number
  readonly name: string
  /** Undefined until the user chooses a column. */
  readonly column: number | undefined
  readonly as: CellForm
}

/** The form that a field of the lookup takes, as far as it is known or the example shows it. */
export function formOf(value: unknown): CellForm {
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  if (Array.isArray(value)) return value.every((each) => typeof each === 'string') ? 'list' : 'json'
  return typeof value === 'object' && value !== null ? 'json' : 'text'
}

/** Names that differ only in case, spaces and punctuation are equal: "Per page" and per_page. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/**
 * Maps each field of the example to the column with its name. If no column matches, the result has the first
 * field without a column. With `known`, all fields stay, including those without a column.
 */
export function firstMapping(
  example: Readonly<Record<string, unknown>>,
  columns: readonly string[],
  known: boolean,
): readonly MappedField[] {
  const used = new Set<number>()
  const fields = Object.entries(example).map(([name, value], key): MappedField => {
    const column = columns.findIndex(
      (each, at) => !used.has(at) && plain(each) !== '' && plain(each) === plain(name),
    )
    if (column >= 0) used.add(column)
    return { key, name, column: column >= 0 ? column : undefined, as: formOf(value) }
  })
  const found = fields.filter(({ column }) => column !== undefined)
  if (known) return fields
  return found.length > 0 ? found : fields.slice(0, 1)
}

export type MappingFault = 'none' | 'name' | 'twice' | 'column'

/**
 * The first faulty field and its fault. If `known`, fields without a column are skipped, but at least one
 * field needs a column.
 */
export function faultOf(
  fields: readonly MappedField[],
  columns: number,
  known: boolean,
): { readonly fault: MappingFault; readonly key?: number } | undefined {
  const names = new Set<string>()
  let any = false
  for (const { key, name, column } of fields) {
    if (known && column === undefined) continue
    if (name.trim() === '' || name.length > 100) return { fault: 'name', key }
    if (names.has(name.trim())) return { fault: 'twice', key }
    names.add(name.trim())
    if (column === undefined || column >= columns) return { fault: 'column', key }
    any = true
  }
  return any ? undefined : { fault: 'none' }
}

/** The mapping in the form of the contract. */
export function columnsOf(fields: readonly MappedField[]): Record<string, { column: number; as: CellForm }> {
  return Object.fromEntries(
    fields.flatMap(({ name, column, as }) => (column === undefined ? [] : [[name.trim(), { column, as }]])),
  )
}

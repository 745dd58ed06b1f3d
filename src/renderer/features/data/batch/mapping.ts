import type { CellForm } from './cell-forms.ts'

/** A field of the request, and the column that fills it. */
export interface MappedField {
  /** For React alone. */
  readonly key: number
  readonly name: string
  /** Undefined until one is chosen. */
  readonly column: number | undefined
  readonly as: CellForm
}

/** What a field of the lookup takes, as far as it is known or its example shows. */
export function formOf(value: unknown): CellForm {
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  if (Array.isArray(value)) return value.every((each) => typeof each === 'string') ? 'list' : 'json'
  return typeof value === 'object' && value !== null ? 'json' : 'text'
}

/** Names that are the same but for case, spaces and signs: "Per page" and per_page. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/**
 * Each field of the example with the column of its name; without any, the first field and no column. `known`: all its fields stay, also
 * those without a column.
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

/** What is wrong with it, with the first field that is; those without a column are left out where the rest has one. */
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

/** As the contract has it. */
export function columnsOf(fields: readonly MappedField[]): Record<string, { column: number; as: CellForm }> {
  return Object.fromEntries(
    fields.flatMap(({ name, column, as }) => (column === undefined ? [] : [[name.trim(), { column, as }]])),
  )
}

import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { SottoError } from '../../shared/errors.ts'
import { msg } from '../../shared/localized-text.ts'

const objectSchema = z.object({
  type: z.string(),
  name: z.string(),
  tbl_name: z.string(),
  sql: z.string().nullable(),
})
type SchemaObject = z.infer<typeof objectSchema>

/** Tables, indexes, views and triggers of the database, tables before their indexes. */
export function readSchema(database: DatabaseSync): readonly SchemaObject[] {
  return z
    .array(objectSchema)
    .parse(
      database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type DESC, name').all(),
    )
}

/**
 * Refuses a database whose schema another program changed.
 * @param expected the schema that the migrations create
 * @throws {SottoError} store/schema-changed – an object is not Sotto's, has another definition, or is missing
 */
export function requireSchema(database: DatabaseSync, expected: readonly SchemaObject[]): void {
  const actual = readSchema(database)
  const wanted = new Set(expected.map(identify))
  const present = new Set(actual.map(identify))
  const foreign = actual.find((object) => !wanted.has(identify(object)))
  if (foreign)
    throw new SottoError('store/schema-changed', {
      detail: msg('Not created by Sotto: {type} {name}.', printable(foreign)),
    })
  const missing = expected.find((object) => !present.has(identify(object)))
  if (missing)
    throw new SottoError('store/schema-changed', {
      detail: msg('Missing: {type} {name}.', printable(missing)),
    })
}

/** White space has no meaning in these definitions, because none has a literal with white space. */
function identify({ type, name, tbl_name: table, sql }: SchemaObject): string {
  return JSON.stringify([type, name, table, sql?.replaceAll(/\s+/g, ' ') ?? null])
}

/** An attacker chooses the name. `msg` replaces control characters. */
function printable({ type, name }: SchemaObject): { type: string; name: string } {
  return { type: type.slice(0, 16), name: name.slice(0, 64) }
}

import { z } from 'zod'
import {
  collateralRecordSchema,
  type CollateralName,
  type CollateralRecord,
} from '../../shared/collateral-record.ts'
import type { SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

const rowSchema = z.object({ name: collateralRecordSchema.shape.name, body: z.instanceof(Uint8Array) })
const bodySchema = collateralRecordSchema.omit({ name: true })

const place = (name: CollateralName) => `collateral/body/${name}`

/** Stores the newest signed data of AMD and Intel, one record for each name. */
export function collateralIn(database: SealedDatabase): Store['collateral'] {
  function newest(): CollateralRecord[] {
    return database
      .all(rowSchema, 'SELECT name, body FROM collateral ORDER BY name')
      .map(({ name, body }) => ({ name, ...database.unseal(bodySchema, place(name), body) }))
  }
  return {
    newest,
    record(records) {
      database.transaction(() => {
        const known = new Map(newest().map((record) => [record.name, record]))
        for (const { name, ...body } of records) {
          if (!replaces(body, known.get(name))) continue
          known.set(name, { name, ...body })
          database.run(
            'INSERT INTO collateral (name, body) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET body = excluded.body',
            name,
            database.seal(place(name), body),
          )
        }
      })
    },
  }
}

/** Whether a statement is newer than the stored one, or another one of the same version. */
export function replaces(
  record: Pick<CollateralRecord, 'version' | 'list'>,
  before: CollateralRecord | undefined,
): boolean {
  return (
    !before ||
    before.version < record.version ||
    (before.version === record.version && before.list !== record.list)
  )
}

import { z } from 'zod'
import type { SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

const rowSchema = z.object({ body: z.instanceof(Uint8Array) })
const bodySchema = z.object({ value: z.string() })
const place = (name: string) => `settings/body/${name}`

/** Stores settings by name. The names are plaintext, the values sealed. */
export function settingsIn(database: SealedDatabase): Store['settings'] {
  return {
    get(name) {
      const row = database.get(rowSchema, 'SELECT body FROM settings WHERE name = ?', name)
      return row && database.unseal(bodySchema, place(name), row.body).value
    },
    set(name, value) {
      database.run(
        'INSERT INTO settings (name, body) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET body = excluded.body',
        name,
        database.seal(place(name), { value }),
      )
    },
  }
}

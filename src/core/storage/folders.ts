import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { folderSchema, type Folder } from '../../shared/prompt.ts'
import type { SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

const rowSchema = z.object({ id: z.string(), body: z.instanceof(Uint8Array) })
const bodySchema = folderSchema.omit({ id: true })
const place = (id: string) => `folders/body/${id}`

/** Stores folders of conversations, each sealed under its id. */
export function foldersIn(database: SealedDatabase): Store['folders'] {
  const toFolder = ({ id, body }: z.infer<typeof rowSchema>): Folder => ({
    id,
    ...database.unseal(bodySchema, place(id), body),
  })
  return {
    list: () => database.all(rowSchema, 'SELECT id, body FROM folders ORDER BY seq').map(toFolder),
    put({ id = randomUUID(), ...body }) {
      database.run(
        'INSERT INTO folders (id, body) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body',
        id,
        database.seal(place(id), bodySchema.parse(body)),
      )
      return { id, ...body }
    },
    remove: (id) => database.run('DELETE FROM folders WHERE id = ?', id) > 0,
  }
}

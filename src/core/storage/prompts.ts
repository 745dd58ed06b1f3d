import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { promptSchema, type Prompt } from '../../shared/prompt.ts'
import type { SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

const rowSchema = z.object({ id: z.string(), updated_at: z.number(), body: z.instanceof(Uint8Array) })
const bodySchema = promptSchema.omit({ id: true, updatedAt: true })
const place = (id: string) => `prompts/body/${id}`

/** Stores the prompt library, each prompt sealed under its id. */
export function promptsIn(database: SealedDatabase, now: () => number): Store['prompts'] {
  const toPrompt = ({ id, updated_at: updatedAt, body }: z.infer<typeof rowSchema>): Prompt => ({
    id,
    updatedAt,
    ...database.unseal(bodySchema, place(id), body),
  })
  return {
    list: () =>
      database.all(rowSchema, 'SELECT id, updated_at, body FROM prompts ORDER BY seq').map(toPrompt),
    put({ id = randomUUID(), ...body }) {
      const updatedAt = Math.trunc(now())
      database.run(
        'INSERT INTO prompts (id, updated_at, body) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET updated_at = excluded.updated_at, body = excluded.body',
        id,
        updatedAt,
        database.seal(place(id), bodySchema.parse(body)),
      )
      return { id, updatedAt, ...body }
    },
    remove: (id) => database.run('DELETE FROM prompts WHERE id = ?', id) > 0,
  }
}

import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { projectSchema, type Project } from '../../shared/project.ts'
import { readOr, type SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

const rowSchema = z.object({
  id: z.string(),
  created_at: z.number(),
  updated_at: z.number(),
  body: z.instanceof(Uint8Array),
})
const bodySchema = projectSchema.pick({
  name: true,
  instructions: true,
  model: true,
  parameters: true,
  budget: true,
  privateOnly: true,
})
const place = (id: string) => `projects/body/${id}`

/** Stores projects, each sealed under its id. */
export function projectsIn(database: SealedDatabase, now: () => number): Store['projects'] {
  /** A damaged project counts as private-only, because that can't be checked. */
  const toProject = (row: z.infer<typeof rowSchema>): Project => {
    const times = { id: row.id, createdAt: row.created_at, updatedAt: row.updated_at }
    return readOr<Project>(() => ({ ...database.unseal(bodySchema, place(row.id), row.body), ...times }), {
      ...times,
      name: '',
      instructions: '',
      privateOnly: true,
      damaged: true,
    })
  }
  return {
    list: () => database.all(rowSchema, 'SELECT * FROM projects ORDER BY seq').map(toProject),
    get(id) {
      const row = database.get(rowSchema, 'SELECT * FROM projects WHERE id = ?', id)
      return row && toProject(row)
    },
    put({ id = randomUUID(), createdAt, updatedAt, ...body }) {
      const at = Math.trunc(now())
      const row = database.get(rowSchema, 'SELECT * FROM projects WHERE id = ?', id)
      const times = { createdAt: row?.created_at ?? createdAt ?? at, updatedAt: updatedAt ?? at }
      const sealed = bodySchema.parse(body)
      database.run(
        'INSERT INTO projects (id, created_at, updated_at, body) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET updated_at = excluded.updated_at, body = excluded.body',
        id,
        times.createdAt,
        times.updatedAt,
        database.seal(place(id), sealed),
      )
      return { id, ...times, ...sealed }
    },
    remove: (id) => database.run('DELETE FROM projects WHERE id = ?', id) > 0,
  }
}

import { z } from 'zod'
import { toolCallStates, toolServerRecordSchema, toolStepSchema } from '../../shared/tool-call.ts'
import { readOr, type SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

const serverRowSchema = z.object({ id: z.string(), body: z.instanceof(Uint8Array) })
const callRowSchema = z.object({
  answer_id: z.string(),
  round: z.number(),
  place: z.number(),
  state: z.enum(toolCallStates),
  body: z.instanceof(Uint8Array),
})
type CallRow = z.infer<typeof callRowSchema>
const choiceRowSchema = z.object({ body: z.instanceof(Uint8Array) })
const choiceSchema = z.object({ sources: z.array(z.string()) })

const serverPlace = (id: string) => `tool_servers/body/${id}`
/** Binds a call to its columns, so that a running call can't be changed to one that was only asked for. */
const callPlace = ({ answer_id: answerId, round, place, state }: Omit<CallRow, 'body'>) =>
  `tool_calls/body/${answerId}/${String(round)}/${String(place)}/${state}`
const choicePlace = (conversationId: string) => `tool_choices/body/${conversationId}`

/** Stores tool servers, the choices of chats, and the journal of calls. */
export function toolsIn(database: SealedDatabase): Store['tools'] {
  return {
    servers: () =>
      database
        .all(serverRowSchema, 'SELECT id, body FROM tool_servers ORDER BY seq')
        .map(({ id, body }) => database.unseal(toolServerRecordSchema, serverPlace(id), body)),
    putServer(server) {
      database.run(
        'INSERT INTO tool_servers (id, body) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body',
        server.id,
        database.seal(serverPlace(server.id), toolServerRecordSchema.parse(server)),
      )
    },
    removeServer: (id) => database.run('DELETE FROM tool_servers WHERE id = ?', id) > 0,
    putCall(step) {
      const { answerId, round, index, state } = step
      const sealed = database.seal(
        callPlace({ answer_id: answerId, round, place: index, state }),
        toolStepSchema.parse(step),
      )
      database.durably(() =>
        database.run(
          'INSERT INTO tool_calls (answer_id, round, place, state, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT (answer_id, round, place) DO UPDATE SET state = excluded.state, body = excluded.body',
          answerId,
          round,
          index,
          state,
          sealed,
        ),
      )
    },
    calls: (answerId) =>
      database
        .all(callRowSchema, 'SELECT * FROM tool_calls WHERE answer_id = ? ORDER BY round, place', answerId)
        .map((row) => database.unseal(toolStepSchema, callPlace(row), row.body)),
    chosen(conversationId) {
      const row = database.get(
        choiceRowSchema,
        'SELECT body FROM tool_choices WHERE conversation_id = ?',
        conversationId,
      )
      return row ? database.unseal(choiceSchema, choicePlace(conversationId), row.body).sources : []
    },
    choose(conversationId, sources) {
      database.run(
        'INSERT INTO tool_choices (conversation_id, body) VALUES (?, ?) ON CONFLICT (conversation_id) DO UPDATE SET body = excluded.body',
        conversationId,
        database.seal(choicePlace(conversationId), { sources: [...sources] }),
      )
    },
  }
}

/** Marks the calls as unknown that were running when the process ended. They may have had their effect. */
export function markUnknownCalls(database: SealedDatabase): void {
  const running = database.all(callRowSchema, "SELECT * FROM tool_calls WHERE state = 'running'")
  if (running.length === 0) return
  database.transaction(() => {
    for (const row of running) {
      // A call that another program changed is reported when its answer is read.
      const step = readOr(() => database.unseal(toolStepSchema, callPlace(row), row.body), null)
      if (!step) continue
      database.run(
        "UPDATE tool_calls SET state = 'unknown', body = ? WHERE answer_id = ? AND round = ? AND place = ?",
        database.seal(callPlace({ ...row, state: 'unknown' }), { ...step, state: 'unknown' }),
        row.answer_id,
        row.round,
        row.place,
      )
    }
  })
}

import { z } from 'zod'
import { teamRequestSchema, type TeamRequest } from '../../shared/contract/team.ts'
import { csvRow } from '../../shared/csv-row.ts'
import { decimalUsd } from '../../shared/money.ts'
import type { Database } from '../database.ts'
import { requireId } from './change-team.ts'

/** Rows of an export at most. */
const MAX_EXPORT_ROWS = 100_000
const EXPORT_PAGE = 2_000

const rowSchema = z
  .object({
    id: z.string(),
    key_id: z.string(),
    key_name: z.string(),
    owner_id: z.string().nullable(),
    email: z.string().nullable(),
    body: z.record(z.string(), z.unknown()),
  })
  // The schema's members have no content, so it drops everything else of a receipt.
  .transform(({ body, id, key_id, key_name, owner_id, email }) => ({
    email,
    request: teamRequestSchema.parse({ ...body, id, keyId: key_id, tool: key_name, memberId: owner_id }),
  }))
const sumSchema = z.object({
  owner_id: z.string().nullable(),
  requests: z.coerce.number(),
  charged: z.string(),
})

/** Times are Unix ms: `from` inclusive, `until` exclusive. */
export interface ActivityFilter {
  readonly memberId?: string | undefined
  readonly keyId?: string | undefined
  readonly from?: number | undefined
  readonly until?: number | undefined
}

/**
 * Lists requests with a key, without content, the newest first.
 * @param cursor `next` of the page before
 * @returns `next` is null at the end, and if the cursor's receipt was deleted
 * @throws {SottoError} team/unknown-member, local-key/unknown; database/…
 */
export async function listActivity(
  database: Pick<Database, 'query'>,
  filter: ActivityFilter,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<{ readonly requests: TeamRequest[]; readonly next: string | null }> {
  const rows = await readRows(database, filter, cursor, limit + 1)
  const requests = rows.slice(0, limit).map(({ request }) => request)
  return { requests, next: rows.length > limit ? (requests.at(-1)?.id ?? null) : null }
}

/** Sums the saved receipts of each member. @throws as `listActivity` */
export async function sumActivity(
  database: Pick<Database, 'query'>,
  filter: ActivityFilter,
): Promise<{ readonly memberId: string | null; readonly requests: number; readonly charged: string }[]> {
  const { where, values } = conditionOf(filter)
  const rows = await database.query(
    sumSchema,
    `SELECT owner_id, count(*) AS requests, coalesce(sum((body ->> 'charged')::numeric), 0)::text AS charged
     FROM receipts JOIN local_keys ON local_keys.id = key_id WHERE ${where}
     GROUP BY owner_id ORDER BY coalesce(sum((body ->> 'charged')::numeric), 0) DESC, owner_id`,
    values,
  )
  return rows.map(({ owner_id, ...sums }) => ({ memberId: owner_id, ...sums }))
}

/** Writes the requests as CSV. @throws as `listActivity` */
export async function exportActivity(
  database: Pick<Database, 'query'>,
  filter: ActivityFilter,
): Promise<{ readonly csv: string; readonly complete: boolean }> {
  const pieces = [csvRow(['time', 'member', 'key', ...columns.map(([name]) => name)])]
  let cursor: string | undefined
  for (let written = 0; written < MAX_EXPORT_ROWS; written += EXPORT_PAGE) {
    const rows = await readRows(database, filter, cursor, EXPORT_PAGE)
    for (const { email, request } of rows)
      pieces.push(
        csvRow([
          new Date(request.at).toISOString(),
          email ?? '',
          request.tool,
          ...columns.map(([, cell]) => String(cell(request) ?? '')),
        ]),
      )
    cursor = rows.at(-1)?.request.id
    if (rows.length < EXPORT_PAGE) return { csv: pieces.join(''), complete: true }
  }
  const more = await readRows(database, filter, cursor, 1)
  return { csv: pieces.join(''), complete: more.length === 0 }
}

const columns: readonly (readonly [string, (request: TeamRequest) => string | number | undefined])[] = [
  ['model', ({ model }) => model],
  ['path', ({ path }) => path],
  ['privacy', ({ privacy }) => privacy],
  ['outcome', ({ outcome }) => outcome],
  ['error_code', ({ code }) => code],
  ['input_tokens', ({ usage }) => usage?.prompt],
  ['output_tokens', ({ usage }) => usage?.completion],
  ['charged_usd', ({ charged }) => (charged === undefined ? undefined : decimalUsd(BigInt(charged)))],
  ['duration_ms', ({ durationMs }) => durationMs],
]

function readRows(
  database: Pick<Database, 'query'>,
  filter: ActivityFilter,
  cursor: string | undefined,
  limit: number,
): Promise<z.output<typeof rowSchema>[]> {
  const { where, values } = conditionOf(filter)
  return database.query(
    rowSchema,
    `SELECT receipts.id, key_id, local_keys.name AS key_name, owner_id, email, body
     FROM receipts JOIN local_keys ON local_keys.id = key_id LEFT JOIN team_members ON team_members.id = owner_id
     WHERE ${where} AND ($5::text IS NULL OR (at, receipts.id) < (SELECT at, id FROM receipts WHERE id = $5))
     ORDER BY at DESC, receipts.id DESC LIMIT $6`,
    [...values, cursor ?? null, limit],
  )
}

function conditionOf({ memberId, keyId, from, until }: ActivityFilter): {
  readonly where: string
  readonly values: readonly (string | number | null)[]
} {
  return {
    where: `($1::uuid IS NULL OR owner_id = $1) AND ($2::uuid IS NULL OR key_id = $2)
      AND ($3::double precision IS NULL OR at >= to_timestamp($3 / 1000))
      AND ($4::double precision IS NULL OR at < to_timestamp($4 / 1000))`,
    values: [
      memberId === undefined ? null : requireId(memberId, 'team/unknown-member'),
      keyId === undefined ? null : requireId(keyId, 'local-key/unknown'),
      from ?? null,
      until ?? null,
    ],
  }
}

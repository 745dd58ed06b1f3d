import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { logEvents, logLevels, type LogEventName } from '../src/shared/log-events.ts'

export const LOG_EVENTS_PATH = 'docs/log-events.md'
export const LOG_SCHEMA_PATH = 'docs/log-schema.json'

/** Enumerations with more values than this are only in the schema, not in the table. */
const LISTED_VALUES = 8

/** The parts of a JSON Schema that the table shows. */
const fieldSchema = z.object({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  format: z.string().optional(),
})
const eventSchema = z.object({
  properties: z.record(z.string(), fieldSchema),
  required: z.array(z.string()).default([]),
})

const eventNames = z.enum(
  Object.keys(logEvents).filter((name): name is LogEventName => name in logEvents),
).options

function lineSchema(name: LogEventName): z.ZodObject {
  const { level, fields } = logEvents[name]
  return z.strictObject({
    level: z.literal(level),
    time: z.int().min(0),
    event: z.literal(name),
    ...fields,
  })
}

/** JSON Schema of one line of the log, draft 2020-12. */
export function renderLogSchema(): string {
  const shared = z.registry<{ id: string }>()
  shared.add(logEvents['proxy/refused'].fields.code, { id: 'errorCode' })
  shared.add(logEvents['proxy/refused'].fields.route, { id: 'route' })
  const schema = z.toJSONSchema(z.union(eventNames.map(lineSchema)), { metadata: shared })
  const { $schema, ...rest } = schema
  return `${JSON.stringify({ $schema, title: 'One line of the log of Sotto', ...rest }, null, 2)}\n`
}

/** The document that lists the events of the log: level, fields and values. */
export function renderLogEvents(): string {
  const sections = eventNames.map((name) => {
    const { level, fields } = logEvents[name]
    const { properties, required } = eventSchema.parse(z.toJSONSchema(z.strictObject(fields)))
    const rows = Object.entries(properties).map(
      ([field, schema]) =>
        `| \`${field}\` | ${valuesOf(field, schema)} | ${required.includes(field) ? 'yes' : ''} |`,
    )
    const table =
      rows.length === 0 ? 'No fields.' : `| field | value | always |\n|---|---|---|\n${rows.join('\n')}`
    return `## \`${name}\`\n\nLevel \`${level}\`.\n\n${table}\n`
  })
  return `# Events of the log

Each line is a JSON object with \`level\`, \`time\` (Unix ms) and \`event\`, and with the fields of its event. The levels are
${logLevels.map((level) => `\`${level}\``).join(', ')}; a log contains those of \`--log-level\` and above. There are no other
events and no other fields. No field has a free text. [log-schema.json](log-schema.json) is the JSON Schema of a line.
\`npm run log-events\` writes both files.

\`localKey\` is the ID of a local key that this Sotto has issued, as in \`sotto keys list --json\`. \`keyFingerprint\` distinguishes
other keys: the same key has the same fingerprint until Sotto stops. A reader can't compute the key, or check a guess.

${sections.join('\n')}`
}

function valuesOf(field: string, { type = '', enum: values, format }: z.infer<typeof fieldSchema>): string {
  if (field === 'code') return 'an [error code](error-codes.md)'
  if (format === 'uuid') return 'a random ID'
  if (format === 'key-fingerprint') return '8 hex digits'
  if (!values) return type
  return values.length > LISTED_VALUES
    ? 'one of the values in the schema'
    : values.map((value) => `\`${value}\``).join(', ')
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  writeFileSync(join(root, LOG_EVENTS_PATH), renderLogEvents())
  writeFileSync(join(root, LOG_SCHEMA_PATH), renderLogSchema())
}

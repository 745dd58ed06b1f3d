import { z } from 'zod'
import { logEvents, type LogEventName, type LogLevel } from './log-events.ts'

const schemas = new Map<string, z.ZodType<Record<string, unknown>>>(
  Object.entries(logEvents).map(([name, { fields }]) => [name, z.strictObject(fields)]),
)

/**
 * The loggable form of an event: the members that its schema parsed, or a note that some couldn't be
 * parsed.
 */
export function closedForm(
  name: LogEventName,
  fields: unknown,
): { readonly level: LogLevel; readonly line: Readonly<Record<string, unknown>> } {
  const parsed = schemas.get(name)?.safeParse(fields)
  if (parsed?.success !== true)
    return { level: logEvents['log/refused'].level, line: { event: 'log/refused' } }
  return { level: logEvents[name].level, line: { event: name, ...parsed.data } }
}

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { LOG_SCHEMA_PATH } from '../../../build/write-log-events.ts'

/** A member of JSON Schema's document, as `z.fromJSONSchema` reads it. */
const documentSchema = z.record(z.string(), z.json())

/**
 * One line of the log, by the schema that the documents publish. It's read from the file, so that a program that was
 * written for the file can read what Sotto writes.
 */
export const documentedLine = z.fromJSONSchema(
  documentSchema.parse(
    JSON.parse(readFileSync(resolve(import.meta.dirname, '../../..', LOG_SCHEMA_PATH), 'utf8')),
  ),
)

/** Parses the lines of a log. @throws {SyntaxError} a line isn't JSON @throws {z.ZodError} a line isn't of the schema */
export function parseLog(text: string): Record<string, unknown>[] {
  const line = z.record(z.string(), z.unknown())
  return text
    .split('\n')
    .filter(Boolean)
    .map((entry) => line.parse(documentedLine.parse(JSON.parse(entry))))
}

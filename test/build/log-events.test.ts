import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import {
  LOG_EVENTS_PATH,
  LOG_SCHEMA_PATH,
  renderLogEvents,
  renderLogSchema,
} from '../../build/write-log-events.ts'
import { logEvents } from '../../src/shared/log-events.ts'
import { documentedLine } from '../host/log/documented-line.ts'

const read = (path: string): string => readFileSync(resolve(import.meta.dirname, '../..', path), 'utf8')

it.each([
  [LOG_EVENTS_PATH, renderLogEvents],
  [LOG_SCHEMA_PATH, renderLogSchema],
])('%s lists the events as they are', (path, render) => {
  expect(read(path), 'run npm run log-events').toBe(render())
})

it.each(Object.keys(logEvents))('the document has a section for %s', (name) => {
  expect(read(LOG_EVENTS_PATH)).toContain(`## \`${name}\`\n`)
})

it('the schema accepts a line of the log', () => {
  expect(documentedLine.safeParse({ level: 'info', time: 1, event: 'sotto/stopped' }).success).toBe(true)
})

it.each([
  ['another level', { level: 'debug', time: 1, event: 'sotto/stopped' }],
  ['no time', { level: 'info', event: 'sotto/stopped' }],
  ['an unknown event', { level: 'info', time: 1, event: 'sotto/other' }],
  ['a further field', { level: 'info', time: 1, event: 'sotto/stopped', msg: 'text' }],
  ['a code that is none', { level: 'error', time: 1, event: 'sotto/failed', code: 'a/b' }],
  ['a missing field', { level: 'error', time: 1, event: 'sotto/failed' }],
  ['a text', 'Sotto has stopped.'],
])('the schema refuses a line with %s', (_what, line) => {
  expect(documentedLine.safeParse(line).success).toBe(false)
})

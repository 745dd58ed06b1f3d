import { t } from '@lingui/core/macro'
import type { DataEndpoint } from '../../../../shared/contract/purchases.ts'
import type { JobAsk } from '../../../../shared/job-ask.ts'
import type { JsonValue } from '../../../../shared/strict-json.ts'
import type { LookupDraft } from './catalogue-store.ts'
import { asText, exampleOf } from './examples.ts'
import { fieldsOf, inputOf, type FieldFaults } from './fields.ts'
import { readInput, type JsonFault } from './json-place.ts'

type Target = Pick<DataEndpoint, 'method' | 'path'>

/** A draft with fields if they are known, or else with an example. */
export function firstDraft(target: Target): LookupDraft {
  return { mode: fieldsOf(target) ? 'fields' : 'json', texts: {}, json: asText(exampleOf(target)) }
}

export interface DraftFaults {
  readonly fields?: FieldFaults
  readonly json?: JsonFault
}

export interface ReadDraft {
  /** Undefined while something is missing or invalid. */
  readonly ask: JobAsk | undefined
  readonly faults: DraftFaults
  readonly missing: string | undefined
}

/** Converts a draft to its request. A GET sends its request as a query, which holds only plain values. */
export function askOf(target: Target, { mode, texts, json }: LookupDraft): ReadDraft {
  const fields = fieldsOf(target)
  if (fields && mode === 'fields') {
    const { input, faults } = inputOf(fields, texts)
    if (Object.keys(faults).length > 0)
      return { ask: undefined, faults: { fields: faults }, missing: t`Fix the highlighted fields.` }
    if (Object.keys(input).length === 0)
      return { ask: undefined, faults: {}, missing: t`Fill in at least one field.` }
    return { ask: ask(target, input), faults: {}, missing: undefined }
  }
  const read = readInput(json)
  if ('fault' in read) return { ask: undefined, faults: { json: read.fault }, missing: t`Fix the JSON.` }
  const nested =
    target.method === 'GET'
      ? Object.entries(read.input).find(([, value]) => typeof value === 'object' && value !== null)?.[0]
      : undefined
  if (nested !== undefined) {
    const at = Math.max(0, json.indexOf(JSON.stringify(nested)))
    const before = json.slice(0, at)
    const fault: JsonFault = {
      at,
      line: before.split('\n').length,
      column: at - before.lastIndexOf('\n'),
      message: t`This lookup sends its fields in the URL query. Use only text, numbers, true, or false.`,
    }
    return { ask: undefined, faults: { json: fault }, missing: t`Fix the JSON.` }
  }
  return { ask: ask(target, read.input), faults: {}, missing: undefined }
}

function ask({ method, path }: Target, input: Readonly<Record<string, unknown>>): JobAsk {
  return { kind: 'data', method, path, input: toJsonObject(input) }
}

/** Converts a value that came from JSON to the JSON type. */
export function toJsonObject(input: Readonly<Record<string, unknown>>): Record<string, JsonValue> {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, jsonValue(value)]))
}

function jsonValue(value: unknown): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  if (Array.isArray(value)) return value.map(jsonValue)
  return typeof value === 'object'
    ? Object.fromEntries(
        Object.entries(value).map(([name, each]): [string, JsonValue] => [name, jsonValue(each)]),
      )
    : null
}

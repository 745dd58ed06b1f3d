import { z } from 'zod'
import { allowedBy } from '../../../shared/allowed-values.ts'
import { SottoError } from '../../../shared/errors.ts'
import { isJsonObject, isRecord, type JsonObject, type JsonValue } from '../../../shared/strict-json.ts'

/**
 * A JSON object whose members aren't examined here, such as a JSON Schema or a call's input. The body was
 * parsed strictly before.
 */
export const jsonObject = z.custom<JsonObject>(isRecord)

/**
 * Removes members that are null, because null means absent in these dialects. Members of a JSON Schema may be
 * null, so only one level is examined.
 */
export function withoutNulls(value: unknown): unknown {
  if (!isRecord(value)) return value
  const entries = Object.entries(value)
  return entries.some(([, member]) => member === null)
    ? Object.fromEntries(entries.filter(([, member]) => member !== null))
    : value
}

/** An object of exactly these members. Another member can't be translated, and is refused by its name. */
export function exactly<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): z.ZodPreprocess<z.ZodObject<Shape, z.core.$strict>> {
  return z.preprocess(withoutNulls, z.strictObject(shape))
}

/** The message of an issue about a value that can't be translated. */
export const UNSUPPORTED = 'unsupported'

/** A list that must be empty. */
export const emptyList = z.array(z.unknown()).refine((list) => list.length === 0, UNSUPPORTED)

/** Normalizes a member that may be one text or a list of parts to a list. */
export function textAsParts(type: string): (value: unknown) => unknown {
  return (value) => (typeof value === 'string' ? [{ type, text: value }] : value)
}

/**
 * Validates a request of a dialect. A member, type or value that the schema doesn't have can't be translated.
 * @param hint an explanation for the tool of a value that can't be translated
 * @throws {SottoError} proxy/model-missing, dialect/unsupported, proxy/invalid-request; each names its member
 * in `param`
 */
export function readRequest<Read>(
  schema: z.ZodType<Read>,
  body: JsonObject,
  hint: (value: JsonValue | undefined) => string = () => '',
): Read {
  if (typeof body['model'] !== 'string' || body['model'] === '')
    throw new SottoError('proxy/model-missing', { param: 'model' })
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const issue = worst(parsed.error.issues)
  const path = [...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])]
  const param = memberName(path)
  if (!isUnsupported(issue))
    throw new SottoError('proxy/invalid-request', { param, toolDetail: allowedBy(issue) })
  const value = valueAt(body, path)
  // An unknown member may contain the user's text, so its value isn't quoted.
  const refused =
    issue.code !== 'unrecognized_keys' && typeof value === 'string' && /^[\w.-]{1,60}$/.test(value)
      ? `"${value}" is not supported.`
      : ''
  throw unsupported(param, [refused, allowedBy(issue), hint(value)].filter(Boolean).join(' '))
}

/** Creates the refusal of a member that chat completions can't express. */
export function unsupported(param: string, toolDetail = ''): SottoError {
  return new SottoError('dialect/unsupported', { param, toolDetail })
}

function isUnsupported({ code, message }: z.core.$ZodIssue): boolean {
  return (
    message === UNSUPPORTED ||
    code === 'unrecognized_keys' ||
    code === 'invalid_value' ||
    code === 'invalid_union'
  )
}

/**
 * Selects the issue to report: first a value that can't be translated, because it may be the cause of a
 * missing member.
 */
function worst(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue {
  const [first] = issues
  if (!first) throw new SottoError('proxy/invalid-request')
  return issues.find(isUnsupported) ?? first
}

/**
 * Formats a path, such as `messages[3].content[0].type`. The caller controls the names, so they are shortened
 * and unsafe characters replaced.
 */
function memberName(path: readonly PropertyKey[]): string {
  const name = path
    .map((part, at) =>
      typeof part === 'number'
        ? `[${part}]`
        : `${at === 0 ? '' : '.'}${String(part)
            .replaceAll(/[^\w.-]/g, '?')
            .slice(0, 60)}`,
    )
    .join('')
  return name.slice(0, 200) || 'body'
}

function valueAt(body: JsonObject, path: readonly PropertyKey[]): JsonValue | undefined {
  let value: JsonValue | undefined = body
  for (const part of path) {
    if (Array.isArray(value) && typeof part === 'number') value = value[part]
    else if (isJsonObject(value) && typeof part === 'string' && Object.hasOwn(value, part))
      value = value[part]
    else return undefined
  }
  return value
}

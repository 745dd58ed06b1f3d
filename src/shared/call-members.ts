import { z } from 'zod'
import { isJsonObject, isRecord, type JsonObject } from './strict-json.ts'

/** UTF-16 units of their JSON. As many as the arguments of a call may have. */
export const MAX_CALL_MEMBERS = 100_000

/**
 * The members of a call that Sotto doesn't use, such as a signature, in their places: those of `function` are within a
 * member of this name. Some models refuse the result of a call that comes back without them.
 */
export const callMembersSchema = z.custom<JsonObject>(
  (value) => isRecord(value) && lengthOf(value) <= MAX_CALL_MEMBERS,
)

/** Collects the members of one call, whose pieces may each have some. */
export class CallMembers {
  #members: JsonObject | undefined
  #length = 0

  /** Undefined if there are none. */
  get all(): JsonObject | undefined {
    return this.#members
  }

  /** Adds those of the next piece. @returns false if they're left out, because all of them would be too long */
  add(next: JsonObject): boolean {
    if (this.#length > MAX_CALL_MEMBERS) return false
    this.#length += lengthOf(next)
    if (this.#length > MAX_CALL_MEMBERS) return false
    this.#members = joined(this.#members, next)
    return true
  }
}

/** The call with further members. None of them replaces a member of the call. */
export function withMembers(members: JsonObject | undefined, call: JsonObject): JsonObject {
  return joined(members, call)
}

function joined(earlier: JsonObject = {}, next: JsonObject): JsonObject {
  const result = { ...earlier }
  for (const [name, value] of Object.entries(next)) {
    const before = result[name]
    if (isInner(name) && isJsonObject(before) && isJsonObject(value)) result[name] = joined(before, value)
    else result[name] = value
  }
  return result
}

const isInner = (name: string): boolean => name === 'function' || name === 'custom'

const MAX_DEPTH = 32

/** Infinity for members that are nested too deeply for other readers. */
function lengthOf(members: object): number {
  try {
    const { length } = JSON.stringify(members)
    return length <= MAX_CALL_MEMBERS && isDeeper(members, MAX_DEPTH) ? Infinity : length
  } catch {
    return Infinity
  }
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1))
}

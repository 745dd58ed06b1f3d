import { z } from 'zod'
import { isJsonObject, type JsonObject } from './strict-json.ts'

/** UTF-16 units of their JSON. As many as the arguments of a call may have. */
export const MAX_CALL_MEMBERS = 100_000

/**
 * The members of a call that Sotto doesn't use, such as a signature, in their places. The model gets them back. Those of
 * `function` are within a member of this name.
 */
export const callMembersSchema = z.record(z.string(), z.json())

/** Adds the members of a call's next piece, unless all of them would be longer than `MAX_CALL_MEMBERS`. */
export function joinMembers(earlier: JsonObject | undefined, next: JsonObject): JsonObject {
  const joined = withMembers(earlier, next)
  return JSON.stringify(joined).length > MAX_CALL_MEMBERS ? (earlier ?? {}) : joined
}

/** The call with members that Sotto doesn't use. None of them replaces a member of the call. */
export function withMembers(members: JsonObject | undefined, call: JsonObject): JsonObject {
  const inside = members?.['function']
  const called = call['function']
  return {
    ...members,
    ...call,
    ...(isJsonObject(inside) && { function: { ...inside, ...(isJsonObject(called) && called) } }),
  }
}

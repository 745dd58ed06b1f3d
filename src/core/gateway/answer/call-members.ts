import { MAX_TOOL_ARGUMENTS } from '../../../shared/answer-parts.ts'
import { isJsonObject, type JsonObject } from '../../../shared/strict-json.ts'

/** Adds the members of a call's next piece, unless all of them would be longer than a call's arguments may be. */
export function joinMembers(earlier: JsonObject | undefined, next: JsonObject): JsonObject {
  const joined = withMembers(earlier, next)
  return JSON.stringify(joined).length > MAX_TOOL_ARGUMENTS ? (earlier ?? {}) : joined
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

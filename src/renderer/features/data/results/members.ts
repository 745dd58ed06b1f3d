export type Members = Readonly<Record<string, unknown>>

/** An object of JSON, and no array. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads only the object's own members, because names such as `__proto__` and `constructor` are data here. */
export function memberOf(members: Members, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined
}

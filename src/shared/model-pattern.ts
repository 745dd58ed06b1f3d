import { SottoError } from './errors.ts'
import type { KeyLimits, ModelAlias } from './key-limits.ts'
import { isPrivateModel } from './privacy.ts'

/** Which models a key may use, and by which other names. */
export type AllowedModels = Pick<KeyLimits, 'atLeast' | 'models' | 'aliases'>

/**
 * Whether a key may use this model. A model that is refused by its name is refused before it's looked up.
 */
export function allowsModel({ atLeast, models }: AllowedModels, id: string): boolean {
  return (
    !(atLeast === 'sealed' && !isPrivateModel(id)) &&
    (models?.some((pattern) => matchesModel(pattern, id)) ?? true)
  )
}

/** Throws auth/private-only, auth/model-not-allowed. */
export function requireModel(allowed: AllowedModels, id: string): void {
  if (allowsModel(allowed, id)) return
  throw new SottoError(
    allowed.atLeast === 'sealed' && !isPrivateModel(id) ? 'auth/private-only' : 'auth/model-not-allowed',
    { param: 'model' },
  )
}

/** Like requireModel, for a request that the service can read. Also throws auth/relayed-only. */
export function requireVisible(allowed: AllowedModels, id: string): void {
  requireModel(allowed, id)
  if (allowed.atLeast === 'relayed') throw new SottoError('auth/relayed-only', { param: 'model' })
}

/** No alias has a longer name. A caller chooses the length of a name, and each pattern reads all of it. */
const MAX_NAME = 200

/** The first alias whose pattern matches a name. */
export function findAlias({ aliases }: Pick<KeyLimits, 'aliases'>, name: string): ModelAlias | undefined {
  return name.length > MAX_NAME ? undefined : aliases?.find(({ pattern }) => matchesModel(pattern, name))
}

/** Whether a pattern is a single name. */
export function isExactName(pattern: string): boolean {
  return !pattern.includes('*')
}

/** The first alias whose model the key may not use. */
export function forbiddenAlias(limits: AllowedModels): ModelAlias | undefined {
  return limits.aliases?.find(({ model }) => !allowsModel(limits, model))
}

/**
 * `*` matches any text, including an empty one; all other characters match themselves. The search for each
 * part begins where the last one ended.
 */
export function matchesModel(pattern: string, id: string): boolean {
  const [start = '', ...others] = pattern.split('*')
  const end = others.pop()
  if (end === undefined) return pattern === id
  if (id.length < start.length + end.length || !id.startsWith(start) || !id.endsWith(end)) return false
  let at = start.length
  for (const part of others) {
    const found = id.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= id.length - end.length
}

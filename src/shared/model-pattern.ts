import { SottoError } from './errors.ts'
import type { KeyLimits } from './key-limits.ts'
import { isPrivateModel } from './privacy.ts'

/** Which models a key may use. */
export type AllowedModels = Pick<KeyLimits, 'privateOnly' | 'models'>

/** Whether a key may use this model; what is refused by its spelling is refused before it is looked up. */
export function allowsModel({ privateOnly = false, models }: AllowedModels, id: string): boolean {
  return !(privateOnly && !isPrivateModel(id)) && (models?.some((pattern) => matchesModel(pattern, id)) ?? true)
}

/** Throws proxy/key-private-only, proxy/key-model. */
export function requireModel(allowed: AllowedModels, id: string): void {
  if (allowsModel(allowed, id)) return
  throw new SottoError(allowed.privateOnly === true && !isPrivateModel(id) ? 'proxy/key-private-only' : 'proxy/key-model', { param: 'model' })
}

/** `*` stands for any text, an empty one too; everything else for itself. Each part is looked for from where the last one ended. */
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

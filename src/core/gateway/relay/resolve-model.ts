import { findAlias, isExactName, type AllowedModels } from '../../../shared/model-pattern.ts'
import { isPrivateModel } from '../../../shared/privacy.ts'
import { looksPrivate } from './private-name.ts'

/**
 * Returns the model that a name means to a key. All later decisions on the model must use this result and
 * never the name.
 *
 * An alias with a `*` doesn't replace a listed model. An alias without one always counts, because otherwise
 * the service could list a model of that name and read requests that the alias seals. A name that looks
 * private never becomes a model that isn't private.
 * @param allowed the key's limits; without aliases if it's absent
 * @param lists whether the service lists a model of exactly this ID
 * @returns an ID that may be unlisted
 * @throws the errors of `lists`
 */
export async function resolveModel(
  name: string,
  allowed: AllowedModels | undefined,
  lists: (id: string) => Promise<boolean>,
): Promise<string> {
  const alias = allowed && findAlias(allowed, name)
  if (!alias || (looksPrivate(name) && !isPrivateModel(alias.model))) return name
  return isExactName(alias.pattern) || !(await lists(name)) ? alias.model : name
}

import { findAlias, isExactName, type AllowedModels } from '../../../shared/model-pattern.ts'
import { isPrivateModel } from '../../../shared/privacy.ts'
import { looksPrivate } from './private-name.ts'

/**
 * The model that a name means to a key. Everything that decides on a model must see this result and never the name.
 *
 * A listed model is not replaced by an alias with a `*`. An alias without one always counts, because otherwise the service could list a
 * model of that name and read requests that the alias seals. A name that looks private never becomes a model that is not.
 *
 * @param allowed the key's limits; without aliases if it is absent
 * @param lists whether the service lists a model of exactly this ID
 * @returns an ID, not looked up
 * @throws what `lists` throws
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

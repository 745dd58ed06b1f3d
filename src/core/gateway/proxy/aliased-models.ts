import type { KeyLimits } from '../../../shared/key-limits.ts'
import { isExactName } from '../../../shared/model-pattern.ts'
import type { Model } from '../../../shared/model.ts'
import type { Relay } from '../relay/index.ts'

/**
 * Adds each alias without a `*` that names one of the models. It has all members of its model except the ID.
 * @throws {SottoError} service/…
 */
export async function withAliases(
  models: readonly Model[],
  limits: KeyLimits,
  relay: Pick<Relay, 'resolve'>,
): Promise<Model[]> {
  const byId = new Map(models.map((model) => [model.id, model]))
  const named = new Map<string, Model>()
  for (const { pattern } of limits.aliases ?? []) {
    if (!isExactName(pattern)) continue
    const model = byId.get(await relay.resolve(pattern, limits))
    if (model) named.set(pattern, { ...model, id: pattern })
  }
  return [...models.filter(({ id }) => !named.has(id)), ...named.values()]
}

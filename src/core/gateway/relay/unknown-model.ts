import { SottoError } from '../../../shared/errors.ts'
import { allowsModel, type AllowedModels } from '../../../shared/model-pattern.ts'
import { nearMatches } from '../../../shared/near-match.ts'
import { looksPrivate } from './private-name.ts'

/**
 * Creates the refusal of a model that isn't listed. It names near matches that the caller's key may use. For
 * a private name these are private too: an agent that follows the advice must not send the same prompt in a
 * way that the service can read.
 * @param listed IDs
 * @param allowed the models that the key may use; no near matches if it's absent
 */
export function unknownModel(
  id: string,
  listed: readonly string[],
  allowed: AllowedModels | undefined,
): SottoError {
  const near =
    allowed === undefined
      ? []
      : nearMatches(
          id,
          listed.filter(
            (candidate) => allowsModel(allowed, candidate) && (looksPrivate(candidate) || !looksPrivate(id)),
          ),
        )
  return new SottoError('model/unknown', {
    param: 'model',
    ...(near.length > 0 && { toolDetail: didYouMean(near) }),
  })
}

function didYouMean(near: readonly string[]): string {
  const quoted = near.map((id) => `"${id}"`)
  const last = quoted.pop() ?? ''
  return `Did you mean ${quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`}?`
}

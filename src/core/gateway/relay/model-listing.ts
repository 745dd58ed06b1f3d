import type { Model } from '../../../shared/model.ts'
import type { AllowedModels } from '../../../shared/model-pattern.ts'
import { isPrivateModel } from '../../../shared/privacy.ts'
import type { Listed } from '../service/http/shapes.ts'
import { createListing } from './listing.ts'
import { looksPrivate } from './private-name.ts'
import { unknownModel } from './unknown-model.ts'

/** Characters that can't end a header. */
const HEADER_SAFE = /^[\w./:@+-]+$/

/** A listed model that runs in an enclave. Only sealed requests accept it. */
export class SealedModel {
  readonly #sealed = true
  readonly listed: Model
  /** The ID that the enclave knows: without `private/`. */
  readonly enclaveId: string
  private constructor(listed: Model) {
    this.listed = listed
    this.enclaveId = listed.id.slice('private/'.length)
  }
  static of(listed: Model): SealedModel | undefined {
    return isPrivateModel(listed.id) && HEADER_SAFE.test(listed.id) ? new SealedModel(listed) : undefined
  }
  static is(value: SealedModel | PlaintextModel): value is SealedModel {
    return #sealed in value
  }
}

/** A listed model whose requests the service can read. A model whose name looks private can't become one. */
export class PlaintextModel {
  readonly #open = true
  readonly listed: Model
  private constructor(listed: Model) {
    this.listed = listed
  }
  static of(listed: Model): PlaintextModel | undefined {
    return looksPrivate(listed.id) ? undefined : new PlaintextModel(listed)
  }
  static is(value: SealedModel | PlaintextModel): value is PlaintextModel {
    return #open in value
  }
}

export interface ModelListing {
  /** Returns the listing, at most five minutes old, or an hour if the service doesn't list. @throws {SottoError} service/… */
  all(): Promise<readonly Model[]>
  /**
   * Returns the model of exactly this ID.
   * @param allowed the models that the caller may use, from which a refusal names near matches; it names none
   * if this is absent
   * @throws {SottoError} model/unknown, service/…
   */
  find(id: string, allowed?: AllowedModels): Promise<SealedModel | PlaintextModel>
}

/** Creates the service's listing of models, which `load` fetches at the first use. @param now Unix ms */
export function createModelListing(
  load: () => Promise<Pick<Listed<Model>, 'entries'>>,
  now: () => number,
): ModelListing {
  // The class of each model is determined once per listing, not per request.
  const listing = createListing(
    async () => ({
      entries: (await load()).entries.map((listed) => ({
        listed,
        model: SealedModel.of(listed) ?? PlaintextModel.of(listed),
      })),
    }),
    ({ listed }) => listed.id,
    now,
  )
  return {
    all: async () => (await listing.all()).map(({ listed }) => listed),
    async find(id, allowed) {
      const model = (await listing.find(id))?.model
      if (!model)
        throw unknownModel(
          id,
          (await listing.all()).flatMap((entry) => (entry.model ? [entry.listed.id] : [])),
          allowed,
        )
      return model
    },
  }
}

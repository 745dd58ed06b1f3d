import { SottoError } from '../../shared/errors.ts'
import type { Model } from '../../shared/model.ts'
import { isPrivateModel } from '../../shared/privacy.ts'

/** After this long a listing is renewed before it is used. */
const FRESH_MS = 5 * 60_000
/** An id that is not listed has the listing fetched again, but not more often than this. */
const MISS_MS = 10_000

/** Any spelling that a service could take for the private prefix. */
const LOOKS_PRIVATE = /^\s*private\s*\//i

/** What may stand in a header without ending it. */
const HEADER_SAFE = /^[\w./:@+-]+$/

/** A listed model that runs in an enclave. Only sealed requests take it. */
export class SealedModel {
  readonly #sealed = true
  readonly listed: Model
  /** The id that the enclave knows: without `private/`. */
  readonly enclaveId: string
  private constructor(listed: Model) {
    this.listed = listed
    this.enclaveId = listed.id.slice('private/'.length)
  }
  static of(listed: Model): SealedModel | undefined {
    return isPrivateModel(listed.id) && HEADER_SAFE.test(listed.id) ? new SealedModel(listed) : undefined
  }
  static is(value: SealedModel | OpenModel): value is SealedModel {
    return #sealed in value
  }
}

/** A listed model that the service reads. Nothing that looks private can become one. */
export class OpenModel {
  readonly #open = true
  readonly listed: Model
  private constructor(listed: Model) {
    this.listed = listed
  }
  static of(listed: Model): OpenModel | undefined {
    return LOOKS_PRIVATE.test(listed.id) ? undefined : new OpenModel(listed)
  }
  static is(value: SealedModel | OpenModel): value is OpenModel {
    return #open in value
  }
}

export interface ModelListing {
  /** The listing, at most five minutes old. Throws service/…. */
  all(): Promise<readonly Model[]>
  /** The model of exactly this id. Throws model/unknown, service/…. */
  find(id: string): Promise<SealedModel | OpenModel>
}

/** The service's current listing; one fetch in flight for all who ask. */
export function createModelListing(load: () => Promise<Model[]>, now: () => number): ModelListing {
  let byId = new Map<string, Model>()
  let loadedAt = -Infinity
  let loading: Promise<void> | null = null

  function reload(): Promise<void> {
    loading ??= load()
      .then((models) => {
        byId = new Map(models.map((model) => [model.id, model]))
        loadedAt = now()
      })
      .finally(() => (loading = null))
    return loading
  }

  const age = (): number => Math.abs(now() - loadedAt)

  return {
    async all() {
      if (age() > FRESH_MS) await reload()
      return [...byId.values()]
    },
    async find(id) {
      if (age() > FRESH_MS || (!byId.has(id) && age() > MISS_MS)) await reload()
      const listed = byId.get(id)
      const model = listed && (SealedModel.of(listed) ?? OpenModel.of(listed))
      if (!model) throw new SottoError('model/unknown', { param: 'model' })
      return model
    },
  }
}

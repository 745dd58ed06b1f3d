import type { Model } from '../../../shared/model.ts'

export interface ModelFilters {
  readonly privacy: 'any' | 'private' | 'readable'
  /** Takes pictures. */
  readonly vision: boolean
  /** In tokens; 0: any. */
  readonly contextAtLeast: number
  /** '': any. */
  readonly provider: string
  /** Pico-USD per million output tokens. If it is set, models of unknown price are hidden. */
  readonly priceAtMost: bigint | undefined
}

export const noFilters: ModelFilters = {
  privacy: 'any',
  vision: false,
  contextAtLeast: 0,
  provider: '',
  priceAtMost: undefined,
}

export const modelOrders = ['name', 'price', 'context', 'newest'] as const
export type ModelOrder = (typeof modelOrders)[number]

export function countFilters({
  privacy,
  vision,
  contextAtLeast,
  provider,
  priceAtMost,
}: ModelFilters): number {
  return [privacy !== 'any', vision, contextAtLeast > 0, provider !== '', priceAtMost !== undefined].filter(
    Boolean,
  ).length
}

/** A filter passes a model only if the listing shows that the model fits. A missing attribute doesn't fit. */
export function passes(
  model: Model,
  { privacy, vision, contextAtLeast, provider, priceAtMost }: ModelFilters,
): boolean {
  if (privacy !== 'any' && model.private !== (privacy === 'private')) return false
  if (vision && model.inputModalities?.includes('image') !== true) return false
  if (contextAtLeast > 0 && (model.contextLength ?? 0) < contextAtLeast) return false
  if (provider !== '' && model.provider !== provider) return false
  const price = priceOfAnswer(model)
  return priceAtMost === undefined || (price !== undefined && price <= priceAtMost)
}

function priceOfAnswer({ outputPerMillion }: Model): bigint | undefined {
  return outputPerMillion === undefined || outputPerMillion.startsWith('-')
    ? undefined
    : BigInt(outputPerMillion)
}

const collator = new Intl.Collator('en', { numeric: true })
const byName = (a: Model, b: Model) => collator.compare(a.name, b.name) || (a.id < b.id ? -1 : 1)

/** Sorts unknown values last. */
function compareKnown<Value extends number | bigint>(a: Value | undefined, b: Value | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1
  return a < b ? -1 : a > b ? 1 : 0
}

export function sortModels(models: readonly Model[], order: ModelOrder): readonly Model[] {
  switch (order) {
    case 'name':
      return models.toSorted(byName)
    case 'price':
      return models.toSorted((a, b) => compareKnown(priceOfAnswer(a), priceOfAnswer(b)) || byName(a, b))
    case 'context':
      return models.toSorted(
        (a, b) =>
          compareKnown(
            a.contextLength === undefined ? undefined : -a.contextLength,
            b.contextLength === undefined ? undefined : -b.contextLength,
          ) || byName(a, b),
      )
    case 'newest':
      return models.toSorted(
        (a, b) =>
          compareKnown(
            a.addedAt === undefined ? undefined : -a.addedAt,
            b.addedAt === undefined ? undefined : -b.addedAt,
          ) || byName(a, b),
      )
  }
}

export interface ModelSection {
  readonly id: 'favourites' | 'recent' | 'private' | 'readable'
  readonly models: readonly Model[]
}

export interface ModelQuestion {
  readonly query: string
  readonly filters: ModelFilters
  readonly order: ModelOrder
  /** Ids. */
  readonly favourites: readonly string[]
  /** Ids, the one used last first. */
  readonly recent: readonly string[]
}

/** A shorter list needs no section for the models used last. */
const RECENT_FROM = 13
const RECENT = 4

/** The models that contain every word and pass the filters. Each is listed once, favorites first. */
export function findModels(
  models: readonly Model[],
  { query, filters, order, favourites, recent }: ModelQuestion,
): readonly ModelSection[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found = models.filter((model) => {
    const text = `${model.id} ${model.name} ${model.provider ?? ''}`.toLowerCase()
    return wanted.every((word) => text.includes(word)) && passes(model, filters)
  })
  const byId = new Map(found.map((model) => [model.id, model]))
  const take = (ids: readonly string[]) =>
    ids.flatMap((id) => {
      const model = byId.get(id)
      byId.delete(id)
      return model ?? []
    })
  const liked = sortModels(take(favourites), order)
  const used = models.length < RECENT_FROM ? [] : take(recent.filter((id) => byId.has(id)).slice(0, RECENT))
  const rest = sortModels([...byId.values()], order)
  const sections: readonly ModelSection[] = [
    { id: 'favourites', models: liked },
    { id: 'recent', models: used },
    { id: 'private', models: rest.filter((model) => model.private) },
    { id: 'readable', models: rest.filter((model) => !model.private) },
  ]
  return sections.filter((section) => section.models.length > 0)
}

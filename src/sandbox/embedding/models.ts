/** What the listing does not say of an embedding model. */
export interface EmbeddingModel {
  readonly dimensions: number
  /** Fewer dimensions can be asked for. */
  readonly shortens: boolean
}

export const embeddingModels: Readonly<Record<string, EmbeddingModel>> = {
  'sandbox/eco-embedding-small': { dimensions: 512, shortens: false },
  'sandbox/eco-embedding-large': { dimensions: 1536, shortens: true },
}

/** For one input (Limits of the specification). */
export const maxTokens = 8191

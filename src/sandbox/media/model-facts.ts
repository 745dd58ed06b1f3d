/** What every model that is not paid for by the token says of itself. */
export interface MediaModelFacts {
  readonly id: string
  readonly name: string
  /** A date. */
  readonly addedAt: string
  /** Characters of a prompt, tokens for a model of speech. */
  readonly contextLength: number
  readonly input: readonly string[]
}

/** How a process that holds secrets is to die. */
export interface CrashOrder {
  readonly by: 'exception' | 'rejection'
  /** Of the errors that Sotto's own parts threw; or, to prove that it would be found, with the secrets in the error, or as bytes in what caused it. */
  readonly of: 'own errors' | 'message' | 'cause'
}

/** Told on the channel between the two, which is no output, before it dies. */
export interface CrashSaid {
  readonly secrets: Readonly<Record<string, string>>
  /** What the errors are, so that none of them is missing. */
  readonly thrown: readonly string[]
}

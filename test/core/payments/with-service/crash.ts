/** How a process that holds secrets must die. */
export interface CrashOrder {
  readonly by: 'exception' | 'rejection'
  /**
   * `own errors`: the errors that Sotto's own parts threw. The other two prove that a leak would be found: the
   * secrets are in the error's message, or as bytes in its cause.
   */
  readonly of: 'own errors' | 'message' | 'cause'
}

/** Sent between the two processes before the crash, on a channel that is not an output. */
export interface CrashMessage {
  readonly secrets: Readonly<Record<string, string>>
  /** The names of the errors, so that a missing error is noticed. */
  readonly thrown: readonly string[]
}

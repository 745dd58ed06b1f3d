/** What a decision is about. All members are facts of this computer; none is a claim of the server. */
export interface CallFacts {
  readonly callId: string
  readonly conversationId: string
  readonly serverId: string
  /** The accepted digest of the server's program. */
  readonly serverDigest: string
  readonly tool: string
  /** The digest of the tool's definition. */
  readonly definitionDigest: string
  /** SHA-256 (hex) of the exact arguments. */
  readonly argumentsDigest: string
  /**
   * The person marked the server as one that only reads on this computer, and its network is off. Only then
   * the call can be allowed always.
   */
  readonly localReadOnly: boolean
  /** A built-in tool that only computes: nothing leaves, nothing changes, and nothing is read. */
  readonly pure: boolean
}

export type ConsentDecision = 'once' | 'always' | 'refuse'
export type ConsentAnswer = 'allowed' | 'ask'

/** Immutable. There is no function that takes a result: no result of a tool can change it. */
export interface ConsentState {
  /** Keys of "always", see grantKey. */
  readonly grants: ReadonlySet<string>
  /** Calls that wait for a person, by their ID. */
  readonly pending: ReadonlyMap<string, CallFacts>
}

export const noConsent: ConsentState = { grants: new Set(), pending: new Map() }

/**
 * Asks for a call. The answer is `allowed` only for a pure built-in tool, or for a tool that was always allowed
 * in this very conversation, with the same program and the same definition.
 */
export function requestConsent(
  state: ConsentState,
  facts: CallFacts,
): { readonly state: ConsentState; readonly answer: ConsentAnswer } {
  if (facts.pure || (facts.localReadOnly && state.grants.has(grantKey(facts))))
    return { state, answer: 'allowed' }
  return {
    state: { ...state, pending: new Map(state.pending).set(facts.callId, facts) },
    answer: 'ask',
  }
}

/**
 * Records a person's decision about one pending call. `always` for a call that doesn't offer it counts as
 * nothing: the call stays pending. Returns null if the call isn't pending, so a decision is used once.
 */
export function decideCall(
  state: ConsentState,
  callId: string,
  decision: ConsentDecision,
): { readonly state: ConsentState; readonly allowed: boolean } | null {
  const facts = state.pending.get(callId)
  if (!facts || (decision === 'always' && !facts.localReadOnly)) return null
  const pending = new Map(state.pending)
  pending.delete(callId)
  const grants = decision === 'always' ? new Set(state.grants).add(grantKey(facts)) : state.grants
  return { state: { grants, pending }, allowed: decision !== 'refuse' }
}

/** Removes a pending call that was stopped. */
export function withdrawCall(state: ConsentState, callId: string): ConsentState {
  if (!state.pending.has(callId)) return state
  const pending = new Map(state.pending)
  pending.delete(callId)
  return { ...state, pending }
}

/** Ends every "always" of a server, because it was changed or removed. Pending calls of it are withdrawn. */
export function revokeServer(state: ConsentState, serverId: string): ConsentState {
  const prefix = `${JSON.stringify(serverId)},`
  return {
    grants: new Set([...state.grants].filter((key) => !key.startsWith(`[${prefix}`))),
    pending: new Map([...state.pending].filter(([, facts]) => facts.serverId !== serverId)),
  }
}

/** "Always" holds for one conversation, so it never crosses to another one, private or not. */
function grantKey({ serverId, serverDigest, tool, definitionDigest, conversationId }: CallFacts): string {
  return JSON.stringify([serverId, serverDigest, tool, definitionDigest, conversationId])
}

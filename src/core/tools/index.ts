import { createHash } from 'node:crypto'
import { SottoError } from '../../shared/errors.ts'
import { isJsonObject, type JsonObject } from '../../shared/strict-json.ts'
import { builtInTools, type destinations, type ToolStep } from '../../shared/tool-call.ts'
import type { Store } from '../storage/index.ts'
import { offersOf, toFunction, type BuiltInPorts, type Offered, type ToolScope } from './built-in-offers.ts'
import {
  decideCall,
  noConsent,
  requestConsent,
  revokeServer,
  withdrawCall,
  type CallFacts,
  type ConsentDecision,
} from './consent.ts'
import { KeyCalls } from './key-calls.ts'
import { runToolLoop, type LoopPlace, type LoopPorts } from './loop.ts'
import { ServerTokens, type SecretStore } from './remote/server-tokens.ts'
import type { ToolResult } from './tool-result.ts'
import { ToolServers, type RunningServer, type ToolServersOptions } from './tool-servers.ts'

export type { ToolScope } from './built-in-offers.ts'
export type { RequestedCall, RoundAnswer } from './loop.ts'
export type { ImageMaker, ImageOffer } from './make-image.ts'
export type { FoundPage } from './tool-result.ts'
export type { WebSearch } from './web-search.ts'

/** One answer that may call tools. */
export interface ToolTurn extends LoopPlace {
  /** The store of the conversation, which is in memory for a temporary one. */
  readonly journal: Pick<Store['tools'], 'putCall'>
  readonly request: LoopPorts['request']
  readonly requireBudget: LoopPorts['requireBudget']
  readonly acceptsImages: boolean
  /** The journal of an answer that ended early, to continue it. */
  readonly earlier?: readonly ToolStep[]
  /** Each change of a call, after it's in the journal. */
  readonly onStep: (step: ToolStep) => void
  /** What each tool answered. */
  readonly onResult: (result: ToolResult) => void
  readonly explainUnknown?: LoopPorts['explainUnknown']
  readonly signal: AbortSignal
}

/** The tools of one answer, whose servers run. */
export interface PreparedTools {
  /** In OpenAI's format, for the body of each request. */
  readonly definitions: JsonObject[]
  /** Runs the loop. Throws as runToolLoop does. */
  run(turn: ToolTurn): Promise<void>
}

export interface Tools extends AsyncDisposable {
  readonly servers: ToolServers
  /** The calls of local keys that wait for a decision. */
  readonly keyCalls: KeyCalls
  /**
   * Starts the servers among the sources.
   * @param sources names of built-in tools, and IDs of servers. One that was removed is skipped.
   * @param prefix of the names that the model sees; none by default
   * @throws {SottoError} tools/program-changed, tools/server-failed
   */
  prepare(sources: readonly string[], scope: ToolScope, prefix?: string): Promise<PreparedTools>
  /**
   * Decides a call that waits.
   * @throws {SottoError} tools/call-unknown, tools/no-always – the call then still waits
   */
  decide(callId: string, decision: ConsentDecision): void
}

export interface ToolsOptions extends Omit<ToolServersOptions, 'onChange' | 'remote'>, BuiltInPorts {
  /** Where the tokens of servers at an address are stored. */
  readonly secrets: SecretStore
}

/** Creates the tools of an unlocked core. Consents are in memory and end with it. */
export function createTools(options: ToolsOptions): Tools {
  let consents = noConsent
  const waiting = new Map<string, (allowed: boolean) => void>()
  const { fetch, now, secrets } = options
  const servers = new ToolServers({
    ...options,
    remote: { fetch, now, tokens: new ServerTokens(secrets, now) },
    onChange: (serverId) => {
      for (const [callId, facts] of consents.pending)
        if (facts.serverId === serverId) waiting.get(callId)?.(false)
      consents = revokeServer(consents, serverId)
    },
  })

  async function offerServer({ record, session, tools }: RunningServer): Promise<[string, Offered][]> {
    const networkOff = await servers.hasNoNetwork(record)
    return tools.map((definition) => [
      definition.functionName,
      {
        definition: toFunction(definition.functionName, definition.description, definition.parameters),
        pure: false,
        tool: {
          kind: 'server',
          sourceId: record.id,
          sourceName: record.name,
          name: definition.name,
          programDigest: record.programDigest,
          definitionDigest: definition.digest,
          ...placeOf(record, networkOff),
          mayAlways: record.readOnly && networkOff,
        },
        run: (args, signal) => session.call(definition.name, args, signal),
      },
    ])
  }

  async function allows(step: ToolStep, pure: boolean, turn: ToolTurn): Promise<boolean> {
    if (!step.tool) return false
    const facts: CallFacts = {
      callId: step.id,
      conversationId: turn.conversationId,
      serverId: step.tool.sourceId,
      serverDigest: step.tool.programDigest,
      tool: step.tool.name,
      definitionDigest: step.tool.definitionDigest,
      argumentsDigest: createHash('sha256').update(step.arguments).digest('hex'),
      localReadOnly: step.tool.mayAlways,
      pure,
    }
    const { state, answer } = requestConsent(consents, facts)
    consents = state
    if (answer === 'allowed') return true
    const { signal } = turn
    try {
      return await new Promise<boolean>((resolve, reject) => {
        const stopped = (): void => reject(new SottoError('request/canceled'))
        if (signal.aborted) return stopped()
        signal.addEventListener('abort', stopped, { once: true })
        waiting.set(step.id, (allowed) => {
          signal.removeEventListener('abort', stopped)
          resolve(allowed)
        })
        turn.onStep(step)
      })
    } finally {
      waiting.delete(step.id)
      consents = withdrawCall(consents, step.id)
    }
  }

  return {
    servers,
    keyCalls: new KeyCalls(),
    async prepare(sources, scope, prefix = '') {
      const known = new Set(options.store.tools.servers().map(({ id }) => id))
      const offered = new Map<string, Offered>(
        builtInTools
          .filter((name) => sources.includes(name))
          .flatMap((name) => offersOf(name, scope, options))
          .map(([name, offer]) => [prefix + name, withPrefix(offer, prefix)]),
      )
      for (const id of sources.filter((source) => known.has(source)))
        for (const [name, each] of await offerServer(await servers.start(id))) offered.set(name, each)
      if (scope.localOnly)
        for (const [name, { tool }] of offered) if (!STAYS_LOCAL.has(tool.sendsTo)) offered.delete(name)
      return {
        definitions: [...offered.values()].map(({ definition }) => definition),
        run: (turn) =>
          runToolLoop(
            {
              request: turn.request,
              find: (name, args) => {
                const each = offered.get(name)
                return each?.describe ? each.describe(args) : each?.tool
              },
              explainUnknown: turn.explainUnknown,
              allows: (step) => allows(step, offered.get(step.functionName)?.pure ?? false, turn),
              run: async (step, args) => {
                const each = offered.get(step.functionName)
                if (!each) throw new SottoError('tools/call-unknown')
                const result = await each.run(args, turn.signal, step)
                turn.onResult(result)
                return result
              },
              record: (step) => {
                turn.journal.putCall(step)
                if (step.state !== 'asked') turn.onStep(step)
              },
              requireBudget: turn.requireBudget,
              acceptsImages: turn.acceptsImages,
              now: options.now,
              signal: turn.signal,
            },
            turn,
            turn.earlier,
          ),
      }
    },
    decide(callId, decision) {
      const facts = consents.pending.get(callId)
      const decide = waiting.get(callId)
      if (!facts || !decide) throw new SottoError('tools/call-unknown')
      const decided = decideCall(consents, callId, decision)
      if (!decided) throw new SottoError('tools/no-always')
      consents = decided.state
      decide(decided.allowed)
    },
    [Symbol.asyncDispose]: () => servers[Symbol.asyncDispose](),
  }
}

/** Its definition has the name that the model sees; the digest of a consent is that of the tool. */
function withPrefix(offer: Offered, prefix: string): Offered {
  const called = offer.definition['function']
  if (prefix === '' || !isJsonObject(called) || typeof called['name'] !== 'string') return offer
  return {
    ...offer,
    definition: { ...offer.definition, function: { ...called, name: prefix + called['name'] } },
  }
}

/** Where the arguments for a server go. */
function placeOf(
  { address }: RunningServer['record'],
  networkOff: boolean,
): Pick<NonNullable<ToolStep['tool']>, 'sendsTo' | 'host'> {
  if (address !== undefined) return { sendsTo: 'host', host: new URL(address).host }
  return { sendsTo: networkOff ? 'program' : 'program-with-network' }
}

/** Destinations from which nothing can leave this computer, except to the model. */
const STAYS_LOCAL: ReadonlySet<(typeof destinations)[number]> = new Set(['nowhere', 'project', 'program'])

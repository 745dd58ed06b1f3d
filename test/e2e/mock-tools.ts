import { implement } from '@orpc/server'
import { contract } from '../../src/shared/contract/sotto-contract.ts'
import type { ToolServerView } from '../../src/shared/contract/tools.ts'
import type { KeyCall, ToolStep } from '../../src/shared/tool-call.ts'
import type { ErrorCode } from '../../src/shared/error-codes.ts'

/** Tools of the mock core. */
export interface MockTools {
  servers: ToolServerView[]
  /** What each chat may use. */
  readonly chosen: Map<string, string[]>
  /** The journal of every answer. */
  steps: ToolStep[]
  /** The decisions in their order. */
  /** The calls of local keys that wait. */
  keyCalls: KeyCall[]
  /** Ends a sign-in: with a code, or undefined for success. */
  readonly signedIn: PromiseWithResolvers<ErrorCode | undefined>
  readonly decisions: { readonly callId: string; readonly decision: string }[]
}

export function mockTools(): MockTools {
  return {
    servers: [],
    chosen: new Map(),
    steps: [],
    keyCalls: [],
    signedIn: Promise.withResolvers(),
    decisions: [],
  }
}

/** The handlers of the contract's area. The page tests start no program, so a server can't be added or started. */
export function mockToolsArea(tools: () => MockTools, refuse: (code: ErrorCode) => never) {
  const os = implement(contract).tools
  return {
    servers: os.servers.handler(() => tools().servers),
    addServer: os.addServer.handler(() => refuse('tools/command-unknown')),
    removeServer: os.removeServer.handler(({ input: { serverId } }) => {
      const before = tools().servers
      tools().servers = before.filter(({ id }) => id !== serverId)
      return { removed: tools().servers.length < before.length }
    }),
    acceptServer: os.acceptServer.handler(() => refuse('tools/server-unknown')),
    signIn: os.signIn.handler(async function* ({ input: { serverId } }) {
      const server = tools().servers.find(({ id }) => id === serverId)
      if (!server) refuse('tools/server-unknown')
      yield { type: 'open', address: `https://sign-in.example/authorize?server=${serverId}` }
      const code = await tools().signedIn.promise
      if (code !== undefined) refuse(code)
      const { failure: _, ...rest } = server
      const running: ToolServerView = { ...rest, state: 'running' }
      tools().servers = tools().servers.map((each) => (each.id === serverId ? running : each))
      yield { type: 'ended', server: running }
    }),
    startServer: os.startServer.handler(() => refuse('tools/server-unknown')),
    chosen: os.chosen.handler(({ input }) => ({ sources: tools().chosen.get(input.conversationId) ?? [] })),
    choose: os.choose.handler(({ input: { conversationId, sources } }) => {
      tools().chosen.set(conversationId, sources)
      return { sources }
    }),
    decide: os.decide.handler(({ input }) => {
      tools().decisions.push(input)
      tools().keyCalls = tools().keyCalls.filter(({ step }) => step.id !== input.callId)
    }),
    // The list as it is now. A window that reconnects gets it again.
    keyCalls: os.keyCalls.handler(async function* ({ signal }) {
      let shown = -1
      while (signal?.aborted !== true) {
        const { keyCalls } = tools()
        if (keyCalls.length !== shown) yield keyCalls
        shown = keyCalls.length
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }),
    steps: os.steps.handler(() => tools().steps),
  }
}

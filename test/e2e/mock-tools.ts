import { implement } from '@orpc/server'
import { contract } from '../../src/shared/contract/sotto-contract.ts'
import type { ToolServerView } from '../../src/shared/contract/tools.ts'
import type { ToolStep } from '../../src/shared/tool-call.ts'
import type { ErrorCode } from '../../src/shared/error-codes.ts'

/** Tools of the mock core. */
export interface MockTools {
  servers: ToolServerView[]
  /** What each chat may use. */
  readonly chosen: Map<string, string[]>
  /** The journal of every answer. */
  steps: ToolStep[]
  /** The decisions in their order. */
  readonly decisions: { readonly callId: string; readonly decision: string }[]
}

export function mockTools(): MockTools {
  return { servers: [], chosen: new Map(), steps: [], decisions: [] }
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
    signIn: os.signIn.handler(() => refuse('tools/server-unknown')),
    startServer: os.startServer.handler(() => refuse('tools/server-unknown')),
    chosen: os.chosen.handler(({ input }) => ({ sources: tools().chosen.get(input.conversationId) ?? [] })),
    choose: os.choose.handler(({ input: { conversationId, sources } }) => {
      tools().chosen.set(conversationId, sources)
      return { sources }
    }),
    decide: os.decide.handler(({ input }) => {
      tools().decisions.push(input)
    }),
    steps: os.steps.handler(() => tools().steps),
  }
}

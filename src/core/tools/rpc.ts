import { msg } from '../../shared/localized-text.ts'
import type { ToolServerRecord } from '../../shared/tool-call.ts'
import { confirmed, type Call } from '../app/confirm.ts'
import type { ApiContext } from '../rpc/context.ts'
import type { Implementer } from '../rpc/implementer.ts'
import { showInvisible } from './visible-text.ts'

/** Implements toolsContract. Throws vault/locked, confirm/…, conversation/unknown, and the errors of Tools. */
export function toolsArea(core: ApiContext, os: Implementer['tools']) {
  const servers = () => core.open().tools.servers
  /** A server is a program that runs as this user, so only a confirmation outside the window adds or changes one. */
  async function confirmProgram(record: ToolServerRecord, call: Call): Promise<void> {
    const command = showInvisible([record.command, ...record.args].join(' '))
    const values = { name: record.name, command, digest: record.programDigest.slice(0, 16) }
    await confirmed(
      core,
      (await servers().hasNoNetwork(record))
        ? msg(
            'Run the tool server {name} without network access? It can read your files. Program: {command} (SHA-256 {digest})',
            values,
          )
        : msg(
            'Run the tool server {name} with network access? It can read your files and send them anywhere. Program: {command} (SHA-256 {digest})',
            values,
          ),
      call,
    )
  }
  return {
    servers: os.servers.handler(() => servers().list()),
    addServer: os.addServer.handler(async ({ input, context, signal }) => {
      const record = await servers().propose(input)
      await confirmProgram(record, { context, signal })
      return servers().add(record)
    }),
    removeServer: os.removeServer.handler(async ({ input }) => ({
      removed: await servers().remove(input.serverId),
    })),
    acceptServer: os.acceptServer.handler(async ({ input, context, signal }) => {
      const record = await servers().proposeChange(input.serverId)
      await confirmProgram(record, { context, signal })
      return servers().accept(record)
    }),
    startServer: os.startServer.handler(async ({ input }) => {
      const { record } = await servers().start(input.serverId)
      return servers().view(record)
    }),
    chosen: os.chosen.handler(({ input: { conversationId } }) => {
      const { conversations } = core.open()
      conversations.get(conversationId)
      return { sources: conversations.recordsOf(conversationId).tools.chosen(conversationId) }
    }),
    choose: os.choose.handler(({ input: { conversationId, sources } }) => {
      const { conversations } = core.open()
      conversations.get(conversationId)
      conversations.recordsOf(conversationId).tools.choose(conversationId, sources)
      return { sources }
    }),
    decide: os.decide.handler(({ input }) => core.open().tools.decide(input.callId, input.decision)),
    steps: os.steps.handler(({ input: { conversationId, answerId } }) => {
      const { conversations } = core.open()
      conversations.get(conversationId)
      const steps = conversations.recordsOf(conversationId).tools.calls(answerId)
      return steps.filter((step) => step.conversationId === conversationId)
    }),
  }
}

import { msg } from '../../shared/localized-text.ts'
import type { ToolServerView } from '../../shared/contract/tools.ts'
import type { ToolServerRecord } from '../../shared/tool-call.ts'
import { confirmed, type Call } from '../app/confirm.ts'
import { eventsWithFailures } from '../rpc/failure.ts'
import type { ApiContext } from '../rpc/context.ts'
import type { Implementer } from '../rpc/implementer.ts'
import type { ToolServers } from './tool-servers.ts'
import { showInvisible } from './visible-text.ts'

/** For a call without a signal. */
const never = new AbortController().signal

/** Implements toolsContract. Throws vault/locked, confirm/…, conversation/unknown, and the errors of Tools. */
export function toolsArea(core: ApiContext, os: Implementer['tools']) {
  const servers = () => core.open().tools.servers
  /** What the tools of a server at an address get leaves this computer, so the confirmation shows its host. */
  async function confirmServer(record: ToolServerRecord, call: Call): Promise<void> {
    const { name, address } = record
    if (address === undefined) return confirmProgram(record, call)
    await confirmed(
      core,
      msg('Use the tool server {name} at {host}? What its tools get is sent to this address: {address}', {
        name,
        host: new URL(address).host,
        address: showInvisible(address),
      }),
      call,
    )
  }
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
      const record = 'address' in input ? servers().proposeRemote(input) : await servers().propose(input)
      await confirmServer(record, { context, signal })
      return servers().add(record)
    }),
    removeServer: os.removeServer.handler(async ({ input }) => ({
      removed: await servers().remove(input.serverId),
    })),
    acceptServer: os.acceptServer.handler(async ({ input, context, signal }) => {
      const record = await servers().proposeChange(input.serverId)
      await confirmServer(record, { context, signal })
      return servers().accept(record)
    }),
    signIn: os.signIn.handler(({ input: { serverId }, context, signal = never }) => {
      const { name } = servers().get(serverId)
      const confirmHost = (host: string): Promise<void> =>
        confirmed(
          core,
          msg('Sign in to the tool server {name} at {host}? Your browser opens a page of this host.', {
            name,
            host,
          }),
          { context, signal },
        )
      return eventsWithFailures(followSignIn(servers(), serverId, confirmHost, signal))
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
    keyCalls: os.keyCalls.handler(({ signal = never }) =>
      eventsWithFailures(core.open().tools.keyCalls.watch(signal)),
    ),
    steps: os.steps.handler(({ input: { conversationId, answerId } }) => {
      const { conversations } = core.open()
      conversations.get(conversationId)
      const steps = conversations.recordsOf(conversationId).tools.calls(answerId)
      return steps.filter((step) => step.conversationId === conversationId)
    }),
  }
}

type SignInEvent =
  | { readonly type: 'open'; readonly address: string }
  | { readonly type: 'ended'; readonly server: ToolServerView }

/** Ends the sign-in if the caller leaves. */
async function* followSignIn(
  servers: ToolServers,
  serverId: string,
  confirmHost: (host: string) => Promise<void>,
  signal: AbortSignal,
): AsyncGenerator<SignInEvent, void> {
  const left = new AbortController()
  const opened = Promise.withResolvers<string>()
  try {
    const ended = servers.signIn(serverId, {
      confirmHost,
      onOpen: opened.resolve,
      signal: AbortSignal.any([signal, left.signal]),
    })
    // A failure before the page is opened ends the sign-in.
    ended.catch(() => undefined)
    const address = await Promise.race([opened.promise, ended.then(() => undefined)])
    if (address !== undefined) yield { type: 'open', address }
    yield { type: 'ended', server: await ended }
  } finally {
    left.abort()
  }
}

import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { errorCodeNames } from '../error-codes.ts'
import { keyCallSchema, toolServerSchema, toolStepSchema } from '../tool-call.ts'
import { call, idSchema } from './call.ts'

const programInputSchema = toolServerSchema
  .pick({ name: true, args: true, network: true, readOnly: true })
  .extend({
    command: toolServerSchema.shape.command.min(1),
    environment: z
      .record(z.string().max(100), z.string().max(4000))
      .refine((variables) => Object.keys(variables).length <= 50),
  })
export type ToolServerInput = z.infer<typeof programInputSchema>
const remoteInputSchema = z.strictObject({
  name: toolServerSchema.shape.name,
  address: toolServerSchema.shape.address.unwrap(),
})

/** A server without the values of its environment. */
const serverViewSchema = toolServerSchema.omit({ environment: true, definitions: true }).extend({
  variables: z.array(z.string()),
  /** False if this system can't prevent the network, whatever was chosen. */
  networkOff: z.boolean(),
  state: z.enum(['stopped', 'running', 'failed']),
  failure: z.enum(errorCodeNames).optional(),
  tools: z.array(z.object({ name: z.string(), description: z.string() })),
  /** Tools whose definition changed or is new. They aren't offered until the change is accepted. */
  changedTools: z.array(z.string()),
  /** Definitions that are malformed, too large or ambiguous. */
  skippedTools: z.number(),
})
export type ToolServerView = z.infer<typeof serverViewSchema>

/** Names of built-in tools, and IDs of servers. */
export const toolSourcesSchema = z.array(idSchema).max(26)

const ofServer = z.object({ serverId: idSchema })

export const toolsContract = {
  servers: call.output(z.array(serverViewSchema)),
  /**
   * Needs a confirmation outside the window, because it runs a program, or because what its tools get leaves this computer. Throws
   * tools/…, confirm/….
   */
  addServer: call.input(z.union([programInputSchema, remoteInputSchema])).output(serverViewSchema),
  removeServer: call.input(ofServer).output(z.object({ removed: z.boolean() })),
  /** Accepts the changed program and definitions of a server, with a confirmation outside the window. */
  acceptServer: call.input(ofServer).output(serverViewSchema),
  /**
   * Signs in at a server with an address, until the call is left. `open` is the page of the sign-in, which has no token. Its host is
   * confirmed outside the window. Throws tools/sign-in-…, confirm/….
   */
  signIn: call
    .input(ofServer)
    .output(
      eventIterator(
        z.discriminatedUnion('type', [
          z.object({ type: z.literal('open'), address: z.string().max(8000) }),
          z.object({ type: z.literal('ended'), server: serverViewSchema }),
        ]),
      ),
    ),
  /** Starts the server if it doesn't run, and lists its tools. */
  startServer: call.input(ofServer).output(serverViewSchema),
  /** The tools that a chat may use. `chat.send` with `tools` sets them, too. */
  chosen: call
    .input(z.object({ conversationId: idSchema }))
    .output(z.object({ sources: z.array(z.string()) })),
  choose: call
    .input(z.object({ conversationId: idSchema, sources: toolSourcesSchema }))
    .output(z.object({ sources: z.array(z.string()) })),
  /**
   * Decides a call that waits. `always` holds for this tool in this chat, and exists only for a server that
   * only reads on this computer and has no network. Throws tools/call-unknown, tools/no-always.
   */
  decide: call.input(
    z.object({ callId: z.string().min(1).max(100), decision: z.enum(['once', 'always', 'refuse']) }),
  ),
  /**
   * The calls of local keys that wait for `decide`: all of them first, and again after each change. While nobody
   * follows this list, no window is open, so such calls are refused.
   */
  keyCalls: call.output(eventIterator(z.array(keyCallSchema))),
  /** The journal of an answer. */
  steps: call
    .input(z.object({ conversationId: idSchema, answerId: idSchema }))
    .output(z.array(toolStepSchema)),
}

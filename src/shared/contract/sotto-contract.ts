import { eventIterator, oc } from '@orpc/contract'
import { z } from 'zod'
import { conversationSchema, messageSchema } from '../conversation.ts'
import { modelSchema } from '../model.ts'
import { serviceChoiceSchema } from '../profile.ts'
import { receiptSchema } from '../receipt.ts'
import { sandboxFaults, type SandboxFault } from '../sandbox-faults.ts'
import { statusSchema } from '../status.ts'
import { verdictSchema } from '../verdict.ts'

/** A coded failure as it crosses to the window: enough to explain itself and nothing that is secret. */
export const failureSchema = z.object({
  code: z.string(),
  says: z.string(),
  remedy: z.string(),
  detail: z.string().optional(),
  step: z.string().optional(),
  stepCode: z.string().optional(),
  receiptId: z.string().optional(),
})
export type Failure = z.infer<typeof failureSchema>

/** The one declared error of every call. */
const call = oc.errors({ SOTTO: { status: 422, data: failureSchema } })

const id = z.string().min(1).max(64)
const faultSchema = z.string().refine((name): name is SandboxFault => Object.hasOwn(sandboxFaults, name))

export const chatEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('started'), conversation: conversationSchema, userMessage: messageSchema, answer: messageSchema }),
  /** What is being waited for. */
  z.object({ type: z.literal('stage'), stage: z.enum(['proving', 'sealing', 'sending', 'waiting']) }),
  z.object({ type: z.literal('delta'), text: z.string().optional(), reasoning: z.string().optional() }),
  /** The answer as stored, with its privacy and receipt; `failure` where it did not complete. */
  z.object({ type: z.literal('ended'), answer: messageSchema, receipt: receiptSchema.optional(), failure: failureSchema.optional() }),
])
export type ChatEvent = z.infer<typeof chatEventSchema>

export const localApiSchema = z.object({ baseUrl: z.string(), key: z.string(), exampleModel: z.string() })

/** Everything that the window, or a command, can ask of the core. */
export const contract = {
  app: {
    status: call.output(statusSchema),
    acknowledge: call.input(z.object({ noticeId: id })).output(statusSchema),
    /** A way to start was chosen; the first-start screen does not come back. */
    begin: call.output(statusSchema),
  },
  vault: {
    unlock: call.input(z.object({ passphrase: z.string().min(1).max(1024) })).output(statusSchema),
    /** First passphrase of a file vault, once there is something worth keeping. */
    protect: call.input(z.object({ passphrase: z.string().min(8).max(1024) })).output(statusSchema),
  },
  confirmations: {
    /** The question that waits for an answer outside the window, or null. Never carries the code. */
    pending: call.output(z.object({ id, says: z.string() }).nullable()),
    answer: call.input(z.object({ id, code: z.string().min(1).max(16) })).output(z.object({ accepted: z.boolean() })),
  },
  profiles: {
    list: call.output(z.array(serviceChoiceSchema)),
    /** Asks for confirmation outside the window. */
    choose: call.input(z.object({ profileId: id })).output(statusSchema),
  },
  accounts: {
    connect: call.input(z.object({ apiKey: z.string().min(8).max(200), creditId: z.string().min(8).max(200).optional() })).output(statusSchema),
    create: call.output(statusSchema),
    disconnect: call.output(statusSchema),
    balance: call.output(z.object({ picoUsd: z.string() })),
  },
  models: { list: call.output(z.array(modelSchema)) },
  chat: {
    send: call
      .input(z.object({ conversationId: id.optional(), model: z.string().min(1).max(200), text: z.string().min(1).max(4_000_000) }))
      .output(eventIterator(chatEventSchema)),
  },
  conversations: {
    list: call.output(z.array(conversationSchema)),
    get: call.input(z.object({ conversationId: id })).output(z.object({ conversation: conversationSchema, messages: z.array(messageSchema) })),
    rename: call.input(z.object({ conversationId: id, title: z.string().min(1).max(200) })).output(conversationSchema),
    remove: call.input(z.object({ conversationId: id })).output(z.object({ removed: z.boolean() })),
  },
  privacy: {
    /** The verdict in force or the last one made; null before the first. */
    current: call.output(verdictSchema.nullable()),
    /** Fetches evidence and judges it now. A refused verdict is a value here, and never an error. */
    verify: call.output(verdictSchema),
    /** Consent to an enclave that runs an older release than the newest accepted. Asks for confirmation outside the window. */
    acceptOlderRelease: call.input(z.object({ digest: z.string().max(128) })).output(verdictSchema),
  },
  receipts: {
    list: call.input(z.object({ limit: z.int().min(1).max(500).default(100) })).output(z.array(receiptSchema)),
    get: call.input(z.object({ receiptId: id })).output(receiptSchema),
  },
  localApi: { get: call.output(localApiSchema) },
  sandbox: {
    faults: call.output(z.array(faultSchema)),
    setFault: call.input(z.object({ fault: faultSchema, on: z.boolean() })).output(z.array(faultSchema)),
  },
}

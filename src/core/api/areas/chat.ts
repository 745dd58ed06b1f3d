import { regenerateChat, sendChat } from '../chat.ts'
import { countTokens } from '../count-tokens.ts'
import type { ApiContext } from '../context.ts'
import { eventsWithFailures } from '../failure.ts'
import type { Implementer } from '../implementer.ts'

/**
 * Answers chatContract. Leaving the stream stops the answer upstream. What is wrong before the turn is stored is thrown (vault/locked,
 * conversation/…, attachment/…, privacy/…); what fails afterwards is told in the event `ended`.
 */
export function chatArea(core: ApiContext, os: Implementer['chat']) {
  return {
    send: os.send.handler(({ input, signal, context }) =>
      eventsWithFailures(sendChat(core.open(), input, signal, context.caller.kind)),
    ),
    regenerate: os.regenerate.handler(({ input, signal, context }) =>
      eventsWithFailures(regenerateChat(core.open(), input, signal, context.caller.kind)),
    ),
    countTokens: os.countTokens.handler(async ({ input, signal }) => ({
      tokens: await countTokens(core.open(), input, signal),
    })),
  }
}

import {
  beginCompletion,
  chatCredentials,
  completeAtOnce,
  interruptionOf,
  modelRefusal,
  serveCompletion,
  type Question,
} from '../chat/serve-completion.ts'
import { chatRequestSchema, type ChatRequest } from '../chat/request.ts'
import { gatewayDialect } from '../dialect.ts'
import type { AccountPayer } from '../ledger/record.ts'
import { isPrivate, publicChatModel } from '../models.ts'
import { faultRefusal, gatewayRefusal, type Answer } from '../refusal.ts'
import { accountRoute, bare, type Arrived, type Route } from '../route/route.ts'
import type { ServiceContext } from '../service-context.ts'

const completions = accountRoute({
  ...bare,
  method: 'POST',
  path: '/v1/chat/completions',
  bothForms: true,
  tag: 'Chat',
  summary: 'Complete a chat, whole or streamed as server-sent events',
  answers: {
    200: { description: 'A chat.completion, or its chunks followed by [DONE]' },
    402: { description: 'The balance or the cap of the key is too low' },
    404: { description: 'No such model' },
  },
  dialect: gatewayDialect,
  takes: chatCredentials,
  input: chatRequestSchema,
  serve: (context, call) => complete(context, call.input, call),
})

/** Chat in the open: the service reads it. Its switches of failure come before the credential. */
export const chatRoutes: readonly Route[] = [
  {
    ...completions,
    handle: (context, arrived) => faultRefusal(context.faults) ?? completions.handle(context, arrived),
  },
]

function complete(
  context: ServiceContext,
  request: ChatRequest,
  { http, signal, payer }: Arrived & { readonly payer: AccountPayer },
): Answer {
  if (isPrivate(request.model))
    return gatewayRefusal(
      400,
      'private/ models must be called through a local proxy that encrypts to the enclave',
    )
  const model = publicChatModel(request.model)
  if (!model) return gatewayRefusal(404, `Unknown model: ${request.model}`)
  const refusal = modelRefusal(request, model)
  if (refusal) return refusal
  const question: Question = { request, model, modelId: model.id, payer, headers: http.headers }
  if (context.pace === 'none' && request.stream !== true && !interruptionOf(context)) {
    const body = completeAtOnce(context, question)
    return typeof body === 'string'
      ? { status: 200, contentType: 'application/json; charset=utf-8', body }
      : body.refusal
  }
  const begun = beginCompletion(context, question)
  return 'refusal' in begun
    ? begun.refusal
    : (response) => serveCompletion(context, begun, { response, signal })
}

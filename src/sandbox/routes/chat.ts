import type { FastifyInstance } from 'fastify'
import type { Arrivals } from '../arrival.ts'
import { creditRefusal, modelRefusal, parseChatRequest, serveCompletion, type ChatContext } from '../chat/serve-completion.ts'
import { authenticate } from '../credential.ts'
import { isPrivate, publicChatModel } from '../models.ts'
import { faultRefusal, gatewayRefusal } from '../refusal.ts'
import { bodyOf, hijacked, refuse } from './http.ts'

/** Chat in the open: the service reads it. */
export function chatRoutes(app: FastifyInstance, context: ChatContext, arrivals: Arrivals): void {
  for (const path of ['/chat/completions', '/v1/chat/completions']) {
    app.post(path, async (http, reply) => {
      const fault = faultRefusal(context.faults)
      if (fault) return refuse(reply, fault)
      const who = authenticate(http.headers, context.ledger)
      if ('refusal' in who) return refuse(reply, who.refusal)
      const parsed = parseChatRequest(bodyOf(http))
      if ('refusal' in parsed) return refuse(reply, parsed.refusal)
      const { request } = parsed
      if (isPrivate(request.model)) return refuse(reply, gatewayRefusal(400, 'private/ models must be called through a local proxy that encrypts to the enclave'))
      const model = publicChatModel(request.model)
      if (!model) return refuse(reply, gatewayRefusal(404, `Unknown model: ${request.model}`))
      const refusal = modelRefusal(request, model) ?? creditRefusal(request, model, who.account)
      if (refusal) return refuse(reply, refusal)
      const { signal } = arrivals.of(http.raw)
      return hijacked(reply, (response) => serveCompletion(context, { request, model, modelId: model.id, account: who.account, response, signal }))
    })
  }
}

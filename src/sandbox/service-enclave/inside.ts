import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { halves } from '../answer.ts'
import { parseChatRequest } from '../chat/request.ts'
import {
  beginCompletion,
  chatCredentials,
  modelRefusal,
  serveCompletion,
  type ChatContext,
  type Question,
} from '../chat/serve-completion.ts'
import { authenticate, showsCredential } from '../credential.ts'
import { gatewayDialect } from '../dialect.ts'
import { decryptFirstFrame, SealedRequestError, type DecryptedRequest } from '../ehbp/exchange.ts'
import type { FaultSwitches } from '../faults.ts'
import { isPrivate, publicChatModel } from '../models.ts'
import { gatewayRefusal, json, type Refusal } from '../refusal.ts'
import type { Roots } from '../world/roots.ts'
import {
  mintServiceEnclaveEvidence,
  type ServiceEnclaveEvidence,
  ServiceEnclaveKeys,
} from '../world/service-enclave/evidence.ts'
import { publishedImage, unpublishedImage } from '../world/service-enclave/image-record.ts'
import {
  mintRequestId,
  receiptComments,
  receiptHeaders,
  requestIdOf,
  routeOf,
  signReceipt,
  type RequestId,
  type Route,
  type SignedReceipt,
} from '../world/service-enclave/routing-receipt.ts'

/** A request as the service's hosts pass it in: a sealed body is ciphertext to them. */
interface RelayedRequest {
  /** Missing if the body isn't sealed. The enclave accepts such a body without a word, as the real one does. */
  readonly encapsulatedKey: string | undefined
  readonly body: Buffer
  readonly headers: IncomingHttpHeaders
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal
}

/** The enclave's output: an unsealed refusal, or an answer written to the response. */
type RelayedAnswer = Refusal | ((response: ServerResponse) => Promise<void>)

// Refusals are unsealed, so their texts contain nothing of the body.
const modelRejected = json(400, {
  error: 'model_rejected_private_path',
  message: 'private/ models are not served on this path',
})
const requestInvalid = gatewayRefusal(400, 'The request is not a valid chat completion request')
const modelUnknown = gatewayRefusal(404, 'Unknown model')
const notDecrypted = gatewayRefusal(400, 'The request could not be decrypted')

const keepAlive = ': PPQ.AI PROCESSING\n\n'

/**
 * The inside of the service's enclave: only this part of the sandbox has its keys, and reads the content
 * sealed to them.
 */
export class ServiceEnclave {
  readonly #context: ChatContext
  readonly #keys = new ServiceEnclaveKeys()

  constructor(context: ChatContext) {
    this.#context = context
  }

  /** Proves the image and the keys. @param nonce echoed in the document @param roots AWS's, as far as this enclave needs them */
  attest(nonce: Uint8Array | null, roots: Pick<Roots, 'awsRoot' | 'awsRootKey'>): ServiceEnclaveEvidence {
    const { faults, now } = this.#context
    const image = faults.on('relay-other-image') ? unpublishedImage : publishedImage
    return mintServiceEnclaveEvidence({ roots, keys: this.#keys, image, nonce, now: now() })
  }

  /** Opens a request, asks the backend for authorization and price, and prepares the completion. */
  relay(request: RelayedRequest): RelayedAnswer {
    const { ledger, faults, now } = this.#context
    const { headers, signal } = request
    if (!showsCredential(headers, chatCredentials)) return gatewayDialect.missing
    if (faults.firstUse('relay-key-rotation')) this.#keys.rotateHpke()
    const opened = this.#open(request)
    if ('refusal' in opened) return opened.refusal
    const who = authenticate(headers, chatCredentials, gatewayDialect, ledger, now())
    if ('refusal' in who) return who.refusal
    const question = parseQuestion(opened.body)
    if ('refusal' in question) return question.refusal
    const begun = beginCompletion(this.#context, { ...question, payer: who.payer, headers })
    if ('refusal' in begun) return begun.refusal
    const streamed = question.request.stream === true
    const signed = issueReceipt(this.#context, this.#keys, {
      requestId: headers['x-request-id'],
      requestedModel: question.request.model,
      servedModel: question.model.id,
      streamed,
    })
    const sealer = opened.sealResponse?.()
    return (response) =>
      serveCompletion(this.#context, begun, {
        response,
        signal,
        keepAlive,
        ...(sealer && { sealer }),
        // Frames follow the pieces of an answer and not its lines, so a reader must join them.
        ...(signed && { beforeData: halves(receiptComments(signed)), headers: receiptHeaders(signed) }),
      })
  }

  #open({
    encapsulatedKey,
    body,
  }: RelayedRequest):
    | { readonly body: Buffer; readonly sealResponse?: DecryptedRequest['sealResponse'] }
    | { readonly refusal: Refusal } {
    if (encapsulatedKey === undefined) return { body }
    try {
      return decryptFirstFrame(encapsulatedKey, body, this.#keys.hpke)
    } catch (error) {
      if (!(error instanceof SealedRequestError)) throw error
      return { refusal: notDecrypted }
    }
  }
}

function parseQuestion(
  body: Buffer,
): Pick<Question, 'request' | 'model' | 'modelId'> | { readonly refusal: Refusal } {
  const parsed = parseChatRequest(body)
  if ('refusal' in parsed) return { refusal: requestInvalid }
  const request = parsed.value
  if (isPrivate(request.model)) return { refusal: modelRejected }
  const model = publicChatModel(request.model)
  if (!model) return { refusal: modelUnknown }
  return modelRefusal(request, model) ? { refusal: requestInvalid } : { request, model, modelId: model.id }
}

interface ServedRequest {
  /** The caller's `x-request-id`. */
  readonly requestId: string | readonly string[] | undefined
  readonly requestedModel: string
  /** The model whose answer is sent. */
  readonly servedModel: string
  readonly streamed: boolean
}

const otherModel = 'sandbox/cadenza-nano'
/** Under .example (RFC 2606), so it's no provider's. */
const foreignHost = 'upstream.another-sandbox.example'

/** Issues the receipt of one request, with the faults that are on. @returns undefined with the fault `relay-missing-receipt` */
function issueReceipt(
  { faults, now }: { readonly faults: FaultSwitches; readonly now: () => number },
  keys: ServiceEnclaveKeys,
  served: ServedRequest,
): SignedReceipt | undefined {
  if (faults.on('relay-missing-receipt')) return undefined
  const swapped = faults.on('relay-swapped-model')
  const servedModel = swapped ? otherModel : served.servedModel
  return signReceipt(
    {
      requestId: faults.on('relay-other-request') ? otherRequest() : requestIdOf(served.requestId),
      at: now(),
      requestedModel: served.requestedModel,
      route: routeWith(faults, routeOf(swapped ? otherModel : served.requestedModel)),
      servedModel: served.streamed ? servedModel : null,
    },
    (faults.on('relay-forged-receipt') ? keys.forger : keys.tls).privateKey,
  )
}

function routeWith(faults: FaultSwitches, route: Route): Route {
  return faults.on('relay-foreign-upstream') ? { ...route, upstream: foreignHost } : route
}

function otherRequest(): RequestId {
  return { id: mintRequestId(), source: 'client' }
}

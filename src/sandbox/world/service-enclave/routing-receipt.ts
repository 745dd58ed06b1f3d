import { randomBytes, sign, type KeyObject } from 'node:crypto'

/** The destination of a model's requests. */
export interface Route {
  readonly provider: string
  /** The host that the enclave connects to. */
  readonly upstream: string
  readonly route: 'direct' | 'openrouter'
  /** The host passes requests on to a provider that the enclave doesn't know. */
  readonly upstreamSelectsProvider: boolean
  /** The model, as this host names it. */
  readonly upstreamModel: string
}

const directHosts: Readonly<Record<string, { readonly provider: string; readonly upstream: string }>> = {
  anthropic: { provider: 'anthropic', upstream: 'api.anthropic.com' },
  openai: { provider: 'bedrock', upstream: 'bedrock-mantle.us-east-1.api.aws' },
  google: { provider: 'google', upstream: 'aiplatform.googleapis.com' },
  venice: { provider: 'venice', upstream: 'api.venice.ai' },
}

/** @param model `family/name`. A family without a host of its own goes to OpenRouter, under its full name. */
export function routeOf(model: string): Route {
  const [family = '', ...name] = model.split('/')
  const direct = Object.hasOwn(directHosts, family) ? directHosts[family] : undefined
  return direct
    ? { ...direct, route: 'direct', upstreamSelectsProvider: false, upstreamModel: name.join('/') }
    : {
        provider: 'openrouter',
        upstream: 'openrouter.ai',
        route: 'openrouter',
        upstreamSelectsProvider: true,
        upstreamModel: model,
      }
}

export interface RequestId {
  readonly id: string
  readonly source: 'client' | 'enclave'
}

/** Takes the caller's `x-request-id` if it's printable ASCII of at most 128 characters, and mints one otherwise. */
export function requestIdOf(header: string | readonly string[] | undefined): RequestId {
  return typeof header === 'string' && /^[\x20-\x7e]{1,128}$/.test(header)
    ? { id: header, source: 'client' }
    : { id: mintRequestId(), source: 'enclave' }
}

/** 32 hex digits. */
export function mintRequestId(): string {
  return randomBytes(16).toString('hex')
}

interface ReceiptFields {
  readonly requestId: RequestId
  /** Unix ms. */
  readonly at: number
  readonly requestedModel: string
  readonly route: Route
  /** The model that the provider's answer named. Headers are written before it's known: null. */
  readonly servedModel: string | null
}

/** A receipt as it's sent: the text of both parts. */
export interface SignedReceipt {
  readonly receipt: string
  readonly signature: string
}

/** Signs a receipt of version 2. @param key P-256 */
export function signReceipt(
  { requestId, at, requestedModel, route, servedModel }: ReceiptFields,
  key: KeyObject,
): SignedReceipt {
  const receipt = JSON.stringify({
    v: 2,
    request_id: requestId.id,
    request_id_source: requestId.source,
    issued_at: new Date(at).toISOString(),
    requested_model: requestedModel,
    upstream: route.upstream,
    upstream_model: route.upstreamModel,
    served_model: servedModel,
    route: route.route,
    provider: route.provider,
    upstream_status: 200,
    skipped: [],
    failed: [],
    upstream_selects_provider: route.upstreamSelectsProvider,
  })
  const sig = sign('sha256', Buffer.from(receipt), key).toString('base64')
  return { receipt, signature: JSON.stringify({ alg: 'ECDSA-SHA256', over: 'receipt_json_utf8', sig }) }
}

/** For an answer in one piece. */
export function receiptHeaders({ receipt, signature }: SignedReceipt): Readonly<Record<string, string>> {
  return {
    'Ppq-Routing-Receipt': Buffer.from(receipt).toString('base64'),
    'Ppq-Routing-Receipt-Sig': signature,
  }
}

/** For a stream: two comment lines of server-sent events. */
export function receiptComments({ receipt, signature }: SignedReceipt): string {
  return `: ppq-routing-receipt ${receipt}\n: ppq-routing-receipt-sig ${signature}\n\n`
}

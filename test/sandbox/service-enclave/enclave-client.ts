import { createHash, verify, X509Certificate, createPublicKey } from 'node:crypto'
import { decode, encode } from 'cborg'
import { Identity } from 'ehbp'
import { z } from 'zod'
import type { Sandbox } from '../../../src/sandbox/index.ts'

const hex32 = z.string().regex(/^[0-9a-f]{64}$/)
const evidenceSchema = z.strictObject({
  attestation_document_b64: z.base64(),
  hpke_public_key: hex32,
  cert_spki_sha256: hex32,
  cert_spki_der: z.base64(),
  format: z.literal('nsm-cose-sign1'),
})
export type Evidence = z.infer<typeof evidenceSchema>

const bytes = z.instanceof(Uint8Array).transform((value) => Buffer.from(value))
const signSchema = z.tuple([bytes, z.map(z.unknown(), z.unknown()), bytes, bytes])
const payloadSchema = z.strictObject({
  module_id: z.string(),
  digest: z.literal('SHA384'),
  timestamp: z.int(),
  pcrs: z.map(z.int(), bytes),
  certificate: bytes,
  cabundle: z.array(bytes),
  public_key: bytes,
  user_data: bytes,
  nonce: bytes.nullable(),
})

/** A document, taken apart without our verifier. */
export interface Document extends z.infer<typeof payloadSchema> {
  readonly header: Buffer
  readonly chain: readonly X509Certificate[]
  readonly signatureValid: boolean
}

export function readDocument({ attestation_document_b64: text }: Evidence): Document {
  const strict = {
    useMaps: true,
    rejectDuplicateMapKeys: true,
    strict: true,
    allowIndefinite: false,
  } as const
  const [header, , payload, signature] = signSchema.parse(decode(Buffer.from(text, 'base64'), strict))
  const fields = payloadSchema.parse(
    Object.fromEntries(z.map(z.string(), z.unknown()).parse(decode(payload, strict))),
  )
  const chain = [...fields.cabundle, fields.certificate].map((der) => new X509Certificate(der))
  const leaf = chain[chain.length - 1]
  const signed = Buffer.from(encode(['Signature1', header, new Uint8Array(), payload]))
  const signatureValid =
    leaf !== undefined &&
    verify('sha384', signed, { key: leaf.publicKey, dsaEncoding: 'ieee-p1363' }, signature)
  return { ...fields, header, chain, signatureValid }
}

export async function fetchEvidence(sandbox: Sandbox, query = ''): Promise<Evidence> {
  return evidenceSchema.parse(
    await (await fetch(`${sandbox.baseUrl}/service-enclave/attestation${query}`)).json(),
  )
}

export interface ChatOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly path?: string
  /** The enclave's key, in hex; fetched if missing. */
  readonly key?: string
  /** Put behind the sealed frame. */
  readonly after?: Uint8Array
  readonly signal?: AbortSignal
}

export interface ChatAnswer {
  readonly status: number
  readonly headers: Headers
  readonly sealed: boolean
  /** Opened if it was sealed. */
  readonly text: string
}

/** Seals a chat request to the enclave, and opens the answer if it has a nonce. */
export async function sealedChat(
  sandbox: Sandbox,
  body: string | object,
  { headers = {}, path = '/v1/chat/completions', key, after, signal }: ChatOptions = {},
): Promise<ChatAnswer> {
  const identity = await Identity.fromPublicKeyHex(key ?? (await fetchEvidence(sandbox)).hpke_public_key)
  const url = `${sandbox.baseUrl}/service-enclave${path}`
  const plain = new Request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const { request, context } = await identity.encryptRequestWithContext(plain)
  if (!context) throw new Error('nothing was sealed')
  const frames = Buffer.concat([Buffer.from(await request.arrayBuffer()), after ?? new Uint8Array()])
  const answer = await fetch(url, {
    method: 'POST',
    headers: request.headers,
    body: frames,
    ...(signal && { signal }),
  })
  const sealed = answer.headers.has('ehbp-response-nonce')
  const text = await (sealed ? await identity.decryptResponseWithContext(answer, context) : answer).text()
  return { status: answer.status, headers: answer.headers, sealed, text }
}

const receiptSchema = z.strictObject({
  v: z.literal(2),
  request_id: z.string(),
  request_id_source: z.enum(['client', 'enclave']),
  issued_at: z.iso.datetime(),
  requested_model: z.string(),
  upstream: z.string(),
  upstream_model: z.string(),
  served_model: z.string().nullable(),
  route: z.enum(['direct', 'openrouter']),
  provider: z.string(),
  upstream_status: z.literal(200),
  skipped: z.tuple([]),
  failed: z.tuple([]),
  upstream_selects_provider: z.boolean(),
})
const signatureSchema = z.strictObject({
  alg: z.literal('ECDSA-SHA256'),
  over: z.literal('receipt_json_utf8'),
  sig: z.base64(),
})

export interface ReadReceipt extends z.infer<typeof receiptSchema> {
  readonly signatureValid: boolean
}

/** The receipt of an answer, verified with the attested key; undefined if it has none. @throws if it has more than one, or it comes after data */
export function receiptOf({ text, headers }: ChatAnswer, evidence: Evidence): ReadReceipt | undefined {
  const [receipt, signature] = headers.get('content-type')?.startsWith('text/event-stream')
    ? inStream(text)
    : inHeaders(headers)
  if (receipt === undefined || signature === undefined) return undefined
  const spki = Buffer.from(evidence.cert_spki_der, 'base64')
  if (!createHash('sha256').update(spki).digest().equals(readDocument(evidence).user_data))
    throw new Error('the key is not attested')
  const { sig } = signatureSchema.parse(JSON.parse(signature))
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  return {
    ...receiptSchema.parse(JSON.parse(receipt)),
    signatureValid: verify('sha256', Buffer.from(receipt), key, Buffer.from(sig, 'base64')),
  }
}

function inStream(text: string): (string | undefined)[] {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => line.startsWith(': ppq-routing-receipt '))
  if (lines.filter((line) => line.startsWith(': ppq-routing-receipt ')).length > 1)
    throw new Error('two receipts')
  if (at < 0) return []
  if (at > lines.findIndex((line) => line.startsWith('data:'))) throw new Error('a receipt after data')
  return [
    lines[at]?.slice(': ppq-routing-receipt '.length),
    lines[at + 1]?.replace(/^: ppq-routing-receipt-sig /, ''),
  ]
}

function inHeaders(headers: Headers): (string | undefined)[] {
  const receipt = headers.get('ppq-routing-receipt')
  return [
    receipt === null ? undefined : Buffer.from(receipt, 'base64').toString('utf8'),
    headers.get('ppq-routing-receipt-sig') ?? undefined,
  ]
}

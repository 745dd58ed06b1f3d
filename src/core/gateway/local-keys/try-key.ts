import type { Model } from '../../../shared/model.ts'
import { z } from 'zod'
import { SottoError } from '../../../shared/errors.ts'
import type { Fetch } from '../../../shared/fetch.ts'
import { privacyWords } from '../../../shared/privacy.ts'
import type { Receipt } from '../../../shared/receipt.ts'
import { msg } from '../../../shared/localized-text.ts'
import { tryParseJson } from '../../../shared/strict-json.ts'
import {
  dialectPaths,
  TRIAL_QUESTION,
  TRIAL_TOKENS,
  type Dialect,
  type Trial,
} from '../../../shared/trial.ts'
import { readText } from '../service/http/body.ts'

const MOST_BYTES = 1024 * 1024
const SHOWN_CHARACTERS = 400

export interface TryOptions {
  readonly fetch: Fetch
  /** The proxy's base URL, with `/v1` at its end. */
  readonly baseUrl: string
  readonly secret: string
  readonly dialect: Dialect
  readonly model: string
  /** Waits until the receipt is written. */
  readonly receipt: (id: string) => Receipt | null
  readonly signal: AbortSignal | undefined
}

/**
 * Sends one small request to Sotto's own proxy with a local key. It passes the same guards, limits and budget
 * as a tool's request.
 * @throws {SottoError} proxy/internal – the proxy doesn't answer; request/canceled
 */
export async function tryKey({
  fetch,
  baseUrl,
  secret,
  dialect,
  model,
  receipt,
  signal,
}: TryOptions): Promise<Trial> {
  const started = performance.now()
  let status, body, headers
  try {
    const response = await fetch(new URL(dialectPaths[dialect], baseUrl).href, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...credential(dialect, secret),
      },
      body: JSON.stringify(question(dialect, model)),
      ...(signal && { signal }),
    })
    ;({ status, headers } = response)
    body = await readText(response.body, MOST_BYTES)
  } catch (cause) {
    if (signal?.aborted) throw new SottoError('request/canceled', { cause })
    throw new SottoError('proxy/internal', { detail: msg('Sotto’s local address didn’t respond.'), cause })
  }
  const answer = readAnswer(body)
  const receiptId = headers.get('x-sotto-receipt')
  const storedReceipt = receiptId === null ? null : receipt(receiptId)
  const privacy =
    z.enum(privacyWords).safeParse(headers.get('x-sotto-privacy')).data ?? storedReceipt?.privacy
  return {
    status,
    ...(privacy && { privacy }),
    ...(answer.text !== undefined && { text: answer.text.slice(0, SHOWN_CHARACTERS) }),
    ...(answer.error && { error: answer.error }),
    ...(storedReceipt && { receipt: storedReceipt }),
    durationMs: performance.now() - started,
  }
}

/** Returns the credential in the headers that clients of the dialect send. */
function credential(dialect: Dialect, secret: string): Record<string, string> {
  return dialect === 'messages'
    ? { 'x-api-key': secret, 'anthropic-version': '2023-06-01' }
    : { authorization: `Bearer ${secret}` }
}

function question(dialect: Dialect, model: string): object {
  const messages = [{ role: 'user', content: TRIAL_QUESTION }]
  switch (dialect) {
    case 'chat':
      return { model, messages, max_completion_tokens: TRIAL_TOKENS }
    case 'responses':
      return { model, input: TRIAL_QUESTION, max_output_tokens: TRIAL_TOKENS, store: false }
    case 'messages':
      return { model, messages, max_tokens: TRIAL_TOKENS }
  }
}

/** A part of the reply's text. Reasoning has other types of parts. */
const proseSchema = z.object({ type: z.enum(['text', 'output_text']), text: z.string() })
const prose = z
  .array(z.unknown())
  .transform((parts) => parts.map((part) => proseSchema.safeParse(part).data?.text ?? '').join(''))
const replyText = z.union([
  z
    .object({ choices: z.tuple([z.object({ message: z.object({ content: z.string() }) })], z.unknown()) })
    .transform(({ choices }) => choices[0].message.content),
  z
    .object({ output: z.array(z.object({ content: prose.default('') })) })
    .transform(({ output }) => output.map(({ content }) => content).join('')),
  z.object({ content: prose }).transform(({ content }) => content),
])
const refused = z
  .object({
    error: z.object({
      message: z.string(),
      code: z.string().optional(),
      details: z.object({ error_code: z.string() }).optional(),
    }),
  })
  .transform(({ error: { message, code, details } }) => ({ message, code: code ?? details?.error_code }))

/** Reads the shown members of an answer in any of the three dialects. The proxy has validated the rest. */
function readAnswer(body: string): { text?: string; error?: Exclude<Trial['error'], undefined> } {
  const json = tryParseJson(body)
  const { data: error } = refused.safeParse(json)
  if (error) return { error }
  const { data: text } = replyText.safeParse(json)
  return text === undefined ? {} : { text }
}

/** Returns the model for examples: a private one if there is one. */
export function exampleModel(models: readonly Model[]): string {
  return (models.find((model) => model.private) ?? models[0])?.id ?? 'private/model'
}

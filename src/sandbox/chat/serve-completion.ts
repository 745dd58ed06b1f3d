import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { halves, sendAnswer, type Interruption } from '../answer.ts'
import type { CredentialHeader } from '../credential.ts'
import { gatewayDialect } from '../dialect.ts'
import type { ResponseSealer } from '../ehbp/exchange.ts'
import type { FaultSwitches } from '../faults.ts'
import type { Charge, Ledger } from '../ledger/ledger.ts'
import { querySource, type AccountPayer, type Query } from '../ledger/record.ts'
import type { SandboxModel } from '../models.ts'
import { gatewayRefusal, type Refusal } from '../refusal.ts'
import type { Pace } from '../sandbox.ts'
import { type ContextLimit, planCompletion, type Plan } from './plan.ts'
import {
  brokenOff,
  completionEvents,
  completionJson,
  generatedJson,
  upstreamError,
  reported,
  type UsageReports,
} from './completion.ts'
import { generate } from './generate.ts'
import { attachmentsOf, type ChatRequest } from './request.ts'

/** The dependencies of every completion, on any route. */
export interface ChatContext {
  readonly ledger: Ledger
  readonly faults: FaultSwitches
  readonly now: () => number
  readonly pace: Pace
  readonly usage: UsageReports
  readonly contextLimit: ContextLimit
}

/** Why the model does not take this request, if it does not. */
export function modelRefusal(request: ChatRequest, model: SandboxModel): Refusal | undefined {
  const pictures = request.messages.some((message) =>
    attachmentsOf(message).some((part) => part.type === 'image_url'),
  )
  if (pictures && !model.input.includes('image'))
    return gatewayRefusal(400, `${model.id} does not take images`)
  const forced = typeof request.tool_choice === 'object' ? request.tool_choice?.function.name : undefined
  if (forced !== undefined && !request.tools?.some((tool) => tool.function.name === forced))
    return gatewayRefusal(400, `tool_choice names no tool: ${forced}`)
  return undefined
}

/** Chat takes an account by each of these (observed). */
export const chatCredentials: readonly CredentialHeader[] = ['authorization', 'x-api-key', 'x-credit-id']

export interface Question {
  readonly request: ChatRequest
  readonly model: SandboxModel
  /** The model's id as the answer names it. */
  readonly modelId: string
  readonly payer: AccountPayer
  readonly headers: IncomingHttpHeaders
}

/** A completion that is paid for as far as it will go, and not yet written. */
interface BegunCompletion {
  readonly request: ChatRequest
  readonly model: SandboxModel
  readonly plan: Plan
  readonly charge: Charge
}

/** Composes the answer and holds its price: what cannot be paid is refused before it is written. */
export function beginCompletion(
  context: ChatContext,
  question: Question,
): BegunCompletion | { readonly refusal: Refusal } {
  const { request, model } = question
  const at = context.now()
  const plan = planOf(context, question, at)
  const refusal = context.contextLimit.refusal(model, request, plan)
  if (refusal) return { refusal }
  const charge = context.ledger.open(question.payer, queryOf(question, at), priceOf(plan, model))
  return typeof charge === 'string'
    ? shortage(charge, priceOf(plan, model))
    : { request, model, plan, charge }
}

/** The same for an answer in one piece and without pauses: charged at once, in one transaction. */
export function completeAtOnce(
  context: ChatContext,
  question: Question,
): string | { readonly refusal: Refusal } {
  const { request, model } = question
  const at = context.now()
  const plan = planOf(context, question, at)
  const refusal = context.contextLimit.refusal(model, request, plan)
  if (refusal) return { refusal }
  const price = priceOf(plan, model)
  const charged = context.ledger.charge(question.payer, queryOf(question, at), price, {
    input: plan.inputTokens,
    output: plan.tokens.length,
  })
  return typeof charged === 'string' ? shortage(charged, price) : completionJson(plan)
}

function planOf({ usage }: ChatContext, { request, model, modelId }: Question, at: number): Plan {
  const plan = planCompletion(request, { id: modelId, name: model.name }, at)
  return {
    ...plan,
    reported: reported(usage.current, {
      prompt: plan.inputTokens,
      completion: plan.tokens.length,
      price: priceOf(plan, model),
    }),
  }
}

function priceOf(plan: Plan, model: SandboxModel): bigint {
  return promptPrice(plan, model) + BigInt(plan.tokens.length) * model.picoPerOutputToken
}

/** The amount due before the first token: the prompt, and the web search before it. */
function promptPrice(plan: Plan, model: SandboxModel): bigint {
  return plan.searchPicoUsd + BigInt(plan.inputTokens) * model.picoPerInputToken
}

function queryOf({ request, model, headers }: Question, at: number): Query {
  return {
    model: model.id,
    type: 'chat_completion',
    source: querySource(headers),
    online: request.plugins?.some((plugin) => plugin.id === 'web') ?? false,
    free: model.picoPerInputToken === 0n && model.picoPerOutputToken === 0n,
    at,
  }
}

function shortage(why: 'balance' | 'key-limit', price: bigint): { readonly refusal: Refusal } {
  return { refusal: why === 'balance' ? gatewayDialect.insufficient(price) : gatewayDialect.keyLimit }
}

interface CompletionJob {
  readonly response: ServerResponse
  readonly signal: AbortSignal
  readonly sealer?: ResponseSealer
  /** Whether to report the usage in plaintext headers, in addition to the sealed answer. */
  readonly usageInHeaders?: boolean
  /** The comment that keeps a stream alive; the sandbox's own if missing. */
  readonly keepAlive?: string
  /** Pieces that a stream has ahead of its first event. */
  readonly beforeData?: readonly string[]
  /** Headers of an answer in one piece. */
  readonly headers?: Readonly<Record<string, string>>
}

const interruptions = [
  'cut-inside-frame',
  'cut-on-frame-boundary',
  'stalled-stream',
] as const satisfies readonly Interruption[]

export function interruptionOf({ faults }: ChatContext): Interruption | undefined {
  return interruptions.find((fault) => faults.on(fault))
}

/**
 * Writes the answer and charges for it as it's generated. The rest of the reservation is released at the
 * end.
 */
export async function serveCompletion(
  context: ChatContext,
  begun: BegunCompletion,
  job: CompletionJob,
): Promise<void> {
  const { plan, charge } = begun
  job.signal.addEventListener(
    'abort',
    () => {
      try {
        charge.abort()
      } catch {
        // On a full disk it stays as it was last written. Thrown from here it would end the process.
      }
    },
    { once: true },
  )
  try {
    charge.spend(promptPrice(plan, begun.model), { input: plan.inputTokens })
    await writeCompletion(context, begun, job)
  } finally {
    charge.end()
  }
}

async function writeCompletion(
  context: ChatContext,
  { request, model, plan, charge }: BegunCompletion,
  job: CompletionJob,
): Promise<void> {
  const { response, signal, sealer, keepAlive, beforeData } = job
  const bursts = generate({ plan, model, charge, pace: context.pace, signal })
  const interruption = interruptionOf(context)
  const metrics = job.usageInHeaders ? { 'x-tinfoil-usage-metrics': usageMetrics(plan, model) } : undefined
  const failing = context.faults.on('error-inside-answer')
  if (request.stream === true) {
    return sendAnswer(response, {
      status: 200,
      headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
      pieces: (failing ? brokenOff : completionEvents)(plan, bursts, {
        includeUsage: request.stream_options?.include_usage === true,
        keepAlive,
        beforeData,
      }),
      sealer,
      interruption,
      interruptAfter: (context.pace === 'human' ? 5 : 4) + (beforeData?.length ?? 0),
      signal,
      ...(metrics && { trailers: metrics }),
    })
  }
  const body = failing ? JSON.stringify(upstreamError) : await generatedJson(plan, bursts)
  return sendAnswer(response, {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8', ...metrics, ...job.headers },
    pieces: interruption ? halves(body) : [body],
    sealer,
    interruption,
    interruptAfter: 1,
    signal,
  })
}

/**
 * `prompt=73,completion=12,…`: the values that the gateway may know, so that it can charge without reading
 * the content.
 */
function usageMetrics(plan: Plan, model: SandboxModel): string {
  const used = {
    prompt: plan.inputTokens,
    completion: plan.tokens.length,
    total: plan.inputTokens + plan.tokens.length,
    cached_prompt_tokens: 0,
  }
  const counts = Object.entries(used).map(([name, count]) => `${name}=${count}`)
  return [
    ...counts,
    `model=${plan.model}`,
    `cost_usd=${(Number(priceOf(plan, model)) / 1e12).toFixed(12)}`,
  ].join(',')
}

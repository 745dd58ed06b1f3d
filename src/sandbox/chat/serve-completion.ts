import type { ServerResponse } from 'node:http'
import { sendAnswer, type Interruption } from '../answer.ts'
import type { ResponseSealer } from '../ehbp/exchange.ts'
import type { FaultSwitches } from '../faults.ts'
import type { Account, Ledger } from '../ledger.ts'
import type { SandboxModel } from '../models.ts'
import { gatewayRefusal, insufficientCredit, type Refusal } from '../refusal.ts'
import type { Pace } from '../sandbox.ts'
import { completionEvents, completionJson } from './completion.ts'
import { generate } from './generate.ts'
import { planCompletion, type Plan } from './plan.ts'
import { attachmentsOf, chatRequestSchema, type ChatRequest } from './request.ts'
import { inputTokens } from './tokens.ts'

/** What every completion needs, whichever way it came. */
export interface ChatContext {
  readonly ledger: Ledger
  readonly faults: FaultSwitches
  readonly now: () => number
  readonly pace: Pace
}

export function parseChatRequest(body: Uint8Array): { readonly request: ChatRequest } | { readonly refusal: Refusal } {
  let parsed: unknown
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return { refusal: gatewayRefusal(400, 'The body is not valid JSON') }
  }
  const result = chatRequestSchema.safeParse(parsed)
  if (result.success) return { request: result.data }
  const [issue] = result.error.issues
  return { refusal: gatewayRefusal(400, `Invalid request: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'unexpected form'}`) }
}

/** Why the model does not take this request, if it does not. */
export function modelRefusal(request: ChatRequest, model: SandboxModel): Refusal | undefined {
  const pictures = request.messages.some((message) => attachmentsOf(message).some((part) => part.type === 'image_url'))
  if (pictures && !model.input.includes('image')) return gatewayRefusal(400, `${model.id} does not take images`)
  const forced = typeof request.tool_choice === 'object' ? request.tool_choice?.function.name : undefined
  if (forced !== undefined && !request.tools?.some((tool) => tool.function.name === forced)) return gatewayRefusal(400, `tool_choice names no tool: ${forced}`)
  return undefined
}

/** The account must cover the input; an answer may then run into the negative, as the service's does. */
export function creditRefusal(request: ChatRequest, model: SandboxModel, account: Account): Refusal | undefined {
  const least = BigInt(inputTokens(request)) * model.picoPerInputToken
  return account.picoUsd > 0n && account.picoUsd >= least ? undefined : insufficientCredit
}

export interface CompletionJob {
  readonly request: ChatRequest
  readonly model: SandboxModel
  /** The model's id as the answer names it. */
  readonly modelId: string
  readonly account: Account
  readonly response: ServerResponse
  readonly signal: AbortSignal
  readonly sealer?: ResponseSealer
  /** Tell what was used in the open, beside the sealed answer. */
  readonly usageInHeaders?: boolean
}

const interruptions = ['cut-inside-frame', 'cut-on-frame-boundary', 'stalled-stream'] as const satisfies readonly Interruption[]

/** Charges for the input, then writes the answer and charges for it as it is generated. */
export async function serveCompletion(context: ChatContext, job: CompletionJob): Promise<void> {
  const { request, model, account, response, signal, sealer } = job
  const at = context.now()
  const plan = planCompletion(request, { id: job.modelId, name: model.name }, at)
  const debit = context.ledger.debit(account, model.id, at, plan.inputTokens, BigInt(plan.inputTokens) * model.picoPerInputToken)
  signal.addEventListener('abort', () => debit.abort(), { once: true })
  const bursts = generate({ plan, model, debit, pace: context.pace, signal })
  const interruption = interruptions.find((fault) => context.faults.on(fault))
  const metrics = job.usageInHeaders ? { 'x-tinfoil-usage-metrics': usageMetrics(plan, model) } : undefined
  if (request.stream === true) {
    return sendAnswer(response, {
      status: 200,
      headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
      pieces: completionEvents(plan, bursts, request.stream_options?.include_usage === true),
      sealer, interruption, interruptAfter: context.pace === 'human' ? 5 : 4, signal,
      ...(metrics && { trailers: metrics }),
    })
  }
  const body = await completionJson(plan, bursts)
  return sendAnswer(response, {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8', ...metrics },
    pieces: interruption ? halves(body) : [body],
    sealer, interruption, interruptAfter: 1, signal,
  })
}

/** So that there is a boundary to be cut at. */
function halves(body: string): string[] {
  const middle = Math.floor(body.length / 2)
  return [body.slice(0, middle), body.slice(middle)]
}

/** `prompt=73,completion=12,…`: what the gateway may know, so that it can charge without reading. */
function usageMetrics(plan: Plan, model: SandboxModel): string {
  const pico = BigInt(plan.inputTokens) * model.picoPerInputToken + BigInt(plan.tokens.length) * model.picoPerOutputToken
  const used = { prompt: plan.inputTokens, completion: plan.tokens.length, total: plan.inputTokens + plan.tokens.length, cached_prompt_tokens: 0 }
  const counts = Object.entries(used).map(([name, count]) => `${name}=${count}`)
  return [...counts, `model=${plan.model}`, `cost_usd=${(Number(pico) / 1e12).toFixed(12)}`].join(',')
}

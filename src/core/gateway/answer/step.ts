import { z } from 'zod'
import { SottoError } from '../../../shared/errors.ts'
import { msg } from '../../../shared/localized-text.ts'
import type { JsonObject, JsonValue } from '../../../shared/strict-json.ts'
import type { TokenUsage } from '../../../shared/receipt.ts'
import { failureInside, hasError } from './failure-inside.ts'
import { readParts, type AnswerPart } from './parts.ts'
import { readSources, type Source } from './source.ts'
import { readUsage } from './usage.ts'

/** Some servers write a number or null into a member that they don't use. */
const lenientText = z
  .unknown()
  .transform((value) => (typeof value === 'string' ? value : undefined))
  .optional()

/** Some servers write an empty text, or the word null, while the choice continues. */
const finishReason = z
  .unknown()
  .transform((value) => (typeof value === 'string' && value !== '' && value !== 'null' ? value : undefined))
  .optional()

/** Some servers write the arguments of a whole call as an object. */
const argumentsText = z
  .union([z.string(), z.record(z.string(), z.unknown()).transform((value) => JSON.stringify(value))])
  .nullish()

/** Any value of an answer, which was parsed from JSON. It isn't examined, because it may be large. */
const anyJson = z.custom<JsonValue>(() => true)

/** A call of a tool that takes text instead of JSON. */
const customSchema = z.object({ name: lenientText, input: argumentsText }).catchall(anyJson)

const callSchema = z
  .object({
    index: z
      .unknown()
      .transform((value) => (Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined))
      .optional(),
    id: lenientText,
    type: z.unknown().optional(),
    function: z.object({ name: z.string().nullish(), arguments: argumentsText }).catchall(anyJson).nullish(),
    custom: z
      .unknown()
      .transform((value) => customSchema.safeParse(value).data)
      .optional(),
  })
  .catchall(anyJson)
  .transform(({ index, id, type: _, function: called, custom, ...others }): CallDelta => {
    const { name, arguments: args, ...functionRest } = called ?? {}
    const { name: customName, input, ...customRest } = custom ?? {}
    const [inFunction, inCustom] = [present(functionRest), present(customRest)]
    // Some servers write both, and leave one empty.
    const isCustom =
      !name && !args && [customName, input].some((text) => text !== undefined && text !== null && text !== '')
    const more: JsonObject = {
      ...present(others),
      ...(Object.keys(inFunction).length > 0 && { function: inFunction }),
      ...(Object.keys(inCustom).length > 0 && { custom: inCustom }),
    }
    return {
      index,
      id,
      function: called && { name, arguments: args },
      ...(isCustom && { custom: { name: customName, input } }),
      ...(Object.keys(more).length > 0 && { more }),
    }
  })

/** Some servers write null into the members that they don't use, in each piece. */
function present(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
}

/** A piece of a call. */
export interface CallDelta {
  readonly index?: number | undefined
  readonly id?: string | undefined
  readonly function?: { readonly name?: Maybe; readonly arguments?: Maybe } | null | undefined
  /** Of a tool that takes text instead of JSON. */
  readonly custom?: { readonly name?: Maybe; readonly input?: Maybe }
  /**
   * The members that Sotto doesn't use, in their places. Some models sign their calls in such a member, and refuse the
   * results of a call that comes back without it.
   */
  readonly more?: JsonObject
}
type Maybe = string | null | undefined

const messageSchema = z.looseObject({
  /** Text, or a list of parts. */
  content: z.union([z.string(), z.array(z.unknown()).max(10_000)]).nullish(),
  refusal: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
  reasoning_details: z.array(z.unknown()).nullish(),
  images: z.array(z.unknown()).max(1000).nullish(),
  audio: z.unknown().optional(),
  tool_calls: z.array(callSchema).max(1000).nullish(),
  annotations: z.unknown().optional(),
  citations: z.unknown().optional(),
})

const choiceSchema = z.looseObject({
  index: z.int().min(0).nullish(),
  delta: messageSchema.nullish(),
  message: messageSchema.nullish(),
  finish_reason: finishReason,
  /** Some servers state here which stop sequence ended the answer. */
  stop_reason: z.unknown().optional(),
  error: z.unknown().optional(),
})

const answerSchema = z.looseObject({
  model: lenientText,
  usage: z.unknown().optional(),
  error: z.unknown().optional(),
  choices: z.array(choiceSchema).max(1000).nullish(),
  citations: z.unknown().optional(),
  search_results: z.unknown().optional(),
})

/**
 * One step of an answer, or a whole answer as its only step. It describes the first choice: no interface here
 * requests more.
 */
export interface ChatStep {
  readonly model: string | undefined
  readonly text: string
  readonly refusal: string
  /**
   * Separate for each member that carries it. A server may write the same text into both members, so a reader
   * uses one of them.
   */
  readonly reasoning: { readonly reasoning_content: string; readonly reasoning: string }
  readonly calls: readonly CallDelta[]
  /** What isn't text: images, audio, and parts of unknown types. */
  readonly parts: readonly AnswerPart[]
  readonly sources: readonly Source[]
  readonly finishReason: string | undefined
  readonly stopReason: unknown
  readonly usage: TokenUsage | undefined
  /** The choices that end with this step. Only the caller of several choices needs more than the first. */
  readonly finished: readonly number[]
}

/**
 * Reads a `chat.completion.chunk` or a `chat.completion`.
 * @returns undefined if the value is neither
 * @throws {SottoError} service/response-invalid – a known member has an unreadable form; the error of
 * failureInside, if the answer contains one
 */
export function readStep(value: unknown): ChatStep | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  if ('error' in value && hasError(value.error)) throw failureInside(value.error)
  const read = answerSchema.safeParse(value)
  if (!read.success)
    throw new SottoError('service/response-invalid', {
      detail: msg('The response isn’t a chat completion.'),
      cause: read.error,
    })
  const { model, choices, usage, citations, search_results: results } = read.data
  const failed = choices?.find(({ error, finish_reason: reason }) => hasError(error) || reason === 'error')
  if (failed) throw failureInside(failed.error)
  const choice = choices?.find(({ index }) => (index ?? 0) === 0)
  const counted = readUsage(usage)
  if (!choices || (!choice && !counted && choices.length === 0))
    return counted && { ...EMPTY_STEP, model, usage: counted }
  const message = choice?.message ?? choice?.delta ?? {}
  const { text, reasoning, refusal, parts } = readParts(message)
  // In a whole answer each call has its own index.
  const calls = message.tool_calls ?? []
  return {
    model,
    text,
    refusal,
    reasoning: {
      reasoning_content: message.reasoning_content ?? '',
      reasoning: message.reasoning ?? reasoning,
    },
    calls: choice?.message ? calls.map((call, index) => ({ ...call, index })) : calls,
    parts,
    sources: [citations, results, message.annotations, message.citations].flatMap(readSources),
    finishReason: choice?.finish_reason,
    stopReason: choice?.stop_reason,
    usage: counted,
    finished: choices.flatMap(({ index, finish_reason: reason }) =>
      reason === undefined ? [] : [index ?? 0],
    ),
  }
}

const EMPTY_STEP: ChatStep = {
  model: undefined,
  text: '',
  refusal: '',
  reasoning: { reasoning_content: '', reasoning: '' },
  calls: [],
  parts: [],
  sources: [],
  finishReason: undefined,
  stopReason: undefined,
  usage: undefined,
  finished: [],
}

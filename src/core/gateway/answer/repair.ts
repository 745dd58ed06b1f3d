import { isRecord } from '../../../shared/strict-json.ts'
import { readParts } from './parts.ts'

type Members = Record<string, unknown>

/** How an answer may name the model. */
export interface AnsweredModel {
  /** The ID, which the answer keeps. */
  readonly id: string
  /** The name that the caller sent in its place. The answer has this name and no other. */
  readonly alias?: string | undefined
}

/**
 * Repairs what services write in another form than chat completions have, so that every caller gets one form: numbers as text, arguments of
 * tool calls as an object, content as parts of text, and a model under another name than it was asked for. Nothing is dropped: content with
 * other parts than text, reasoning and refusals stays as it is.
 *
 * @param answer a parsed chunk or completion, which is changed
 * @param model the model whose answer it is
 * @returns whether anything was changed
 */
export function repairAnswer(answer: unknown, model: AnsweredModel | undefined): boolean {
  if (!isRecord(answer)) return false
  const answered = answer['model']
  const name =
    model && typeof answered === 'string' ? (model.alias ?? modelName(model.id, answered)) : answered
  const named = name !== answered
  if (named) answer['model'] = name
  const choices = listOf(answer['choices'])
  return choices.map(repairChoice).some(Boolean) || named
}

/** Returns the requested ID, if the answer names the same model without its prefix. */
export function modelName(requestedId: string, answered: string | undefined): string {
  return answered === undefined || requestedId.endsWith(answered) ? requestedId : answered
}

function repairChoice(choice: unknown): boolean {
  if (!isRecord(choice)) return false
  const repaired = [choice['delta'], choice['message']].map(
    (message) => isRecord(message) && repairMessage(message),
  )
  return repairIndex(choice) || repaired.some(Boolean)
}

function repairMessage(message: Members): boolean {
  const calls = listOf(message['tool_calls']).map((call) => isRecord(call) && repairCall(call))
  return repairContent(message) || calls.some(Boolean)
}

function repairCall(call: Members): boolean {
  const index = repairIndex(call)
  const called = call['function']
  if (!isRecord(called) || !isRecord(called['arguments'])) return index
  called['arguments'] = JSON.stringify(called['arguments'])
  return true
}

function repairIndex(of: Members): boolean {
  const { index } = of
  if (typeof index !== 'string' || !/^\d{1,4}$/.test(index)) return false
  of['index'] = Number(index)
  return true
}

function repairContent(message: Members): boolean {
  const { content } = message
  if (!Array.isArray(content)) return false
  const { text, reasoning, refusal, parts } = readParts({ content })
  if (parts.length > 0) return false
  message['content'] = text
  if (
    reasoning !== '' &&
    typeof message['reasoning_content'] !== 'string' &&
    typeof message['reasoning'] !== 'string'
  )
    message['reasoning_content'] = reasoning
  if (refusal !== '' && typeof message['refusal'] !== 'string') message['refusal'] = refusal
  return true
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

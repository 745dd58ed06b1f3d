import type { JsonObject } from '../../../../shared/strict-json.ts'
import { reasoningToken, type Reasoning } from '../../answer/index.ts'
import type { ToolName } from './tool-names.ts'

/** One item of the output in progress. */
export type OutputItem =
  | {
      readonly kind: 'text'
      readonly id: string
      readonly at: number
      text: string
      annotations: readonly JsonObject[]
    }
  | { readonly kind: 'refusal'; readonly id: string; readonly at: number; text: string }
  | {
      readonly kind: 'reasoning'
      readonly id: string
      readonly at: number
      text: string
      readonly token: Reasoning['member'] | null
    }
  | {
      readonly kind: 'call'
      readonly id: string
      readonly at: number
      text: string
      readonly callId: string
      readonly tool: ToolName
    }

type Status = 'in_progress' | 'completed' | 'incomplete'

/** Returns the item's JSON; while it's in progress, without its content. */
export function itemJson(item: OutputItem, status: Status): JsonObject {
  const begun = status === 'in_progress'
  switch (item.kind) {
    case 'call':
      return {
        id: item.id,
        type: 'function_call',
        status,
        call_id: item.callId,
        ...item.tool,
        arguments: begun ? '' : item.text,
      }
    case 'reasoning':
      return {
        id: item.id,
        type: 'reasoning',
        summary: [],
        content: begun ? [] : [partJson(item)],
        ...(item.token &&
          !begun && { encrypted_content: reasoningToken({ member: item.token, text: item.text }) }),
        status,
      }
    case 'text':
    case 'refusal':
      return {
        id: item.id,
        type: 'message',
        status,
        role: 'assistant',
        content: begun ? [] : [partJson(item)],
      }
  }
}

/** Returns its only content part. @param text all of it by default */
export function partJson(item: Exclude<OutputItem, { kind: 'call' }>, text = item.text): JsonObject {
  switch (item.kind) {
    case 'text':
      return { type: 'output_text', text, annotations: [...item.annotations], logprobs: [] }
    case 'refusal':
      return { type: 'refusal', refusal: text }
    case 'reasoning':
      return { type: 'reasoning_text', text }
  }
}

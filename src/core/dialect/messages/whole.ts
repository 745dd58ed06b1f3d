import { SottoError } from '../../../shared/errors.ts'
import { say } from '../../../shared/say.ts'
import type { JsonObject } from '../../../shared/strict-json.ts'
import type { CallReader } from '../chat/call-reader.ts'
import type { ChatStep } from '../chat/chat-answer.ts'
import { ReasoningReader, reasoningToken } from '../chat/reasoning.ts'
import { jsonObject } from '../read-request.ts'
import type { ThinkingDisplay } from './writer.ts'

/** The content blocks of an answer in one piece: thinking, text, calls. Throws service/response-invalid. */
export function wholeContent({ delta, finishReason }: ChatStep, thinking: ThinkingDisplay, calls: CallReader): JsonObject[] {
  const content: JsonObject[] = []
  const reader = new ReasoningReader()
  const reasoning = reader.read(delta)
  if (reasoning !== '' && thinking !== 'none') {
    const shown = thinking === 'shown'
    content.push({ type: 'thinking', thinking: shown ? reasoning : '', signature: reasoningToken({ member: reader.member, text: shown ? '' : reasoning }) })
  }
  const text = (delta.content ?? '') + (delta.refusal ?? '')
  if (text !== '') content.push({ type: 'text', text })
  const begun: { id: string; name: string; json: string }[] = []
  for (const event of calls.read(delta.tool_calls ?? [])) {
    if (event.kind === 'begin') begun[event.call] = { id: event.id, name: event.name, json: '' }
    else {
      const call = begun[event.call]
      if (call) call.json += event.text
    }
  }
  calls.end()
  for (const { id, name, json } of begun) {
    const input = inputOf(json)
    if (input) content.push({ type: 'tool_use', id, name, input })
    // A call that the limit of tokens cut off is none.
    else if (finishReason !== 'length') throw new SottoError('service/response-invalid', { detail: say('A tool call’s arguments aren’t a JSON object.') })
  }
  return content
}

function inputOf(json: string): JsonObject | undefined {
  if (json.trim() === '') return {}
  try {
    return jsonObject.safeParse(JSON.parse(json)).data
  } catch {
    return undefined
  }
}

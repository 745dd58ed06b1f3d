import { SottoError } from '../../../shared/errors.ts'
import { say } from '../../../shared/say.ts'
import type { JsonObject } from '../../../shared/strict-json.ts'
import { type CallReader, type ChatStep, ReasoningReader, reasoningToken } from '../../answer/index.ts'
import { jsonObject } from '../read-request.ts'
import { namedParts, NamedSources } from '../unwritable.ts'
import type { ThinkingDisplay } from './writer.ts'

/** The content blocks of an answer in one piece: thinking, text, calls. Throws service/response-invalid. */
export function wholeContent(step: ChatStep, thinking: ThinkingDisplay, calls: CallReader): JsonObject[] {
  const content: JsonObject[] = []
  const reader = new ReasoningReader()
  const reasoning = reader.read(step.reasoning)
  if (reasoning !== '' && thinking !== 'none') {
    const shown = thinking === 'shown'
    content.push({ type: 'thinking', thinking: shown ? reasoning : '', signature: reasoningToken({ member: reader.member, text: shown ? '' : reasoning }) })
  }
  const text = textOf(step)
  const sources = new NamedSources()
  sources.add(step.sources)
  if (text + sources.text !== '') content.push({ type: 'text', text: text + sources.text })
  const begun: { id: string; name: string; json: string }[] = []
  for (const event of calls.read(step.calls)) {
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
    else if (step.finishReason !== 'length') throw new SottoError('service/response-invalid', { detail: say('A tool call’s arguments aren’t a JSON object.') })
  }
  return content
}

/** The text of a step, with the names of parts that Messages has no place for. */
export function textOf({ text, refusal, parts }: ChatStep): string {
  return [text + refusal, namedParts(parts)].filter(Boolean).join('\n')
}

function inputOf(json: string): JsonObject | undefined {
  if (json.trim() === '') return {}
  try {
    return jsonObject.safeParse(JSON.parse(json)).data
  } catch {
    return undefined
  }
}

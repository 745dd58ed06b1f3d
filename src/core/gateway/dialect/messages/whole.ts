import type { JsonObject } from '../../../../shared/strict-json.ts'
import { type CallReader, type ChatStep, ReasoningReader, reasoningToken } from '../../answer/index.ts'
import { NamedSources, textOf } from '../unwritable.ts'
import { WholeCalls } from '../whole-calls.ts'
import type { ThinkingDisplay } from './writer.ts'

/**
 * Returns the content blocks of an answer in one piece: thinking, text, calls.
 * @throws {SottoError} service/response-invalid
 */
export function wholeContent(step: ChatStep, thinking: ThinkingDisplay, calls: CallReader): JsonObject[] {
  const content: JsonObject[] = []
  const reader = new ReasoningReader()
  const reasoning = reader.read(step.reasoning)
  if (reasoning !== '' && thinking !== 'none') {
    const shown = thinking === 'shown'
    content.push({
      type: 'thinking',
      thinking: shown ? reasoning : '',
      signature: reasoningToken({ member: reader.member, text: shown ? '' : reasoning }),
    })
  }
  const text = textOf(step)
  const sources = new NamedSources()
  sources.add(step.sources)
  if (text + sources.text !== '') content.push({ type: 'text', text: text + sources.text })
  const whole = new WholeCalls(calls)
  whole.read(step.calls)
  for (const { id, name, input } of whole.end(step.finishReason === 'length'))
    content.push({ type: 'tool_use', id, name, input })
  return content
}

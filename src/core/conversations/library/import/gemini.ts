import { asList, asObject, asText, type ImportedConversation, type JsonObject } from './imported.ts'
import { fromMessages } from './message-lists.ts'

/** @returns whether this is a saved request of the Gemini API, or a prompt of Google AI Studio */
export function isGemini({ contents, chunkedPrompt }: JsonObject): boolean {
  return (
    asList(asObject(chunkedPrompt)?.['chunks']).length > 0 ||
    asList(contents).some((each) => Array.isArray(asObject(each)?.['parts']))
  )
}

/**
 * A saved request of the Gemini API, whose `contents` are messages with parts, or a prompt of Google AI Studio, whose chunks are the parts
 * of messages. Thoughts are marked at their part.
 */
export function fromGemini(value: JsonObject): ImportedConversation {
  const { contents, chunkedPrompt, runSettings, systemInstruction, system_instruction: instruction } = value
  const chunks = asList(asObject(chunkedPrompt)?.['chunks'])
  return fromMessages(chunks.length > 0 ? messagesOf(chunks) : asList(contents), {
    title: asText(value['title'] ?? value['displayName']),
    model: asObject(runSettings)?.['model'] ?? value['model'],
    systemPrompt: textOf(systemInstruction ?? instruction),
  })
}

/** Chunks that follow each other with the same role are parts of one message. */
function messagesOf(chunks: readonly unknown[]): JsonObject[] {
  const messages: { role: string; parts: unknown[] }[] = []
  for (const each of chunks) {
    const role = asText(asObject(each)?.['role'])
    const last = messages.at(-1)
    if (last?.role === role) last.parts.push(each)
    else messages.push({ role, parts: [each] })
  }
  return messages.map((message) => ({ ...message }))
}

function textOf(instruction: unknown): string {
  const object = asObject(instruction)
  if (!object) return asText(instruction)
  const parts = asList(object['parts']).map((part) => asText(asObject(part)?.['text']))
  return [asText(object['text']), ...parts].filter((text) => text !== '').join('\n\n')
}

import { asList, asObject, asText, type JsonObject } from './imported.ts'

/** The types of items without a role: reasoning, calls of tools and their results. */
const ITEM = /^(?:reasoning|item_reference|compaction|mcp_\w+|\w+_call|\w+_call_output)$/

/** @returns whether this is an item of OpenAI's Responses API that isn't a message */
export function isResponseItem({ type, role }: JsonObject): boolean {
  return role === undefined && ITEM.test(asText(type))
}

/** Items that follow each other and are the model's are one message: its reasoning, its calls and its text. */
export function messagesOf(items: readonly unknown[]): readonly unknown[] {
  const messages: unknown[] = []
  let reply: { role: string; content: unknown[] } | null = null
  for (const each of items) {
    const item = asObject(each)
    const isReply = item !== null && (isResponseItem(item) || item['role'] === 'assistant')
    const isResult = asText(item?.['type']).endsWith('_output')
    if (!isReply || isResult) {
      reply = null
      messages.push(isResult && item ? resultOf(item) : each)
      continue
    }
    const parts = isResponseItem(item) ? [partOf(item)] : contentOf(item['content'])
    if (reply) reply.content.push(...parts)
    else messages.push((reply = { ...item, role: 'assistant', content: [...parts] }))
  }
  return messages
}

function contentOf(content: unknown): readonly unknown[] {
  return Array.isArray(content) ? asList(content) : [content]
}

function resultOf({ output, call_id: id }: JsonObject): JsonObject {
  return { role: 'tool', content: output, tool_call_id: id }
}

/** An item in the form of a message's part. */
function partOf(item: JsonObject): JsonObject {
  const {
    type,
    name,
    call_id: callId,
    id,
    arguments: input,
    action,
    code,
    queries,
    output,
    results,
    outputs,
  } = item
  if (type === 'reasoning') return isEmpty(item) ? { type: 'redacted' } : item
  if (type === 'image_generation_call' || type === 'item_reference' || type === 'compaction') return { type }
  return {
    type: 'tool_call',
    id: callId ?? id,
    name: asText(name) || asText(type).replace(/_call$/, ''),
    arguments: input ?? item['input'] ?? action ?? code ?? queries,
    output: output ?? results ?? outputs,
  }
}

/** Reasoning may be only encrypted. */
function isEmpty({ summary, content }: JsonObject): boolean {
  return asList(summary).length === 0 && asList(content).length === 0
}

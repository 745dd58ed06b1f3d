import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/strict-json.ts'
import { TOKENS_PER_MESSAGE } from '../../../shared/token-estimate.ts'
import { countImageTokens } from './image.ts'
import type { TokenCounter } from './token-thread.ts'

interface Prompt {
  readonly texts: string[]
  /** Tokens of images and of the chat template. */
  others: number
}

/**
 * Counts the prompt tokens of a chat completion's body: messages, tool calls, tool definitions and images.
 * It's a count, not a bound: the model's own tokenizer may give a few percent more or less. Budgets use
 * `estimateChatRequest` instead.
 * @returns null if a part is neither text nor an image
 */
export async function countChatTokens(
  { messages, tools }: JsonObject,
  counter: Pick<TokenCounter, 'count'>,
): Promise<number | null> {
  const prompt: Prompt = { texts: tools === undefined ? [] : [JSON.stringify(tools)], others: 0 }
  if (!Array.isArray(messages) || !messages.every((message) => addMessage(prompt, message))) return null
  const counts = await counter.count(prompt.texts)
  return counts.reduce((sum, tokens) => sum + tokens, prompt.others)
}

/** @returns false if the message has a part that can't be counted */
function addMessage(prompt: Prompt, message: JsonValue): boolean {
  if (!isJsonObject(message)) return false
  prompt.others += TOKENS_PER_MESSAGE
  addCalls(prompt, message['tool_calls'])
  const { content } = message
  if (content === undefined || content === null) return true
  if (Array.isArray(content)) return content.every((part) => addPart(prompt, part))
  if (typeof content !== 'string') return false
  prompt.texts.push(content)
  return true
}

function addPart(prompt: Prompt, part: JsonValue): boolean {
  if (!isJsonObject(part)) return false
  const { type, text, image_url: image } = part
  if (type === 'text' && typeof text === 'string') {
    prompt.texts.push(text)
    return true
  }
  const url = type === 'image_url' && isJsonObject(image) ? image['url'] : undefined
  if (typeof url !== 'string') return false
  prompt.others += countImageTokens(url)
  return true
}

function addCalls({ texts }: Prompt, calls: JsonValue | undefined): void {
  if (!Array.isArray(calls)) return
  for (const call of calls) {
    if (isJsonObject(call) && isJsonObject(call['function']))
      texts.push(`${textOf(call['function']['name'])} ${textOf(call['function']['arguments'])}`)
  }
}

function textOf(value: JsonValue | undefined): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

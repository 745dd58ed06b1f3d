import {
  asList,
  asObject,
  asText,
  firstTime,
  type ImportedConversation,
  type JsonObject,
} from './imported.ts'
import { fromMessages } from './message-lists.ts'
import { isResponseItem, messagesOf } from './response-items.ts'

/** Requests for these have the same members, and no chat. */
const OTHER_MODEL = /embed|tts|moderation|image/i

/** @returns whether this is a request or an answer of OpenAI's APIs, or a row of a batch with one */
export function isOpenAi(value: JsonObject): boolean {
  const body = bodyOf(value)
  if (body !== value) return isOpenAi(body)
  const { object, input, model, instructions, output, choices } = value
  if (object === 'response') return Array.isArray(output)
  if (object === 'chat.completion') return Array.isArray(choices)
  if (typeof input === 'string')
    return typeof instructions === 'string' || (typeof model === 'string' && !OTHER_MODEL.test(model))
  return asList(input).some((each) => isItem(each))
}

function isItem(value: unknown): boolean {
  const item = asObject(value) ?? {}
  return isResponseItem(item) || (typeof item['role'] === 'string' && 'content' in item)
}

/** A row of a batch has its request in `body`, and its answer in `response.body`. */
function bodyOf(value: JsonObject): JsonObject {
  if (typeof value['custom_id'] !== 'string') return value
  return asObject(asObject(value['response'])?.['body']) ?? asObject(value['body']) ?? value
}

/** A request of the Responses API, an answer, or both in one object. An answer only has what the model wrote. */
export function fromOpenAi(value: JsonObject): ImportedConversation {
  const body = bodyOf(value)
  const { input, output, choices, messages, instructions, model } = body
  const items = [
    ...(typeof input === 'string' ? [{ role: 'user', content: input }] : asList(input)),
    ...asList(messages),
    ...asList(output),
    ...asList(choices).map((choice) => asObject(choice)?.['message']),
  ]
  return fromMessages(messagesOf(items), {
    title: '',
    model,
    systemPrompt: asText(instructions),
    createdAt: firstTime(body['created_at'], body['created']),
  })
}

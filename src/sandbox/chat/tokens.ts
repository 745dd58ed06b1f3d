import { attachmentsOf, textOf, type ChatRequest } from './request.ts'

/** About four characters for each token, as tokenizers do with plain English. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / 4)
}

const perMessage = 4
const perImage = 258

/** What a request's input counts for. */
export function inputTokens(request: ChatRequest): number {
  const messages = request.messages.reduce((sum, message) => {
    const calls = (message.tool_calls ?? []).reduce((total, call) => total + countTokens(call.function.name + call.function.arguments), 0)
    return sum + perMessage + countTokens(textOf(message)) + attachmentsOf(message).length * perImage + calls
  }, 0)
  return messages + (request.tools?.length ? countTokens(JSON.stringify(request.tools)) : 0)
}

/** A text as the tokens that it is written in: white space goes with the word that follows. */
export function tokenize(text: string): string[] {
  return text.match(/\s*\S{1,4}|\s+$/gu) ?? []
}

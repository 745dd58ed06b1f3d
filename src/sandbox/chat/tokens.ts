import { imageSize } from 'image-size'
import { imageTokens, textTokens } from '../../shared/token-estimate.ts'
import { attachmentsOf, textOf, type ChatRequest, type ContentPart } from './request.ts'

const perMessage = 4

/** The tokens of a request's input. */
export function inputTokens(request: ChatRequest): number {
  const messages = request.messages.reduce((sum, message) => {
    const calls = (message.tool_calls ?? []).reduce(
      (total, call) => total + textTokens(call.function.name + call.function.arguments),
      0,
    )
    return (
      sum +
      perMessage +
      textTokens(textOf(message)) +
      attachmentsOf(message).reduce((total, part) => total + attachmentTokens(part), 0) +
      calls
    )
  }, 0)
  return messages + (request.tools?.length ? textTokens(JSON.stringify(request.tools)) : 0)
}

/** An image counts by its size; audio and files count the same for every size. */
function attachmentTokens(part: ContentPart): number {
  if (part.type !== 'image_url') return 258
  try {
    return imageTokens(imageSize(Buffer.from(part.image_url.url.replace(/^data:[^,]*,/, ''), 'base64')))
  } catch {
    return imageTokens({})
  }
}

/** A text as the tokens that it is written in: white space goes with the word that follows. */
export function tokenize(text: string): string[] {
  return text.match(/\s*\S{1,4}|\s+$/gu) ?? []
}

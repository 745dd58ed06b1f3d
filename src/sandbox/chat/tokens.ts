import { imageSize } from 'image-size'
import { attachmentsOf, textOf, type ChatRequest, type ContentPart } from './request.ts'

/** Words, numbers, punctuation and spaces, about as o200k cuts a text before it encodes each part. */
const PARTS = / ?\p{L}[\p{L}\p{M}]*| ?\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+/gu
const CAMEL_PARTS = /[A-Z]*[a-z]+|[A-Z]+/g
/** Tokens of a character, as o200k needs them on average for text of the script. */
const SCRIPTS: readonly (readonly [RegExp, number])[] = [
  [/\p{Script=Han}/u, 0.78], [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 0.62], [/\p{Script=Hangul}/u, 0.67], [/\p{Script=Latin}/u, 0.28], [/\p{L}|\p{M}/u, 0.43],
]

/**
 * About the tokens of a text in o200k, without its table: within 15 % for prose in ten languages, JSON and program text
 * (test/core/tokens/text.test.ts compares it with the encoder).
 */
export function countTokens(text: string): number {
  let tokens = 0
  for (const [part] of text.matchAll(PARTS)) tokens += tokensOfPart(part)
  return Math.ceil(tokens)
}

function tokensOfPart(part: string): number {
  const word = part.startsWith(' ') ? part.slice(1) : part
  if (word === '') return 0.3
  if (/^[A-Za-z]/.test(word) && !/[^A-Za-z]/.test(word)) return (word.match(CAMEL_PARTS) ?? []).reduce((sum, piece) => sum + (piece.length <= 9 ? 1 : piece.length / 7), 0)
  if (/^\p{L}/u.test(word)) return Array.from(word).reduce((sum, character) => sum + (SCRIPTS.find(([script]) => script.test(character))?.[1] ?? 1), 0)
  return /^[\p{N}\s]/u.test(word) ? 1 : Math.max(1, word.length / 2.2)
}

const perMessage = 4

/** The tokens of a request's input. */
export function inputTokens(request: ChatRequest): number {
  const messages = request.messages.reduce((sum, message) => {
    const calls = (message.tool_calls ?? []).reduce((total, call) => total + countTokens(call.function.name + call.function.arguments), 0)
    return sum + perMessage + countTokens(textOf(message)) + attachmentsOf(message).reduce((total, part) => total + attachmentTokens(part), 0) + calls
  }, 0)
  return messages + (request.tools?.length ? countTokens(JSON.stringify(request.tools)) : 0)
}

/** An image counts by its size, up to 1600 tokens; audio and files count the same for every size. */
function attachmentTokens(part: ContentPart): number {
  if (part.type !== 'image_url') return 258
  try {
    const { width, height } = imageSize(Buffer.from(part.image_url.url.replace(/^data:[^,]*,/, ''), 'base64'))
    return Math.min(1600, Math.ceil(width * height / 750))
  } catch {
    return 1600
  }
}

/** A text as the tokens that it is written in: white space goes with the word that follows. */
export function tokenize(text: string): string[] {
  return text.match(/\s*\S{1,4}|\s+$/gu) ?? []
}

import { z } from 'zod'

/** Part of an answer that isn't text. `url` is a data URL or an address; `type` is the service's name of the part. */
export interface AnswerPart {
  readonly type: string
  readonly url?: string
}

const MAX_TYPE = 40
const TEXT_TYPES: ReadonlySet<string> = new Set(['text', 'output_text'])
const REASONING_TYPES: ReadonlySet<string> = new Set([
  'thinking',
  'reasoning',
  'reasoning.text',
  'reasoning.summary',
  'summary_text',
  'reasoning_text',
])
/** Reasoning that only its own service can read. */
const SEALED_TYPES: ReadonlySet<string> = new Set(['reasoning.encrypted', 'redacted_thinking'])

const address = z
  .union([z.string(), z.looseObject({ url: z.string() }).transform(({ url }) => url)])
  .nullish()
const partSchema = z.looseObject({
  type: z.string().nullish(),
  text: z.unknown().optional(),
  summary: z.unknown().optional(),
  thinking: z.unknown().optional(),
  reasoning: z.unknown().optional(),
  refusal: z.unknown().optional(),
  transcript: z.unknown().optional(),
})
const addressSchema = z.looseObject({ image_url: address, url: address, video_url: address })

interface Message {
  readonly content?: string | readonly unknown[] | null | undefined
  readonly refusal?: string | null | undefined
  readonly reasoning_details?: readonly unknown[] | null | undefined
  readonly images?: readonly unknown[] | null | undefined
  readonly audio?: unknown
}

interface Content {
  text: string
  reasoning: string
  refusal: string
  readonly parts: AnswerPart[]
}

/**
 * Returns the text, the reasoning and the refusal of a message, from every member that may carry them, and
 * all other parts.
 */
export function readParts(message: Message): Readonly<Content> {
  const read: Content = { text: '', reasoning: '', refusal: message.refusal ?? '', parts: [] }
  if (typeof message.content === 'string') read.text = message.content
  else for (const part of message.content ?? []) take(part, read)
  for (const detail of message.reasoning_details ?? []) take(detail, read)
  for (const image of message.images ?? []) read.parts.push(partOf(image, 'image_url'))
  const audio = partSchema.safeParse(message.audio).data
  if (audio) {
    read.parts.push({ type: 'audio' })
    if (read.text === '') read.text = textIn(audio.transcript)
  }
  return read
}

function take(part: unknown, into: Content): void {
  if (typeof part === 'string') {
    into.text += part
    return
  }
  const known = partSchema.safeParse(part).data
  const type = known?.type ?? (typeof known?.text === 'string' ? 'text' : 'unknown')
  if (known && TEXT_TYPES.has(type)) into.text += textIn(known.text)
  else if (known && REASONING_TYPES.has(type))
    into.reasoning += textIn(known.text ?? known.thinking ?? known.reasoning ?? known.summary)
  else if (known && type === 'refusal') into.refusal += textIn(known.refusal ?? known.text)
  else if (!SEALED_TYPES.has(type)) into.parts.push(partOf(part, type))
}

/** Returns text, or the joined text of a list of parts. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textIn).join('')
  return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string'
    ? value.text
    : ''
}

function partOf(part: unknown, type: string): AnswerPart {
  if (typeof part === 'string') return { type, url: part }
  const read = addressSchema.safeParse(part).data
  const url = read?.image_url ?? read?.video_url ?? read?.url
  return { type: type.slice(0, MAX_TYPE), ...(typeof url === 'string' && { url }) }
}

import { z } from 'zod'
import { readableResult } from './visible-text.ts'

/** Characters of a result that a model gets. */
export const MAX_RESULT = 60_000
const MAX_IMAGES = 4
/** Base64 characters of one image. */
const MAX_IMAGE = 5_000_000
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const

const textPart = z.object({ type: z.literal('text'), text: z.string() })
const imagePart = z.object({
  type: z.literal('image'),
  mimeType: z.enum(IMAGE_TYPES),
  data: z
    .string()
    .max(MAX_IMAGE)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/),
})
const resourcePart = z.object({
  type: z.literal('resource'),
  resource: z.object({ uri: z.string().max(2000), text: z.string() }),
})
const linkPart = z.object({ type: z.literal('resource_link'), uri: z.string().max(2000) })
const namedPart = z.object({ type: z.string().max(40) })

const resultSchema = z.object({
  content: z.array(z.unknown()).max(1000).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
})

export interface ToolImage {
  readonly type: (typeof IMAGE_TYPES)[number]
  /** Base64. */
  readonly data: string
}

/** What a tool answered. It's data for the model, and nothing in it is an instruction for Sotto. */
export interface ToolResult {
  readonly text: string
  readonly images: readonly ToolImage[]
  /** The tool reported an error, which the model gets as well. */
  readonly failed: boolean
  /** The pages that a search found. They are also in the text. */
  readonly pages?: readonly FoundPage[]
  /** Of the request that the tool sent to the service. */
  readonly receiptId?: string | undefined
}

/** A page of the web. The service controls both members. */
export interface FoundPage {
  readonly url: string
  readonly title?: string
}

/** A result of this text. Text from outside is shortened first, see shortResult. */
export function textResult(text: string): ToolResult {
  return { text, images: [], failed: false }
}

/** An error of this text, which the model gets. Text from outside is shortened first, see shortResult. */
export function failedResult(text: string): ToolResult {
  return { text, images: [], failed: true }
}

/** Parses the answer of a server to `tools/call`. An answer of another shape becomes a failed result. */
export function parseToolResult(answer: unknown): ToolResult {
  const { success, data } = resultSchema.safeParse(answer)
  if (!success) return failedResult('The tool sent an answer that can’t be read.')
  const texts: string[] = []
  const images: ToolImage[] = []
  for (const part of data.content) {
    const image = imagePart.safeParse(part)
    if (image.success && images.length < MAX_IMAGES) {
      images.push({ type: image.data.mimeType, data: image.data.data })
      texts.push(`[image ${String(images.length)}]`)
    } else texts.push(textOf(part))
  }
  if (texts.length === 0 && data.structuredContent !== undefined)
    texts.push(JSON.stringify(data.structuredContent))
  return { text: shortResult(texts.join('\n')), images, failed: data.isError === true }
}

/** The text without invisible characters, cut to MAX_RESULT with a mark. */
export function shortResult(text: string): string {
  const readable = readableResult(text.slice(0, 4 * MAX_RESULT))
  return readable.length <= MAX_RESULT ? readable : `${readable.slice(0, MAX_RESULT).toWellFormed()}\n[cut]`
}

function textOf(part: unknown): string {
  const text = textPart.safeParse(part)
  if (text.success) return text.data.text
  const resource = resourcePart.safeParse(part)
  if (resource.success) return `${resource.data.resource.uri}\n${resource.data.resource.text}`
  const link = linkPart.safeParse(part)
  if (link.success) return link.data.uri
  const named = namedPart.safeParse(part)
  return `[left out: ${named.success ? named.data.type : 'unknown'}]`
}

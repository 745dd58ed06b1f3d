import type { JsonObject } from '../../../../shared/strict-json.ts'
import { sniffMedia, SNIFFED_BYTES } from '../../../../shared/sniff-media.ts'
import { completionMessages } from '../completions/index.ts'
import { Conversation } from '../conversation.ts'
import { unsupported } from '../read-request.ts'
import type { OllamaChat, OllamaGenerate, OllamaMessage } from './request-schema.ts'
import { PendingCalls } from './pending-calls.ts'

type Settings = Omit<OllamaChat, 'messages' | 'tools'>

/** Translates a chat request to a chat completion's body. @throws {SottoError} dialect/unsupported */
export function chatBody({ messages, tools = [], ...settings }: OllamaChat): JsonObject {
  return {
    model: settings.model,
    messages: chatMessages(messages),
    ...settingsOf(settings),
    ...(tools.length > 0 && {
      tools: tools.map(({ function: { name, description, parameters } }) => ({
        type: 'function',
        function: {
          name,
          ...(description !== undefined && { description }),
          ...(parameters && { parameters }),
        },
      })),
    }),
  }
}

/** Translates a generate request to a chat completion's body. @throws {SottoError} dialect/unsupported */
export function generateBody(request: OllamaGenerate): JsonObject {
  return { model: request.model, messages: generateMessages(request), ...settingsOf(request) }
}

/**
 * With `raw`, the prompt isn't a turn of a conversation but a text to continue. With a suffix, or with
 * markers around a gap, it's a gap to fill.
 */
function generateMessages({ prompt, suffix, system, raw, images = [] }: OllamaGenerate): JsonObject[] {
  if (raw === true && system !== '') throw unsupported('system', 'A raw prompt has no system message.')
  if (raw === true || suffix !== '') {
    if (images.length > 0) throw unsupported('images', 'A text with a suffix, or a raw text, has no images.')
    return [
      ...(system === '' ? [] : [{ role: 'system', content: system }]),
      ...completionMessages(prompt, suffix),
    ]
  }
  const conversation = new Conversation()
  conversation.system(system)
  conversation.user(userParts(prompt, images, 'images'))
  return conversation.done()
}

function chatMessages(messages: readonly OllamaMessage[]): JsonObject[] {
  const conversation = new Conversation()
  const pending = new PendingCalls()
  for (const [at, message] of messages.entries())
    addMessage(conversation, pending, message, `messages[${at}]`)
  // Chat completions begin a new turn and can't continue one.
  if (conversation.endsWithAssistant)
    throw unsupported(
      `messages[${messages.length - 1}]`,
      'The last message must be from "user" or "tool": a reply cannot be continued.',
    )
  return conversation.done()
}

function addMessage(
  conversation: Conversation,
  pending: PendingCalls,
  message: OllamaMessage,
  param: string,
): void {
  switch (message.role) {
    case 'system':
      return conversation.system(message.content)
    case 'user':
      return conversation.user(userParts(message.content, message.images ?? [], `${param}.images`))
    case 'tool': {
      const { content, images = [] } = message
      return conversation.result(
        pending.take(message, param),
        content,
        images.map((image, index) => imagePart(image, `${param}.images[${index}]`)),
      )
    }
    case 'assistant': {
      const { content, thinking = '', tool_calls: calls = [] } = message
      conversation.reasoning({ member: 'reasoning_content', text: thinking })
      conversation.text(content)
      for (const { id, function: called } of calls)
        conversation.call(pending.add(called.name, id), called.name, JSON.stringify(called.arguments ?? {}))
    }
  }
}

function userParts(text: string, images: readonly string[], param: string): JsonObject[] {
  const pictures = images.map((image, at) => imagePart(image, `${param}[${at}]`))
  return text === '' && pictures.length > 0 ? pictures : [{ type: 'text', text }, ...pictures]
}

/** Ollama's images have no media type, so it's detected from their first bytes. */
function imagePart(base64: string, param: string): JsonObject {
  const type = sniffMedia(Buffer.from(base64.slice(0, SNIFFED_BYTES * 2), 'base64'))
  if (!type.startsWith('image/'))
    throw unsupported(param, 'An image must be PNG, JPEG, GIF, WebP, or AVIF, in Base64.')
  return { type: 'image_url', image_url: { url: `data:${type};base64,${base64}` } }
}

const PASSED = ['temperature', 'top_p', 'seed', 'presence_penalty', 'frequency_penalty'] as const
const READ: ReadonlySet<string> = new Set([...PASSED, 'stop', 'num_predict'])

function settingsOf({ stream = true, format, think, options = {} }: Settings): JsonObject {
  const { stop = [], num_predict: most = 0 } = options
  return {
    ...Object.fromEntries(
      PASSED.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
    ),
    ...(stop.length > 0 && { stop }),
    ...(most > 0 && { max_completion_tokens: most }),
    ...(think !== undefined && {
      reasoning_effort: typeof think === 'string' ? think : think ? 'medium' : 'none',
    }),
    ...(format === 'json' && { response_format: { type: 'json_object' } }),
    ...(typeof format === 'object' && {
      response_format: { type: 'json_schema', json_schema: { name: 'output', schema: format } },
    }),
    // This dialect's answer always has the usage.
    ...(stream && { stream: true, stream_options: { include_usage: true } }),
  }
}

const HINTS = ['keep_alive', 'truncate', 'shift'] as const
const MAX_NAMES = 50

/**
 * Returns the names of the omitted members. The caller controls those of its options, so they are shortened,
 * limited in number, and free of special characters.
 */
export function ignoredMembers(
  request: Readonly<Partial<Record<(typeof HINTS)[number], unknown>>> & {
    readonly options?: Readonly<Record<string, unknown>> | undefined
  },
  read: ReadonlySet<string> = READ,
): string[] {
  const left = Object.keys(request.options ?? {})
    .filter((name) => !read.has(name))
    .slice(0, MAX_NAMES)
  return [
    ...HINTS.filter((name) => request[name] !== undefined),
    ...left.map((name) => `options.${name.slice(0, 60).replaceAll(/[^\w.-]/g, '?')}`),
  ]
}

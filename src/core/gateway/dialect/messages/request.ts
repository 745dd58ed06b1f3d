import type { z } from 'zod'
import type { JsonObject, JsonValue } from '../../../../shared/strict-json.ts'
import { Conversation } from '../conversation.ts'
import { readReasoningToken } from '../../answer/index.ts'
import { unsupported } from '../read-request.ts'
import type {
  countSchema,
  FunctionTool,
  MessageBlock,
  MessagesRequest,
  ResultBlock,
} from './request-schema.ts'

type AnyRequest = MessagesRequest | z.infer<typeof countSchema>

/** Translates a Messages request to a chat completion's body. @throws {SottoError} dialect/unsupported */
export function toChatRequest(request: AnyRequest): JsonObject {
  const tools = shownTools(request)
  const format = request.output_config?.format ?? request.output_format
  const effort = effortOf(request)
  return {
    model: request.model,
    messages: chatMessages(request),
    ...(request.max_tokens !== undefined && { max_completion_tokens: request.max_tokens }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.top_p !== undefined && { top_p: request.top_p }),
    ...(request.stop_sequences && request.stop_sequences.length > 0 && { stop: request.stop_sequences }),
    ...(effort !== undefined && { reasoning_effort: effort }),
    ...(format && {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'output', schema: format.schema, strict: true },
      },
    }),
    ...(tools.length > 0 && { tools: tools.map(chatTool) }),
    ...toolChoice(request, tools.length > 0),
    // The relay refuses it for a private model.
    ...(searchesWeb(request) && { plugins: [{ id: 'web' }] }),
    // This dialect's answer always has the usage.
    ...(request.stream === true && { stream: true, stream_options: { include_usage: true } }),
  }
}

/**
 * Returns the effort that the request names. If it only has a budget of thinking tokens, the effort is
 * derived from it.
 */
function effortOf({ thinking, output_config: { effort } = {} }: AnyRequest): string | undefined {
  if (thinking?.type === 'disabled') return 'none'
  const budget = thinking?.type === 'enabled' ? thinking.budget_tokens : undefined
  if (effort !== undefined || budget === undefined) return effort
  if (budget <= 4096) return 'low'
  return budget <= 16_384 ? 'medium' : 'high'
}

const IGNORED = ['metadata', 'service_tier', 'top_k', 'betas'] as const

/** Returns the names of the members that are omitted because they don't change the meaning of the request. */
export function ignoredMembers(request: AnyRequest): string[] {
  const { system = [], messages, tools = [] } = request
  const blocks = messages.flatMap(({ content }): (MessageBlock | ResultBlock)[] =>
    content.flatMap((block) => [block, ...(block.type === 'tool_result' ? (block.content ?? []) : [])]),
  )
  const marked: readonly { cache_control?: unknown }[] = [
    request,
    ...system,
    ...tools,
    ...blocks.flatMap((block) => ('cache_control' in block ? [block] : [])),
  ]
  return [
    ...IGNORED.filter((name) => request[name] !== undefined),
    ...(request.context_management?.edits?.length ? ['context_management'] : []),
    ...(marked.some((block) => block.cache_control !== undefined) ? ['cache_control'] : []),
    ...(tools.some((tool) => isFunction(tool) && tool.eager_input_streaming !== undefined)
      ? ['tools.eager_input_streaming']
      : []),
    ...(blocks.some(({ type }) => type === 'redacted_thinking') ? ['redacted_thinking'] : []),
    ...(blocks.some(
      (block) => block.type === 'text' && block.citations !== undefined && block.citations.length > 0,
    )
      ? ['citations']
      : []),
  ]
}

function chatMessages(request: AnyRequest): JsonObject[] {
  const conversation = new Conversation()
  if (request.system) conversation.system(joined(request.system))
  request.messages.forEach(({ role, content }, at) => {
    if (role === 'system') conversation.system(joined(content))
    else if (role === 'assistant') content.forEach((block) => assistantBlock(conversation, block))
    else userBlocks(conversation, content, at)
  })
  // Chat completions begin a new turn and can't continue one.
  if (conversation.endsWithAssistant)
    throw unsupported(
      `messages[${request.messages.length - 1}]`,
      'The last message must be from "user": a reply cannot be continued.',
    )
  return conversation.done()
}

function assistantBlock(
  conversation: Conversation,
  block: Extract<MessageBlock, { type: 'text' | 'tool_use' | 'thinking' | 'redacted_thinking' }>,
): void {
  switch (block.type) {
    case 'text':
      return conversation.text(block.text)
    case 'tool_use':
      return conversation.call(block.id, block.name, JSON.stringify(block.input))
    case 'redacted_thinking':
      return
    case 'thinking': {
      const reasoning = readReasoningToken(block.signature)
      return conversation.reasoning({
        member: reasoning?.member ?? 'reasoning_content',
        text: block.thinking || (reasoning?.text ?? ''),
      })
    }
  }
}

function userBlocks(
  conversation: Conversation,
  content: readonly Extract<MessageBlock, { type: 'text' | 'image' | 'document' | 'tool_result' }>[],
  message: number,
): void {
  let parts: JsonObject[] = []
  const addTurn = (): void => {
    if (parts.length > 0) conversation.user(parts)
    parts = []
  }
  content.forEach((block, at) => {
    if (block.type !== 'tool_result') {
      parts.push(partOf(block))
      return
    }
    addTurn()
    toolResult(conversation, block, `messages[${message}].content[${at}]`)
  })
  addTurn()
}

function toolResult(
  conversation: Conversation,
  block: Extract<MessageBlock, { type: 'tool_result' }>,
  param: string,
): void {
  const texts: string[] = block.is_error === true ? ['The tool failed:'] : []
  const pictures: JsonObject[] = []
  for (const part of block.content ?? []) {
    if (part.type === 'text') texts.push(part.text)
    else if (part.type === 'tool_reference') texts.push(JSON.stringify({ tool_reference: part.tool_name }))
    else pictures.push(partOf(part))
  }
  if (block.tool_use_id === '') throw unsupported(`${param}.tool_use_id`)
  conversation.result(block.tool_use_id, texts.join('\n'), pictures)
}

function partOf(block: Exclude<ResultBlock, { type: 'tool_reference' }>): JsonObject {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'image': {
      const { source } = block
      return {
        type: 'image_url',
        image_url: {
          url: source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`,
        },
      }
    }
    case 'document': {
      const { source, title } = block
      if (source.type === 'text')
        return { type: 'text', text: title === undefined ? source.data : `${title}\n\n${source.data}` }
      return {
        type: 'file',
        file: {
          filename: title ?? 'document.pdf',
          file_data: `data:${source.media_type};base64,${source.data}`,
        },
      }
    }
  }
}

/** Whether the service's web search may run for this request. It runs before the model, so it's no tool that the model calls. */
function searchesWeb({ tools = [], tool_choice: choice }: AnyRequest): boolean {
  const another = choice?.type === 'none' || (choice?.type === 'tool' && choice.name !== WEB_SEARCH)
  return !another && tools.some((tool) => !isFunction(tool))
}

const WEB_SEARCH = 'web_search'

function isFunction(tool: NonNullable<AnyRequest['tools']>[number]): tool is FunctionTool {
  return 'input_schema' in tool
}

/** Returns the tools for the model. A deferred tool is included only if a result has named it. */
function shownTools({ tools = [], messages }: AnyRequest): FunctionTool[] {
  const named = new Set(
    messages.flatMap(({ content }) =>
      content.flatMap((block) =>
        block.type === 'tool_result'
          ? (block.content ?? []).flatMap((part) => (part.type === 'tool_reference' ? [part.tool_name] : []))
          : [],
      ),
    ),
  )
  return tools.filter(isFunction).filter((tool) => tool.defer_loading !== true || named.has(tool.name))
}

function chatTool(tool: FunctionTool): JsonObject {
  return {
    type: 'function',
    function: {
      name: tool.name,
      ...(tool.description !== undefined && { description: tool.description }),
      parameters: tool.input_schema,
      ...(tool.strict === true && { strict: true }),
    },
  }
}

function toolChoice(request: AnyRequest, hasTools: boolean): JsonObject {
  const { tool_choice: choice } = request
  if (!choice) return {}
  // The search always runs, so it satisfies this choice.
  if (searchesWeb(request) && (choice.type === 'tool' || (choice.type === 'any' && !hasTools))) return {}
  const toolChoices: Record<'auto' | 'any' | 'none', JsonValue> = {
    auto: 'auto',
    any: 'required',
    none: 'none',
  }
  // Without tools there is nothing to choose. If the choice requires a tool, the service reports the error.
  if (!hasTools && (choice.type === 'auto' || choice.type === 'none')) return {}
  return {
    tool_choice:
      choice.type === 'tool'
        ? { type: 'function', function: { name: choice.name } }
        : toolChoices[choice.type],
    ...(choice.type !== 'none' &&
      choice.disable_parallel_tool_use === true && { parallel_tool_calls: false }),
  }
}

function joined(content: readonly { text: string }[]): string {
  return content.map(({ text }) => text).join('\n')
}

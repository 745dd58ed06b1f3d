import type { JsonObject } from '../../../../shared/strict-json.ts'
import { Conversation } from '../conversation.ts'
import { readReasoningToken } from '../../answer/index.ts'
import type { FunctionTool, InputItem, InputPart, ResponsesRequest } from './request-schema.ts'
import { chatName, type ToolNames } from './tool-names.ts'

/**
 * Translates a Responses request to a chat completion's body.
 * @param input the items of the request and of its references
 * @throws {SottoError} dialect/unsupported
 */
export function toChatRequest(
  request: ResponsesRequest,
  input: readonly InputItem[],
  names: ToolNames,
): JsonObject {
  const tools = allowedTools(request, names)
  const { effort } = request.reasoning ?? {}
  const { format, verbosity } = request.text ?? {}
  return {
    model: request.model,
    messages: chatMessages(request, input),
    ...(request.max_output_tokens !== undefined && { max_completion_tokens: request.max_output_tokens }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.top_p !== undefined && { top_p: request.top_p }),
    ...(effort !== undefined && { reasoning_effort: effort }),
    ...(verbosity !== undefined && { verbosity }),
    ...responseFormat(format),
    ...(tools.length > 0 && { tools: tools.map(chatTool) }),
    ...toolChoice(request, tools.length > 0),
    ...(tools.length > 0 &&
      request.parallel_tool_calls !== undefined && { parallel_tool_calls: request.parallel_tool_calls }),
    ...(request.user !== undefined && { user: request.user }),
    ...(request.safety_identifier !== undefined && { safety_identifier: request.safety_identifier }),
    // This dialect's answer always has the usage.
    ...(request.stream === true && { stream: true, stream_options: { include_usage: true } }),
  }
}

const IGNORED = [
  'prompt_cache_key',
  'prompt_cache_retention',
  'prompt_cache_options',
  'client_metadata',
  'service_tier',
  'max_tool_calls',
] as const

/** Returns the names of the members that are omitted because they don't change the meaning of the request. */
export function ignoredMembers(request: ResponsesRequest): string[] {
  const { input, include = [], reasoning, truncation, stream_options: streamOptions } = request
  const items = input.flatMap((item) => (item.type === 'message' ? [item] : []))
  const parts = items.flatMap(({ content }): InputPart[] => content)
  return [
    ...IGNORED.filter((name) => request[name] !== undefined),
    ...(include.some((name) => name !== 'reasoning.encrypted_content') ? ['include'] : []),
    ...(truncation === 'auto' ? ['truncation'] : []),
    ...(isSummary(reasoning?.summary) || isSummary(reasoning?.generate_summary) ? ['reasoning.summary'] : []),
    ...(streamOptions?.include_obfuscation === true ? ['stream_options.include_obfuscation'] : []),
    ...(items.some(({ phase }) => phase !== undefined) ? ['input.phase'] : []),
    ...(input.some(
      (item) =>
        item.type === 'reasoning' &&
        item.encrypted_content !== undefined &&
        !readReasoningToken(item.encrypted_content),
    )
      ? ['input.encrypted_content']
      : []),
    ...(parts.some((part) => part.type === 'output_text' && (part.annotations ?? []).length > 0)
      ? ['input.annotations']
      : []),
    ...(parts.some((part) => 'prompt_cache_breakpoint' in part) ? ['prompt_cache_breakpoint'] : []),
  ]
}

/** `auto` requests whichever summary is available. */
function isSummary(kind: string | undefined): boolean {
  return kind !== undefined && kind !== 'auto'
}

function chatMessages({ instructions }: ResponsesRequest, input: readonly InputItem[]): JsonObject[] {
  const conversation = new Conversation()
  if (instructions !== undefined) conversation.system(instructions)
  for (const item of input) addItem(conversation, item)
  return conversation.done()
}

function addItem(conversation: Conversation, item: InputItem): void {
  switch (item.type) {
    case 'message':
      return addMessage(conversation, item)
    case 'function_call':
      return conversation.call(item.call_id, chatName(item), item.arguments)
    case 'function_call_output': {
      const texts = item.output.flatMap((part) => (part.type === 'input_text' ? [part.text] : []))
      return conversation.result(
        item.call_id,
        texts.join('\n'),
        item.output.flatMap((part) => (part.type === 'input_text' ? [] : [partOf(part)])),
      )
    }
    case 'reasoning':
      return addReasoning(conversation, item)
  }
}

function addMessage(
  conversation: Conversation,
  { role, content }: Extract<InputItem, { type: 'message' }>,
): void {
  if (role === 'user') {
    if (content.length > 0) conversation.user(content.map(partOf))
  } else if (role === 'assistant') {
    for (const part of content) {
      if (part.type === 'refusal') conversation.refusal(part.refusal)
      else conversation.text(part.text)
    }
  } else {
    // OpenAI's developer message is a system message for other models.
    conversation.system(content.map(({ text }) => text).join('\n'))
  }
}

function addReasoning(conversation: Conversation, item: Extract<InputItem, { type: 'reasoning' }>): void {
  const { encrypted_content: token, content = [], summary = [] } = item
  // The token of another service can't be read. Then the readable summary is used instead of the reasoning.
  const reasoning = token === undefined ? undefined : readReasoningToken(token)
  const parts = content.length > 0 ? content : summary
  conversation.reasoning(
    reasoning ?? { member: 'reasoning_content', text: parts.map(({ text }) => text).join('\n') },
  )
}

function partOf(part: Exclude<InputPart, { type: 'refusal' }>): JsonObject {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
      return { type: 'text', text: part.text }
    case 'input_image':
      return {
        type: 'image_url',
        image_url: { url: part.image_url, ...(part.detail !== undefined && { detail: part.detail }) },
      }
    case 'input_file':
      return {
        type: 'file',
        file: { ...(part.filename !== undefined && { filename: part.filename }), file_data: part.file_data },
      }
    case 'input_audio':
      return { type: 'input_audio', input_audio: part.input_audio }
  }
}

function responseFormat(format: NonNullable<ResponsesRequest['text']>['format']): JsonObject {
  if (!format || format.type === 'text') return {}
  if (format.type === 'json_object') return { response_format: { type: 'json_object' } }
  const { name, schema, description, strict } = format
  return {
    response_format: {
      type: 'json_schema',
      json_schema: {
        name,
        schema,
        ...(description !== undefined && { description }),
        ...(strict !== undefined && { strict }),
      },
    },
  }
}

function chatTool({ name, description, parameters, strict }: FunctionTool): JsonObject {
  return {
    type: 'function',
    function: {
      name,
      ...(description !== undefined && { description }),
      ...(parameters && { parameters }),
      ...(strict === true && { strict }),
    },
  }
}

/** A choice among some of the tools offers only those. */
function allowedTools(
  { tool_choice: choice }: ResponsesRequest,
  { tools }: ToolNames,
): readonly FunctionTool[] {
  if (choice?.type !== 'allowed_tools') return tools
  const allowed = new Set(choice.tools.map(chatName))
  return tools.filter(({ name }) => allowed.has(name))
}

function toolChoice({ tool_choice: choice }: ResponsesRequest, hasTools: boolean): JsonObject {
  if (!choice) return {}
  if (choice.type === 'function')
    return { tool_choice: { type: 'function', function: { name: chatName(choice) } } }
  const word = choice.type === 'allowed_tools' ? choice.mode : choice.type
  // Without tools there is nothing to choose. If the choice requires a tool, the service reports the error.
  return hasTools || word === 'required' ? { tool_choice: word } : {}
}

import Anthropic, {
  APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from '@anthropic-ai/sdk'
import { ContentTooLargeError, PaymentRequiredError } from '@anthropic-ai/sdk/core/error'
import { headersOf, type Access, type Ask, type Client, type Reply, type Turn } from './client.ts'

export function anthropicSdk({ baseUrl, key }: Access): Anthropic {
  return new Anthropic({ baseURL: baseUrl.replace(/\/v1$/, ''), apiKey: key, maxRetries: 0 })
}

export function anthropicMessages(access: Access): Client {
  const { messages } = anthropicSdk(access)
  return {
    name: 'anthropic, messages',
    classes: {
      400: BadRequestError,
      401: AuthenticationError,
      402: PaymentRequiredError,
      403: PermissionDeniedError,
      404: NotFoundError,
      413: ContentTooLargeError,
      429: RateLimitError,
      502: InternalServerError,
    },
    anyError: APIError,
    failure(thrown) {
      const { status, errorCode, message } = thrown as APIError
      return { kind: thrown, status, code: errorCode, message }
    },
    async ask(request) {
      const body = messagesBody(request)
      if (request.stream !== true) {
        const { data, response } = await messages.create(body, { signal: request.signal }).withResponse()
        return reply(data, response)
      }
      return reply(await messages.stream(body, { signal: request.signal }).finalMessage(), undefined)
    },
    async *pieces(request) {
      for await (const event of await messages.create(
        { ...messagesBody(request), stream: true },
        { signal: request.signal },
      )) {
        if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') yield event.delta.text
      }
    },
  }
}

function messagesBody(request: Ask): Anthropic.MessageCreateParamsNonStreaming {
  const { toolChoice, oneCallAtATime } = request
  return {
    model: request.model,
    max_tokens: request.maxTokens ?? 4000,
    messages: request.turns.map(messageOf),
    ...(request.system !== undefined && {
      system: [{ type: 'text', text: request.system, cache_control: { type: 'ephemeral' } }],
    }),
    ...(request.tools && {
      tools: request.tools.map(({ name, parameters }) => ({
        name,
        input_schema: { type: 'object' as const, ...parameters },
      })),
    }),
    ...((toolChoice !== undefined || oneCallAtATime === true) && {
      tool_choice: choiceOf(toolChoice ?? 'auto', oneCallAtATime),
    }),
    ...(request.schema && { output_config: { format: { type: 'json_schema', schema: request.schema } } }),
  }
}

function choiceOf(
  choice: NonNullable<Ask['toolChoice']>,
  oneCallAtATime: boolean | undefined,
): Anthropic.ToolChoice {
  if (choice === 'none') return { type: 'none' }
  const single = oneCallAtATime === true && { disable_parallel_tool_use: true }
  return typeof choice === 'string'
    ? { type: choice === 'required' ? 'any' : 'auto', ...single }
    : { type: 'tool', ...choice, ...single }
}

function messageOf(turn: Turn): Anthropic.MessageParam {
  if (turn.role === 'user')
    return {
      role: 'user',
      content:
        turn.image === undefined
          ? turn.text
          : [
              { type: 'text', text: turn.text },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: turn.image } },
            ],
    }
  if (turn.role === 'results')
    return {
      role: 'user',
      content: turn.results.map(({ id, text }) => ({ type: 'tool_result', tool_use_id: id, content: text })),
    }
  return {
    role: 'assistant',
    content: [
      ...(turn.text === '' ? [] : [{ type: 'text' as const, text: turn.text }]),
      ...(turn.calls ?? []).map(({ id, name, input }) => ({ type: 'tool_use' as const, id, name, input })),
    ],
  }
}

function reply(
  { content, stop_reason: stop, usage }: Anthropic.Message,
  response: Response | undefined,
): Reply {
  return {
    text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''),
    calls: content.flatMap((block) =>
      block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: block.input }] : [],
    ),
    stop: stop === 'max_tokens' ? 'length' : stop === 'tool_use' ? 'calls' : 'end',
    usage: { input: usage.input_tokens, output: usage.output_tokens },
    ...(response ? headersOf(response) : { privacy: null, receipt: null }),
  }
}

import OpenAI, {
  APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from 'openai'
import {
  headersOf,
  type Access,
  type Ask,
  type Client,
  type Failure,
  type Reply,
  type Turn,
} from './client.ts'

function sdk({ baseUrl, key }: Access): OpenAI {
  return new OpenAI({ baseURL: baseUrl, apiKey: key, maxRetries: 0 })
}

const common = {
  // OpenAI's SDK has no classes of its own for 402 and 413.
  classes: {
    400: BadRequestError,
    401: AuthenticationError,
    402: APIError,
    403: PermissionDeniedError,
    404: NotFoundError,
    413: APIError,
    429: RateLimitError,
    502: InternalServerError,
  },
  anyError: APIError,
  failure(thrown: unknown): Failure {
    const { status, code, message } = thrown as APIError
    return { kind: thrown, status, code, message }
  },
}

export function openAiChat(access: Access): Client {
  const { chat } = sdk(access)
  return {
    ...common,
    name: 'openai, chat completions',
    async ask(request) {
      const body = chatBody(request)
      if (request.stream !== true) {
        const { data, response } = await chat.completions
          .create(body, { signal: request.signal })
          .withResponse()
        return chatReply(data, response)
      }
      const stream = chat.completions.stream(
        { ...body, stream: true, stream_options: { include_usage: true } },
        { signal: request.signal },
      )
      return chatReply(await stream.finalChatCompletion(), undefined)
    },
    async *pieces(request) {
      for await (const chunk of await chat.completions.create(
        { ...chatBody(request), stream: true },
        { signal: request.signal },
      ))
        yield chunk.choices[0]?.delta.content ?? ''
    },
  }
}

function chatBody(request: Ask): OpenAI.ChatCompletionCreateParamsNonStreaming {
  const { toolChoice } = request
  return {
    model: request.model,
    messages: [
      ...(request.system === undefined ? [] : [{ role: 'system' as const, content: request.system }]),
      ...request.turns.flatMap(chatMessages),
    ],
    ...(request.maxTokens !== undefined && { max_completion_tokens: request.maxTokens }),
    ...(request.tools && {
      tools: request.tools.map(({ name, parameters }) => ({
        type: 'function' as const,
        function: { name, parameters },
      })),
    }),
    ...(toolChoice !== undefined && {
      tool_choice: typeof toolChoice === 'string' ? toolChoice : { type: 'function', function: toolChoice },
    }),
    ...(request.oneCallAtATime === true && { parallel_tool_calls: false }),
    ...(request.schema && {
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: request.schema } },
    }),
  }
}

function chatMessages(turn: Turn): OpenAI.ChatCompletionMessageParam[] {
  if (turn.role === 'user')
    return [
      {
        role: 'user',
        content:
          turn.image === undefined
            ? turn.text
            : [
                { type: 'text', text: turn.text },
                { type: 'image_url', image_url: { url: `data:image/png;base64,${turn.image}` } },
              ],
      },
    ]
  if (turn.role === 'assistant') {
    const calls = turn.calls?.map(({ id, name, input }) => ({
      id,
      type: 'function' as const,
      function: { name, arguments: JSON.stringify(input) },
    }))
    return [{ role: 'assistant', content: turn.text || null, ...(calls?.length && { tool_calls: calls }) }]
  }
  return turn.results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text }))
}

function chatReply({ choices, usage }: OpenAI.ChatCompletion, response: Response | undefined): Reply {
  const choice = choices[0]!
  const calls = (choice.message.tool_calls ?? []).map((call) => ({
    id: call.id,
    name: call.type === 'function' ? call.function.name : '',
    input: JSON.parse(call.type === 'function' ? call.function.arguments : '') as unknown,
  }))
  return {
    text: choice.message.content ?? '',
    calls,
    stop:
      choice.finish_reason === 'length' ? 'length' : choice.finish_reason === 'tool_calls' ? 'calls' : 'end',
    usage: { input: usage?.prompt_tokens ?? 0, output: usage?.completion_tokens ?? 0 },
    ...(response ? headersOf(response) : { privacy: null, receipt: null }),
  }
}

export function openAiResponses(access: Access): Client {
  const { responses } = sdk(access)
  return {
    ...common,
    name: 'openai, responses',
    async ask(request) {
      const body = responsesBody(request)
      if (request.stream !== true) {
        const { data, response } = await responses.create(body, { signal: request.signal }).withResponse()
        return responsesReply(data, response)
      }
      return responsesReply(
        await responses.stream({ ...body, stream: true }, { signal: request.signal }).finalResponse(),
        undefined,
      )
    },
    async *pieces(request) {
      for await (const event of await responses.create(
        { ...responsesBody(request), stream: true },
        { signal: request.signal },
      ))
        if (event.type === 'response.output_text.delta') yield event.delta
    },
  }
}

function responsesBody(request: Ask): OpenAI.Responses.ResponseCreateParamsNonStreaming {
  const { toolChoice } = request
  return {
    model: request.model,
    input: request.turns.flatMap(inputItems),
    ...(request.system !== undefined && { instructions: request.system }),
    ...(request.maxTokens !== undefined && { max_output_tokens: request.maxTokens }),
    ...(request.tools && {
      tools: request.tools.map(({ name, parameters }) => ({
        type: 'function' as const,
        name,
        parameters,
        strict: false,
      })),
    }),
    ...(toolChoice !== undefined && {
      tool_choice: typeof toolChoice === 'string' ? toolChoice : { type: 'function', ...toolChoice },
    }),
    ...(request.oneCallAtATime === true && { parallel_tool_calls: false }),
    ...(request.schema && {
      text: { format: { type: 'json_schema', name: 'answer', schema: request.schema } },
    }),
  }
}

function inputItems(turn: Turn): OpenAI.Responses.ResponseInputItem[] {
  if (turn.role === 'user')
    return [
      {
        role: 'user',
        content:
          turn.image === undefined
            ? turn.text
            : [
                { type: 'input_text', text: turn.text },
                { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${turn.image}` },
              ],
      },
    ]
  if (turn.role === 'assistant') {
    const calls = (turn.calls ?? []).map(({ id, name, input }) => ({
      type: 'function_call' as const,
      call_id: id,
      name,
      arguments: JSON.stringify(input),
    }))
    return [...(turn.text === '' ? [] : [{ role: 'assistant' as const, content: turn.text }]), ...calls]
  }
  return turn.results.map(({ id, text }) => ({ type: 'function_call_output', call_id: id, output: text }))
}

function responsesReply(
  { output, output_text: text, status, usage }: OpenAI.Responses.Response,
  response: Response | undefined,
): Reply {
  const calls = output.flatMap((item) =>
    item.type === 'function_call'
      ? [{ id: item.call_id, name: item.name, input: JSON.parse(item.arguments) as unknown }]
      : [],
  )
  return {
    text,
    calls,
    stop: status === 'incomplete' ? 'length' : calls.length > 0 ? 'calls' : 'end',
    usage: { input: usage?.input_tokens ?? 0, output: usage?.output_tokens ?? 0 },
    ...(response ? headersOf(response) : { privacy: null, receipt: null }),
  }
}

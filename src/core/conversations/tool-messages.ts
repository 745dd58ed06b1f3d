import { withMembers } from '../../shared/call-members.ts'
import { z } from 'zod'
import type { ToolCall } from '../../shared/answer-parts.ts'
import type { Message } from '../../shared/conversation.ts'
import { tryParseJson, type JsonObject } from '../../shared/strict-json.ts'
import { UNKNOWN_RESULT } from '../../shared/tool-call.ts'

const argumentsSchema = z.record(z.string(), z.json())

type Answer = Pick<Message, 'text' | 'toolCalls' | 'model'>

/** A call that Sotto handled. Other calls have no result, and a service refuses those. */
type HandledCall = ToolCall & { readonly round: number; readonly at: number }

/** The calls of an answer that Sotto handled, in their order. An imported file may state any numbers. */
function handledCalls({ toolCalls = [] }: Pick<Message, 'toolCalls'>): HandledCall[] {
  return toolCalls
    .flatMap(({ round, at, ...call }) =>
      round === undefined || at === undefined ? [] : [{ ...call, round, at }],
    )
    .toSorted((a, b) => a.round - b.round)
}

/** Whether a later request contains results of this answer's tools. */
export function hasHandledCalls(message: Pick<Message, 'toolCalls'>): boolean {
  return handledCalls(message).length > 0
}

/**
 * The messages in which a later request contains an answer, in OpenAI's format: for each request of the answer its
 * text and calls, then their results; at the end the rest of its text. Images of results aren't stored, so they
 * aren't sent again.
 */
export function messagesOfAnswer(answer: Answer, model?: string): JsonObject[] {
  const rounds = Map.groupBy(handledCalls(answer), ({ round }) => round)
  const messages: JsonObject[] = []
  let sent = 0
  for (const [round, calls] of rounds) {
    const end = Math.max(sent, ...calls.map(({ at }) => at))
    const withIds = calls.map((call, index) => ({
      ...call,
      id: call.id ?? `call_${String(round)}_${String(index)}`,
    }))
    messages.push(
      {
        role: 'assistant',
        content: answer.text.slice(sent, end),
        tool_calls: withIds.map(({ id, name, arguments: args, more }) =>
          withMembers(answer.model === model ? more : undefined, {
            id,
            type: 'function',
            function: {
              name,
              arguments: argumentsSchema.safeParse(tryParseJson(args)).success ? args : '{}',
            },
          }),
        ),
      },
      ...withIds.map(({ id, result = UNKNOWN_RESULT }) => ({
        role: 'tool',
        tool_call_id: id,
        content: result,
      })),
    )
    sent = end
  }
  const rest = answer.text.slice(sent)
  return rest === '' ? messages : [...messages, { role: 'assistant', content: rest }]
}

/** The text of an answer with its calls and results, to count or show everything that is sent. */
export function textWithCalls(answer: Answer): string {
  const calls = handledCalls(answer).map(({ name, arguments: args, more, result = UNKNOWN_RESULT }) =>
    [`${name} ${args}`, ...(more ? [JSON.stringify(more)] : []), result].join('\n'),
  )
  return [answer.text, ...calls].join('\n\n')
}

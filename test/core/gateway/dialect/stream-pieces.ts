import fc from 'fast-check'
import {
  AnswerStreamReader,
  readWholeAnswer,
  type ChatStep,
} from '../../../../src/core/gateway/answer/index.ts'
import { SottoError } from '../../../../src/shared/errors.ts'
import type { AnswerWriter } from '../../../../src/core/gateway/dialect/dialect.ts'

export const facts = {
  id: 'abc123',
  createdAt: 1_800_000_000,
  privacy: 'sealed',
  elapsedMs: () => 0,
} as const

export interface Delta {
  content?: string
  refusal?: string
  reasoning_content?: string
  reasoning?: string
  tool_calls?: { index?: number; id?: string; function?: { name?: string; arguments?: string } }[]
}

export function chunk(delta: Delta, finishReason: string | null = null, more: object = {}): string {
  return `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, finish_reason: finishReason }], ...more })}\n\n`
}

export const usage = {
  prompt_tokens: 30,
  completion_tokens: 12,
  total_tokens: 42,
  prompt_tokens_details: { cached_tokens: 10 },
  completion_tokens_details: { reasoning_tokens: 5 },
}
export const usageChunk = `data: ${JSON.stringify({ model: 'm', choices: [], usage })}\n\n`
export const done = 'data: [DONE]\n\n'

export interface Event {
  type: string
  [member: string]: unknown
}

/** The events of a text of server-sent events; the event's name must be its type. */
export function parseEvents(text: string): Event[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '' && !block.startsWith(':'))
    .map((block) => {
      const [name, data] = block.split('\n')
      const event = JSON.parse(data!.slice('data: '.length)) as Event
      if (name !== `event: ${event.type}`) throw new Error(`${String(name)} is not ${event.type}`)
      return event
    })
}

/** Writes a stream that arrives in these pieces; the code of the failure where it fails. */
export function written(
  writer: AnswerWriter,
  pieces: readonly Uint8Array[],
): { events: Event[]; failure: string | undefined } {
  let text = ''
  const reader = new AnswerStreamReader({ usage: true, choices: 1 })
  const failed = (): void => {
    if (reader.failure) throw reader.failure
  }
  try {
    for (const piece of pieces) {
      text += writer.push(reader.push(piece))
      failed()
    }
    text += writer.push(reader.end())
    failed()
    if (!reader.complete) throw new SottoError('service/interrupted')
    return { events: parseEvents(text), failure: undefined }
  } catch (thrown) {
    if (!(thrown instanceof SottoError)) throw thrown
    return { events: parseEvents(text + writer.fail(thrown)), failure: thrown.code }
  }
}

export function writeAll(
  writer: AnswerWriter,
  ...chunks: string[]
): { events: Event[]; failure: string | undefined } {
  return written(writer, [Buffer.from(chunks.join(''))])
}

/** Bytes cut anywhere, in the middle of a character too. */
export function cutAnywhere(text: string): fc.Arbitrary<Uint8Array[]> {
  const bytes = Buffer.from(text)
  return fc.array(fc.nat(bytes.length), { maxLength: 20 }).map((cuts) => {
    const ends = [...new Set([...cuts, bytes.length])].sort((a, b) => a - b)
    return ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end))
  })
}

/** A whole answer: its message, and the chunks in which a server could have streamed it. */
export interface Answer {
  readonly message: {
    content: string | null
    reasoning_content?: string
    tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
  }
  readonly chunks: string[]
  readonly finishReason: string
}

const word = fc.string({
  unit: fc.constantFrom('a', 'é', '€', '🤫', '"', '\\', '{', '}', '\n', ' '),
  maxLength: 12,
})
const pieces = (maxLength: number): fc.Arbitrary<string[]> =>
  fc.array(
    word.filter((text) => text !== ''),
    { maxLength },
  )

/** Each value once, its parts in their order, and the parts of several mingled at will. */
function mingled(lists: readonly (readonly Delta[])[], choices: readonly number[]): Delta[] {
  const left = lists.map((list) => [...list])
  const out: Delta[] = []
  for (let turn = 0; left.some((list) => list.length > 0); turn++) {
    const open = left.filter((list) => list.length > 0)
    out.push(open[(choices[turn] ?? 0) % open.length]!.shift()!)
  }
  return out
}

/** Answers of reasoning, text and parallel calls, whose pieces come in any order that keeps each of them in its own. */
export const answers: fc.Arbitrary<Answer> = fc
  .record({
    reasoning: pieces(3),
    text: pieces(4),
    calls: fc.array(
      fc.record({
        value: fc.dictionary(word, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
        cuts: fc.array(fc.nat(40), { maxLength: 4 }),
      }),
      { maxLength: 4 },
    ),
    choices: fc.array(fc.nat(20), { maxLength: 30 }),
  })
  .map(({ reasoning, text, calls, choices }) => {
    const toolCalls = calls.map(({ value }, at) => ({
      id: `call_${at}`,
      type: 'function' as const,
      function: { name: `tool_${at}`, arguments: JSON.stringify(value) },
    }))
    const callDeltas = toolCalls.map((call, index): Delta[] => {
      const json = call.function.arguments
      const ends = [
        ...new Set([...calls[index]!.cuts.map((cut) => Math.min(cut, json.length)), json.length]),
      ].sort((a, b) => a - b)
      return [
        { tool_calls: [{ index, id: call.id, function: { name: call.function.name, arguments: '' } }] },
        ...ends.map((end, at): Delta => ({
          tool_calls: [{ index, function: { arguments: json.slice(ends[at - 1] ?? 0, end) } }],
        })),
      ]
    })
    const finishReason = toolCalls.length > 0 ? 'tool_calls' : 'stop'
    const deltas = [
      ...reasoning.map((piece): Delta => ({ reasoning_content: piece })),
      // Calls begin in their order, as servers number them; their arguments may mingle, with each other and with text.
      ...mingled(
        [text.map((piece): Delta => ({ content: piece })), callDeltas.map(([first]) => first!)],
        choices,
      ),
      ...mingled(
        callDeltas.map(([, ...rest]) => rest),
        choices,
      ),
    ]
    return {
      message: {
        content: text.join('') || null,
        ...(reasoning.length > 0 && { reasoning_content: reasoning.join('') }),
        ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
      },
      chunks: [
        chunk({ content: '' }),
        ...deltas.map((delta) => chunk(delta)),
        chunk({}, finishReason),
        usageChunk,
        done,
      ],
      finishReason,
    }
  })

export function completion({ message, finishReason }: Answer): object {
  return {
    id: 'x',
    object: 'chat.completion',
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finishReason }],
    usage,
  }
}

/** An answer in one piece, as the relay hands it on. */
export function inOnePiece(value: unknown): ReturnType<typeof readWholeAnswer> {
  return readWholeAnswer(JSON.stringify(value), 'service/interrupted')
}

/** The step of an answer in one piece. */
export function stepOf(value: unknown): ChatStep {
  const [step] = inOnePiece(value).events
  if (!step || step === 'waiting') throw new Error('no step')
  return step
}
